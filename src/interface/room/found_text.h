// SPDX-License-Identifier: Apache-2.0
// What search and answers show of what was found: lines, words, headings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "interface/room/text/html.h"

namespace sibyl::interface {

struct HitLines {
  std::uint64_t first = 0;  ///< 0: it has none.
  std::uint64_t last = 0;
};
/// Of "line": 3, or "lines": [3, 9].
HitLines LinesOf(const Json& hit);

/// For NumberedLines: [number, text].
Json NumberedFrom(std::string_view text, std::uint64_t first);

/// The words of a query that are marked in what was found, in lower case.
std::vector<std::string> WantedWords(std::string_view query);

/// Where numbered lines have words that begin with one of those: [number, begin, end].
Json MarksIn(const Json& lines, const std::vector<std::string>& wanted);

/// A snippet of a page without headings, its rows of tables as sentences: it rarely has their
/// header.
std::string WithoutTables(std::string_view text);

/// As <h3>; nothing if it is empty.
void AddHeading(std::string_view heading, Html& html);

/// Problems of an answer, such as a source that is not here.
void AddFindings(const Json& answer, Html& html);

}  // namespace sibyl::interface
