// SPDX-License-Identifier: Apache-2.0
// What of a file a model is shown: whole functions, sections and tables where
// they fit, always whole lines, no licence header, and nothing that is
// recognised as a prompt injection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "draft/extract/excerpt.h"
#include "draft/extract/terms.h"
#include "index/rank/searcher.h"

namespace sibyl::draft {

struct WholeLimits {
  std::size_t lines = 160;
  std::size_t bytes = 7'000;
};

/// Makes passages out of the files of gathered ones. Not thread-safe.
class WholeLines {
 public:
  /// Borrows the searcher.
  explicit WholeLines(const index::Searcher& searcher) : searcher_(searcher) {}

  /// The function, section or table around the passage, if that fits; otherwise
  /// its own lines, as many of them as fit, around those that match best.
  Excerpt Unit(const Excerpt& excerpt, const TermSet& wanted, TermReader& reader,
               const WholeLimits& limits = {});

  /// These lines of the passage's file; nothing if it has none of them, or if all
  /// of them are left out.
  std::optional<Excerpt> Lines(const Excerpt& excerpt, std::uint32_t first, std::uint32_t last);

 private:
  const std::string& FileOf(const Excerpt& excerpt);

  const index::Searcher& searcher_;
  std::string blob_;  // of the file that was read last
  std::string text_;
};

/// A few whole lines of the passage, in a row, with most of the wanted terms; the
/// first of them counted from the passage's first line.
struct Glimpse {
  std::size_t first = 0;
  std::string text;
};
Glimpse BestLines(std::string_view text, const TermSet& wanted, TermReader& reader,
                  const WholeLimits& limits);

/// The passage without the licence at its beginning.
Excerpt WithoutLicence(Excerpt excerpt);

}  // namespace sibyl::draft
