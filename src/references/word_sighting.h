// SPDX-License-Identifier: Apache-2.0
// Compares the ordinary words of a claim with the cited lines, where no name
// decides: "the fetch loop" (cpu.rs:120).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/line_span.h"
#include "references/word_index.h"

namespace sibyl::references {

/// Counts of the words that are in few places of the file.
struct WordSighting {
  std::size_t rare = 0;   ///< Anywhere in the file.
  std::size_t there = 0;  ///< In the cited lines or within two of them.
  std::size_t best = 0;   ///< In the place of that size that has most of them.
};

WordSighting LookForWords(const std::vector<std::string>& stems, const WordIndex& index,
                          const LineRange& lines);

}  // namespace sibyl::references
