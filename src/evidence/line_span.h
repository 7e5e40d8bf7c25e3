// SPDX-License-Identifier: Apache-2.0
// Lines as citations count them: from one, ended by LF. A last line without an
// end counts; nothing follows a last end. A carriage return is part of its line.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "evidence/citation.h"

namespace sibyl::evidence {

std::size_t CountLines(std::string_view text);

/// The bytes of the lines, their ends included; nothing when the text has not
/// so many. The whole text for a range that is whole.
std::optional<std::string_view> LinesOf(std::string_view text, const LineRange& lines);

/// All lines, each with its end.
std::vector<std::string_view> LinesWithEnds(std::string_view text);

}  // namespace sibyl::evidence
