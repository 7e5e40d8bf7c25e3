// SPDX-License-Identifier: Apache-2.0
// A page as a flat list of blocks: paragraphs, headings, code, items, cells,
// each with the box of the page it was in. Built in one pass over the tokens;
// which blocks are content is decided afterwards (content.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "page/chrome.h"

namespace sibyl::page {

inline constexpr std::uint32_t kNoNumber = 0xFFFFFFFF;

enum class BlockKind : std::uint8_t { kParagraph, kHeading, kCode, kItem, kTerm };

struct Block {
  BlockKind kind = BlockKind::kParagraph;
  std::uint8_t level = 0;   ///< Of a heading 1 to 6; of others how deep in lists.
  std::uint8_t quotes = 0;  ///< How many quotations it is nested in.
  bool is_header = false;   ///< In a <th>.
  std::uint32_t begin = 0;  ///< Of Blocks::text.
  std::uint32_t end = 0;
  std::uint32_t link_bytes = 0;
  std::uint32_t scope = 0;
  std::uint32_t table = kNoNumber;
  std::uint32_t row = 0;
  std::uint32_t cell = 0;
  std::uint32_t number = 0;        ///< Of an item in an ordered list; 0 in others.
  std::string_view anchor_view;    ///< Of the page's bytes, undecoded.
  std::string_view language_view;  ///< Of code; likewise, or a literal.

  std::size_t size() const { return end - begin; }
};

/// A box that may contain the content. Scope 0 is the whole page.
struct Scope {
  Role role = Role::kPlain;
  std::uint32_t parent = kNoNumber;
  std::uint64_t text_bytes = 0;  ///< With all below it, once the pass is over.
};

struct TableShape {
  Role role = Role::kPlain;  ///< kSignature and kSummary are lines of code, not cells.
  bool is_layout = false;    ///< It contains code, headings or tables: layout, not values.
  std::uint32_t columns = 0;
};

/// What the judge needs in addition to the text of a page.
struct Signals {
  std::string noscript;  ///< The start of its noscript text.
  std::size_t script_bytes = 0;
  std::size_t scripts = 0;
  bool has_password_field = false;
  bool has_challenge = false;  ///< The box of a known captcha.
  bool has_app_root = false;   ///< An empty box that a script is to fill.
  bool has_refresh = false;    ///< <meta http-equiv="refresh">
};

struct Blocks {
  std::string text;
  std::vector<Block> blocks;
  std::vector<Scope> scopes;
  std::vector<TableShape> tables;
  std::string title;
  std::string language;   ///< Of <html lang>.
  std::string canonical;  ///< The address the page gives itself, or empty.
  Signals signals;
  /// Bytes of dropped text, by the role of the box they were in.
  std::array<std::size_t, kRoles> left_out{};

  std::string_view TextOf(const Block& block) const {
    return std::string_view(text).substr(block.begin, block.size());
  }
};

/// How much the words of class and id count.
enum class Trust : std::uint8_t { kWords, kElementsOnly };

/// `html` is UTF-8 and outlives the result.
Blocks ReadBlocks(std::string_view html, Trust trust);

}  // namespace sibyl::page
