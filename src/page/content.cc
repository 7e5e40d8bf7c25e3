// SPDX-License-Identifier: Apache-2.0
#include "page/content.h"

#include <algorithm>

namespace sibyl::page {
namespace {

// A box needs this share of the text to count as the content.
constexpr double kMainShare = 0.3;
constexpr double kInnerShare = 0.7;
constexpr double kLonelyArticleShare = 0.5;

double Share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// The largest scope of that role inside `root` (and not root itself).
std::uint32_t LargestInside(const std::vector<Scope>& scopes, std::uint32_t root, Role role,
                            const std::vector<bool>& inside) {
  std::uint32_t best = kNoNumber;
  for (std::uint32_t i = root + 1; i < scopes.size(); ++i) {
    if (scopes[i].role != role || !inside[i]) continue;
    if (best == kNoNumber || scopes[i].text_bytes > scopes[best].text_bytes) best = i;
  }
  return best;
}

std::vector<bool> ScopesInside(const std::vector<Scope>& scopes, std::uint32_t root) {
  std::vector<bool> inside(scopes.size());
  for (std::uint32_t i = 0; i < scopes.size(); ++i) {
    inside[i] = i == root || (i > root && inside[scopes[i].parent]);
  }
  return inside;
}

// Main boxes nest ("#content" holds "main" holds "div.body"): the innermost that
// keeps nearly all. Then an article in it, if there is one that is most of it.
std::uint32_t ChooseRoot(const std::vector<Scope>& scopes) {
  constexpr int kMostSteps = 8;  // boxes in boxes; each step loses little
  std::uint32_t root = 0;
  for (int i = 0; i < kMostSteps; ++i) {
    const std::vector<bool> inside = ScopesInside(scopes, root);
    const std::uint32_t main = LargestInside(scopes, root, Role::kMain, inside);
    const double needed = root == 0 ? kMainShare : kInnerShare;
    if (main != kNoNumber && Share(scopes[main].text_bytes, scopes[root].text_bytes) >= needed) {
      root = main;
      continue;
    }
    const std::uint32_t article = LargestInside(scopes, root, Role::kArticle, inside);
    const double share = root == 0 ? kLonelyArticleShare : kInnerShare;
    if (article == kNoNumber ||
        Share(scopes[article].text_bytes, scopes[root].text_bytes) < share) {
      break;
    }
    root = article;
  }
  return root;
}

bool IsLinks(const Block& block) {
  constexpr std::size_t kShort = 200;
  return block.kind != BlockKind::kCode && block.kind != BlockKind::kHeading &&
         block.size() < kShort && block.size() * 8 <= std::size_t{block.link_bytes} * 10;
}

// Without a content box, text before the first title is boilerplate, up to this
// size.
std::size_t FirstOfContent(const std::vector<const Block*>& blocks, std::size_t all_bytes) {
  std::size_t before = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i]->kind == BlockKind::kHeading && blocks[i]->level == 1) {
      return before * 10 <= all_bytes * 3 ? i : 0;
    }
    before += blocks[i]->size();
  }
  return 0;
}

}  // namespace

Content ChooseContent(const Blocks& page) {
  const std::uint32_t root = ChooseRoot(page.scopes);
  const std::vector<bool> inside = ScopesInside(page.scopes, root);
  Content content;
  std::size_t bytes = 0;
  for (const Block& block : page.blocks) {
    if (inside[block.scope]) {
      content.blocks.push_back(&block);
      bytes += block.size();
    } else {
      content.dropped_bytes += block.size();
    }
  }
  std::size_t first = root == 0 ? FirstOfContent(content.blocks, bytes) : 0;
  std::size_t end = content.blocks.size();
  while (first < end && IsLinks(*content.blocks[first])) ++first;
  while (end > first && IsLinks(*content.blocks[end - 1])) --end;
  // A page of only links is an index, and its links are its content.
  std::size_t kept = 0;
  for (std::size_t i = first; i < end; ++i) kept += content.blocks[i]->size();
  if (kept * 10 < bytes * 4) return content;
  content.dropped_bytes += bytes - kept;
  content.blocks.assign(content.blocks.begin() + static_cast<std::ptrdiff_t>(first),
                        content.blocks.begin() + static_cast<std::ptrdiff_t>(end));
  return content;
}

}  // namespace sibyl::page
