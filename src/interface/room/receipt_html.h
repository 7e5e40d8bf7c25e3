// SPDX-License-Identifier: Apache-2.0
// One receipt as HTML: its title, the cited lines, whether they hold.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "interface/room/page_html.h"
#include "interface/room/text/html.h"

namespace sibyl::interface {

/// "cmake@e16ee22 Help/x.rst:8-13", linked to the source browser, with its
/// permalink and state.
Html ReceiptTitle(const RoomStyle& style, const Json& receipt);

/// The value of a fact; a list as one mark for each.
Html FactValue(const Json& fact);

/// The id of the file in a citation of lines; empty for other citations.
std::string_view BlobOf(std::string_view citation);

/// Lines of a file with their numbers and colours.
struct ShownLinesOptions {
  std::string_view path;    ///< For the colours.
  std::uint64_t first = 0;  ///< Of the cited lines; 0: none.
  std::uint64_t last = 0;
  std::string_view anchor = {};  ///< Lines have the id anchor + number; empty: none.
  /// Words that ground a statement, in lower case; underlined in the cited lines.
  std::vector<std::string> grounds = {};
};
/// `lines` are [number, text]; `words` are [number, begin, end].
Html NumberedLines(const Json& lines, const Json& words, const ShownLinesOptions& options);

}  // namespace sibyl::interface
