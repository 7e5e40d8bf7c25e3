// SPDX-License-Identifier: Apache-2.0
// The index pages of an oracle (index/…): is every knowledge file listed once,
// does every line lead to a file, are the counts right, are numbers unique?
//
// Text around the managed blocks belongs to people: if a page has a block, only
// the block is checked.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "statement/verdict.h"

namespace sibyl::gate {

/// A Markdown file of the oracle.
struct PageFacts {
  std::string path;  ///< From the root: "cuda/16-cupti.md".
  std::string name;  ///< As findings call it.
  std::size_t lines = 0;
  std::size_t citations = 0;
  std::string_view text_view;  ///< Of index pages.
};

/// "cuda/16-cupti.md": a number, a mark and a title.
bool IsKnowledgePath(std::string_view path);

/// "cuda/INDEX.md" or "SKILL.md".
bool IsIndexPath(std::string_view path);

std::vector<statement::Judgement> JudgeIndexPages(const std::vector<PageFacts>& pages);

}  // namespace sibyl::gate
