// SPDX-License-Identifier: Apache-2.0
// Any Markdown: headings have anchors, links are checked without leaving the oracle,
// statements are classified, and the form is checked.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/markdown/heading_anchor.h"
#include "gate/citations.h"
#include "gate/cited/cited_quotes.h"
#include "gate/index_pages.h"
#include "gate/links.h"
#include "gate/structure.h"
#include "gate/uncited.h"
#include "statement/anchors.h"

namespace {

using namespace sibyl::gate;       // NOLINT: a fuzz target is one file
using namespace sibyl::statement;  // NOLINT

void Require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto statements = ReadStatements(text);
  if (!statements.ok()) return 0;
  const Anchors anchors(statements->headings, text);
  for (std::size_t i = 1; i < statements->headings.size(); ++i) {
    Require(anchors.Has(sibyl::AnchorOf(statements->headings[i].text)));
  }
  if (const auto path = ResolveRelative("a/b.md", text)) {
    Require(path->find("/../") == std::string::npos && !path->starts_with("../"));
  }
  const Receipts receipts = ReadReceipts(*statements);
  const CitedFile file{
      .name = "a.md", .text_view = text, .statements = *statements, .receipts = receipts};
  OraclePages pages("/nonexistent");
  pages.Put("a.md", *statements, text);
  JudgeLinks(file, "a.md", pages);
  const CitationCover cover = CountCited(file);
  Require(cover.cited <= cover.needed);
  const auto uncited = FindUncited(file);
  const auto missing = std::count_if(uncited.begin(), uncited.end(),
                                     [](const auto& one) { return one.code == "cite/missing"; });
  Require(static_cast<std::size_t>(missing) == cover.needed - cover.cited);
  JudgeReceipts(file);
  JudgeQuotes(file);
  JudgeStructure(file);
  JudgeIndexPages({{.path = "a/1-b.md", .name = "a/1-b.md", .lines = 1, .citations = 0},
                   {.path = "a/INDEX.md", .name = "a/INDEX.md", .text_view = text}});
  return 0;
}
