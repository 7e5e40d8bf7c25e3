// SPDX-License-Identifier: Apache-2.0
// Finds word boundaries. A word is a run of ASCII letters, digits, underscores and non-ASCII
// bytes. Building, ranking and exact search share this definition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/whole_word.h"

namespace sibyl::index {

/// Finds words in texts shorter than 4 GiB, without allocating for each text.
class WordScanner {
 public:
  /// The begin and end of every word, alternating; valid until the next call. Uses AVX2 where
  /// the processor has it.
  std::span<const std::uint32_t> Scan(std::string_view text);

 private:
  std::vector<std::uint32_t> edges_;  // never shrinks: clearing it would cost more than scanning
};

/// The same, byte by byte; a test compares the two.
std::vector<std::uint32_t> FindWordEdgesPortably(std::string_view text);

}  // namespace sibyl::index
