// SPDX-License-Identifier: Apache-2.0
// String operations shared by several rooms. Case is ASCII case.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl {

/// Without blanks (space, tab, CR, LF, vertical tab, form feed) at both ends.
std::string_view Trim(std::string_view text);

std::string LowerCase(std::string_view text);
/// Converts to lower case in place. Returns whether all of it is ASCII.
bool LowerInPlace(std::span<char> text);
bool EqualsIgnoringCase(std::string_view a, std::string_view b);
bool StartsWithIgnoringCase(std::string_view text, std::string_view prefix);
inline bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Lines without their ends, which are LF, CR LF or a lone CR as in Markdown.
/// A last line without an end counts; nothing follows a last end. The views
/// are into `text`.
std::vector<std::string_view> SplitLines(std::string_view text);

/// "1 file", "2 files"; `many` defaults to `one` with an s.
std::string Count(std::size_t number, std::string_view one, std::string_view many = {});

/// The parts with `between` between them.
std::string Join(const std::vector<std::string>& parts, std::string_view between);

}  // namespace sibyl
