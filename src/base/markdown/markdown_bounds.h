// SPDX-License-Identifier: Apache-2.0
// Refuses Markdown that the parser would take too long or too much memory for.
// Part of base/markdown.
#pragma once

#include "base/markdown/markdown.h"
#include "base/markdown/markdown_lines.h"
#include "base/result.h"

namespace sibyl {

/// Looks at the source before the parser does: its size, how deep a line opens
/// quotes and lists, how many cells a table would have. cmark-gfm fills short
/// rows up to the width of the table, so that a few kilobytes can ask for
/// millions of cells, and its time for nesting is quadratic.
Status CheckMarkdownBounds(const MarkdownLines& lines, const MarkdownLimits& limits);

}  // namespace sibyl
