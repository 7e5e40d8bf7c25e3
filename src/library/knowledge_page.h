// SPDX-License-Identifier: Apache-2.0
// The data about a knowledge file for the index pages, read from the file
// itself, so that edits by people are included.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::library {

struct PageSection {
  std::string title;   ///< Without a number in front.
  std::string anchor;  ///< As GitHub makes it: "1-detection".
};

struct KnowledgePage {
  std::string name;  ///< "01-profiler.md"
  std::string title;
  std::string updated;  ///< YYYY-MM-DD of the stamp or a "Last Updated" line; may be empty.
  std::size_t lines = 0;
  std::size_t citations = 0;  ///< Footnotes that the text refers to.
  std::vector<PageSection> sections;
  std::vector<std::string> keywords;  ///< What it writes in code font most often.
  std::string opening;                ///< Its first paragraph.
};

/// Cannot fail: for a file that is too large to parse, only the lines are
/// counted.
KnowledgePage ReadKnowledgePage(std::string_view name, std::string_view text);

}  // namespace sibyl::library
