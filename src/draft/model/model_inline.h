// SPDX-License-Identifier: Apache-2.0
// A line of a model's Markdown as plain text that is safe on a page, and the keys
// in it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::draft {

/// Without links, images, tags and footnotes; the keys go to `marks`. All other words
/// stay.
std::string CleanInline(std::string_view text, std::vector<std::string>& marks);

/// Escapes what would begin another block of Markdown.
std::string AtLineStart(std::string text);

/// Where the sentence that begins at `from` ends, its keys included.
std::size_t SentenceEnd(std::string_view text, std::size_t from);

}  // namespace sibyl::draft
