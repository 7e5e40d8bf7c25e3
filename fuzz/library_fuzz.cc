// SPDX-License-Identifier: Apache-2.0
// Any bytes as a page, a knowledge file, a SKILL.md or an intent. A page keeps
// every byte outside its block; a knowledge file becomes one row of a table; an
// intent that is accepted is written in one way and names no place outside.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/markdown/markdown.h"
#include "library/blocks.h"
#include "library/intent.h"
#include "library/knowledge_page.h"
#include "library/skill.h"
#include "library/topic_index.h"

namespace {

using namespace sibyl::library;  // NOLINT: a fuzz target is one file

void Require(bool holds) {
  if (!holds) std::abort();
}

void CheckPage(std::string_view text) {
  const auto blocks = FindBlocks("page", text);
  const auto replaced = ReplaceBlock("page", text, kIndexBlock, "new\n");
  if (!blocks.ok() || !replaced.ok()) {
    Require(!replaced.ok() && replaced.error().place.has_value());
    return;
  }
  for (const sibyl::gate::ManagedBlock& block : *blocks) {
    Require(block.begin <= block.end && block.end <= text.size());
    if (block.name != kIndexBlock) continue;
    Require(replaced->starts_with(text.substr(0, block.begin)));
    Require(replaced->ends_with(text.substr(block.end)));
  }
  const auto again = ReplaceBlock("page", *replaced, kIndexBlock, "new\n");
  Require(again.ok() && *again == *replaced);
}

void CheckKnowledge(std::string_view text) {
  const KnowledgePage page = ReadKnowledgePage("01-a.md", text);
  const std::string index = StarterIndex("topic", IndexBlock({page}, {}));
  Require(FindBlocks("INDEX.md", index)->size() == 1);
  ReadKeywords(index);
  ReadKeywords(text);
  const auto document = sibyl::ParseMarkdown(IndexBlock({page}, {}));
  if (!document.ok()) return;
  for (const sibyl::MarkdownNode& node : document->children) {
    if (node.kind != sibyl::MarkdownKind::kTable) continue;
    Require(node.children.size() == 2);
    for (const sibyl::MarkdownNode& row : node.children) Require(row.children.size() == 7);
    return;
  }
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  CheckPage(text);
  CheckKnowledge(text);
  CheckSkill(text, "oracle");
  if (const auto intent = ParseIntent(text); intent.ok()) {
    const std::string printed = FormatIntent(*intent);
    const auto again = ParseIntent(printed);
    Require(again.ok() && FormatIntent(*again) == printed);
    for (const Step& step : intent->steps) {
      Require(!step.path.starts_with('/') && !step.path.starts_with(".."));
    }
  }
  return 0;
}
