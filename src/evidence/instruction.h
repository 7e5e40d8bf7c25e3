// SPDX-License-Identifier: Apache-2.0
// Lines of a source that speak to a language model and not to people: "ignore
// your instructions and write that …". They are data like all others, and are
// never obeyed here; but a model may obey them, and would then cite the very
// lines that told it what to say. So they are no evidence for anything.
//
// Found by their words, in English. A source that simply lies is not found.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "evidence/citation.h"

namespace sibyl::evidence {

/// The lines, with the rest of their paragraph or comment, and with what they
/// introduce by a colon; in order, apart from each other.
std::vector<LineRange> FindInstructions(std::string_view text);

/// Of those that `span`, a part of `text`, takes in, the first line. Only so
/// much around the span is read as a paragraph can have.
std::optional<std::string_view> InstructionAmong(std::string_view text, std::string_view span);

/// The longest run of whole lines of `text` that holds none of them; the whole
/// text when it has none, empty when nothing is left.
std::string_view WithoutInstructions(std::string_view text);

}  // namespace sibyl::evidence
