// SPDX-License-Identifier: Apache-2.0
// Any bytes as a page: no crash, valid text that is not much longer than the page, the
// same text every time, headings where they are said to be.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/strings.h"
#include "base/utf8.h"
#include "page/judge.h"
#include "page/page.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view html(reinterpret_cast<const char*>(data), size);
  const auto document = sibyl::page::Extract(html, "text/html", "https://example.org/a");
  if (!document.ok()) return 0;  // a PDF that is none
  const auto again = sibyl::page::Extract(html, "text/html", "https://example.org/a");
  if (!again.ok() || again->text != document->text) std::abort();
  if (sibyl::FindInvalidUtf8(document->text)) std::abort();
  if (document->text.find('\0') != std::string_view::npos) std::abort();
  // Marks of lists, cells and quotations cost a bounded number of bytes each.
  if (document->text.size() > 200 * html.size() + 1000) std::abort();
  const auto lines = sibyl::SplitLines(document->text);
  for (const sibyl::page::PageHeading& heading : document->headings) {
    if (heading.line == 0 || heading.line > lines.size()) std::abort();
    if (!lines[heading.line - 1].starts_with('#')) std::abort();
  }
  const sibyl::page::PageVerdict verdict = sibyl::page::Judge(*document);
  if (verdict.ok() != verdict.reason.empty()) std::abort();
  return 0;
}
