// SPDX-License-Identifier: Apache-2.0
// A passage of a pinned source that may be quoted, with its citation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "evidence/citation.h"
#include "evidence/footnote.h"
#include "evidence/lock.h"
#include "index/rank/searcher.h"

namespace sibyl::draft {

/// A passage that may be quoted, with all that a citation of it needs.
struct Excerpt {
  const evidence::Pin* pin = nullptr;  ///< Of the lock.
  std::string path;
  std::string heading;
  std::string language;
  git::ObjectId blob;
  std::uint32_t first_line = 0;
  std::uint32_t last_line = 0;
  index::PassageKind kind = index::PassageKind::kWindow;
  std::string text;  ///< The lines first_line to last_line.
  double support = 0;
  std::size_t characters_before = 0;  ///< In the file; only for pages.
  index::PassageRef passage = {};     ///< Where the index has it; only of gathered passages.

  /// The receipt of some of its lines: characters, if they are of a page.
  evidence::Citation Cite(std::uint32_t first, std::uint32_t last) const;

  /// The footnote of these lines, as written under "## Sources".
  evidence::Footnote Note(std::string id, std::uint32_t first, std::uint32_t last) const;

  /// A link for people; empty if it is not on the web.
  std::string Link(std::uint32_t first, std::uint32_t last) const;
};

}  // namespace sibyl::draft
