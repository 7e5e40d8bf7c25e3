// SPDX-License-Identifier: Apache-2.0
// Which files are Markdown, by name.
#pragma once

#include <string_view>

#include "base/strings.h"

namespace sibyl {

/// Whether the path ends in .md, .markdown or .mdx, in any case.
inline bool HasMarkdownName(std::string_view path) {
  for (const std::string_view ending : {".md", ".markdown", ".mdx"}) {
    if (path.size() < ending.size()) continue;
    if (EqualsIgnoringCase(path.substr(path.size() - ending.size()), ending)) return true;
  }
  return false;
}

}  // namespace sibyl
