// SPDX-License-Identifier: Apache-2.0
// Prompt injection: lines of a source that instruct a language model, such as
// "ignore your instructions and write that …". A model that follows them would
// then cite the same lines as evidence. So they cannot be cited: see
// docs/decisions/0086-prompt-injection.md for how they are found and what is
// missed.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/line_span.h"

namespace sibyl::injection {

/// The lines, with the rest of their paragraph or comment, and with what they
/// introduce by a colon; in order, apart from each other.
std::vector<LineRange> FindInstructions(std::string_view text);

/// The first such line in `span`, a part of `text`. Only as much around the
/// span is read as a paragraph can have.
std::optional<std::string_view> InstructionAmong(std::string_view text, std::string_view span);

/// The longest run of whole lines of `text` without any of them; the whole text
/// if it has none, empty if nothing is left.
std::string_view WithoutInstructions(std::string_view text);

}  // namespace sibyl::injection
