// SPDX-License-Identifier: Apache-2.0
// Learns the weights of the recogniser of prompt injections: logistic regression over
// the features of sentences, where a text is judged by the best of its windows of up
// to three sentences. Deterministic.
#pragma once

#include <cstddef>
#include <vector>

#include "instruction_corpus.h"

namespace sibyl::bench {

struct Learned {
  std::vector<float> weights;  ///< By index of the vocabulary; most are zero.
  double bias = 0;
};

/// What to learn from. All examples outlive it.
struct Lessons {
  std::vector<const Example*> items;
  std::vector<const Example*> ordinary;
};

Learned Learn(const Lessons& lessons, const Vocabulary& vocabulary);

/// Of the best window.
double ScoreOf(const Learned& learned, const Example& example);

}  // namespace sibyl::bench
