// SPDX-License-Identifier: Apache-2.0
// Finds the inlines of a block in the source. Part of base/markdown.
#pragma once

#include <cstddef>

#include "base/markdown/markdown.h"
#include "base/markdown/markdown_lines.h"

namespace sibyl {

/// Sets the span of every inline in `block`. `quote_depth` is the number of
/// block quotes around it, whose markers are at the start of its lines.
void PlaceInlines(MarkdownNode& block, const MarkdownLines& lines, std::size_t quote_depth);

/// The length of the character reference at the start of `source` ("&amp;"), if
/// `text` starts with its character; `text_bytes` is the length of that.
struct EntityMatch {
  std::size_t source_bytes = 0;  ///< Zero: no such reference.
  std::size_t text_bytes = 0;
};
EntityMatch MatchEntity(std::string_view source, std::string_view text);

}  // namespace sibyl
