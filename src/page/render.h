// SPDX-License-Identifier: Apache-2.0
// Chosen blocks as Markdown: headings, fenced code with its language, lists,
// tables of values. Each sentence starts a new line, so that lines can be cited
// separately.
#pragma once

#include "page/content.h"
#include "page/page.h"

namespace sibyl::page {

/// Fills text, headings and the counts of `document`, whose title is known.
void Render(const Blocks& page, const Content& content, ExtractedPage& document);

}  // namespace sibyl::page
