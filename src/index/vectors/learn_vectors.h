// SPDX-License-Identifier: Apache-2.0
// Learns one vector and one weight for each word: a text is the sum of its words' vectors, and
// the two texts of a pair shall be nearer to each other than to the other texts of their
// batch. The result is the same with any number of threads.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "index/vectors/learned_texts.h"
#include "index/vectors/vector.h"

namespace sibyl::index {

struct LearnOptions {
  std::size_t threads = 0;  ///< Zero: as many as the machine has.
  std::function<bool()> cancelled = {};
};

/// Fewer pairs give no vectors: nothing could be learned from them.
inline constexpr std::size_t kFewestPairs = 1024;

/// Of every word, its weight included; empty if there are too few pairs, or if cancelled.
std::vector<Vector> LearnVectors(const LearnedTexts& texts, const LearnOptions& options);

}  // namespace sibyl::index
