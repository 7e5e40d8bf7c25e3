// SPDX-License-Identifier: Apache-2.0
// Refuses Markdown for which the parser would need too much time or memory.
// Part of base/markdown.
#pragma once

#include "base/markdown/markdown.h"
#include "base/markdown/markdown_lines.h"
#include "base/result.h"

namespace sibyl {

/// Checks the source before parsing: its size, the nesting of quotes and lists,
/// the number of table cells. cmark-gfm pads short rows to the width of the
/// table, so that a few kilobytes can produce millions of cells, and its time
/// for nesting is quadratic.
Status CheckMarkdownBounds(const MarkdownLines& lines, const MarkdownLimits& limits);

}  // namespace sibyl
