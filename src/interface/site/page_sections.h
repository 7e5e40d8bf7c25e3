// SPDX-License-Identifier: Apache-2.0
// The sections of a Markdown page, for the search of the static site: a search
// result is a section, not a whole page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sibyl::interface {

struct PageSection {
  std::string anchor;   ///< Of its heading; empty for what comes before the second heading.
  std::string heading;  ///< As a reader sees it.
  std::string text;     ///< Without headings, footnotes and HTML; blocks separated by a space.
};

/// In the order of the page. The first has the title of the page, if it begins with one.
Result<std::vector<PageSection>> SectionsOf(std::string_view markdown);

}  // namespace sibyl::interface
