// SPDX-License-Identifier: Apache-2.0
// Start here. Converts a page as a server sent it into text that can be
// searched and cited, and recognises pages without content.
//
//   charset     bytes to UTF-8                     charset.h
//   tokenizer   HTML to tags and text              tokenizer.h, entities.h
//   blocks      tags to paragraphs, code, tables   blocks.h, chrome.h
//   content     content of the page                content.h
//   render      blocks to Markdown                 render.h
//   judge       error pages, walls, empty shells   judge.h
//   warc        snapshots that others can read     warc.h
//
// Nothing is fetched here. The same bytes give the same text.
// docs/decisions/0075 explains why we have our own HTML reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "page/blocks.h"

namespace sibyl::page {

enum class Form : std::uint8_t { kHtml, kMarkdown, kRst, kPlain, kJson, kPdf };

/// "html", "markdown", "rst", "text", "json", "pdf"
std::string_view FormName(Form form);

/// ".md", ".rst", ".txt", ".json": of the extracted text.
std::string_view TextSuffix(Form form);

struct PageHeading {
  std::size_t line = 0;  ///< Of ExtractedPage::text, from one.
  int level = 1;
  std::string title;
  std::string anchor;  ///< Its anchor, without '#'; may be empty.
};

struct ExtractedPage {
  Form form = Form::kHtml;
  std::string title;
  std::string text;  ///< UTF-8, ends with a line end. Markdown, if the page was HTML.
  std::string charset;
  std::string language;   ///< As the page says: "en"; may be empty.
  std::string canonical;  ///< The address it gives itself; may be empty.
  std::vector<PageHeading> headings;
  std::size_t words = 0;
  std::size_t code_blocks = 0;
  std::size_t left_out_bytes = 0;  ///< Of text dropped as boilerplate.
  Signals signals;                 ///< Of HTML.
};

struct ExtractLimits {
  std::size_t max_bytes = std::size_t{64} << 20;
};

/// `content_type` is the header's value and may be empty; `url` helps to tell the
/// form of what has no type. kUsage for what is no text (images, archives),
/// kCorrupt for a PDF that cannot be read, kUnavailable when pdftotext is not here.
Result<ExtractedPage> Extract(std::string_view bytes, std::string_view content_type,
                              std::string_view url, const ExtractLimits& limits = {});

/// The format, by type, address and first bytes. kUsage if it is not text.
Result<Form> FormOf(std::string_view bytes, std::string_view content_type, std::string_view url);

/// Runs of letters and digits.
std::size_t CountWords(std::string_view text);

}  // namespace sibyl::page
