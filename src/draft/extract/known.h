// SPDX-License-Identifier: Apache-2.0
// Step 0: what the oracle already covers. A point that a cited section of
// another file covers is linked, not written again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draft/extract/terms.h"

namespace sibyl::draft {

struct KnowledgeFile {
  std::string path;  ///< In the oracle.
  std::string text;
};

/// Where a knowledge file covers something.
struct KnownPlace {
  std::string path;
  std::string title;
  std::string anchor;
};

/// A section of a knowledge file.
struct KnownSection {
  std::string path;
  std::string title;   ///< Without its number.
  std::string anchor;  ///< Without '#'.
  TermSet heading;     ///< Words of its heading and of those above it.
  TermSet body;
  bool is_cited = false;
};

class KnownSections {
 public:
  KnownSections() = default;

  /// `leave_out` is the path of the file that is about to be written.
  KnownSections(const std::vector<KnowledgeFile>& files, std::string_view leave_out,
                TermReader& reader);

  /// The section that covers the point: its headings name it, its text has its
  /// words, and it is cited. Null if there is none.
  const KnownSection* Covering(const PointTerms& terms) const;

  /// Sections that have the words, best first; for "see also".
  std::vector<const KnownSection*> Near(const PointTerms& terms, std::size_t limit) const;

 private:
  std::vector<KnownSection> sections_;
};

/// `to` as a link in the file `from` writes it; both are paths in the oracle.
std::string RelativeLink(std::string_view from, std::string_view to);

}  // namespace sibyl::draft
