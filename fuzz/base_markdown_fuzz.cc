// SPDX-License-Identifier: Apache-2.0
// Any bytes are Markdown; every span is inside the source and in order, and an exact
// place has the text that the tree has.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/markdown/markdown.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

void Check(const sibyl::MarkdownNode& node, std::string_view source) {
  const sibyl::MarkdownSpan& span = node.span;
  Require(span.begin <= span.end && span.end <= source.size());
  Require(span.first_line >= 1 && span.first_line <= span.last_line);
  Require(span.first_column >= 1);
  const std::string_view cut = source.substr(span.begin, span.end - span.begin);
  if (span.is_exact && node.kind == sibyl::MarkdownKind::kCode) {
    Require(cut.size() >= 2 && cut.front() == '`' && cut.back() == '`');
  }
  if (span.is_exact && node.kind == sibyl::MarkdownKind::kHtmlInline) Require(cut == node.text);
  for (const sibyl::MarkdownNode& child : node.children) Check(child, source);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  const sibyl::Result<sibyl::MarkdownNode> document = sibyl::ParseMarkdown(source);
  if (!document.ok()) return 0;
  Check(*document, source);
  sibyl::PlainText(*document);
  return 0;
}
