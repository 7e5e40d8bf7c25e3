// SPDX-License-Identifier: Apache-2.0
#include "index/vectors/learn_vectors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>

#include "base/parallel.h"
#include "index/mix.h"

namespace sibyl::index {
namespace {

// Tuned by the ranking evaluation; docs/ranking.md has the figures.
constexpr std::size_t kRounds = 5;
constexpr std::size_t kBatch = 256;
constexpr float kRate = 0.5F;
constexpr float kLastRate = 0.2F;  // of kRate, in the last round
constexpr float kWeightRate = 0.2F;
constexpr float kSharpness = 20;       // of the comparison within a batch
constexpr float kFirstWeight = 0.14F;  // for each power of two of rarity
// In every other pair the words that both texts have are left out of the first: what words
// mean is learned from the others.
constexpr std::uint64_t kOneIn = 2;

// Words are updated in this many groups: each is one thread's work, in the order of the batch.
constexpr std::size_t kGroups = 16;
constexpr std::size_t kGrain = 16;

// e to the power of x for x <= 0, with own arithmetic: that of libraries differs in the last
// bits. The error is below 0.3 %.
[[gnu::always_inline]] inline float Exponential(float x) {
  constexpr float kLog2OfE = 1.44269504F;
  constexpr float kLeast = -120;
  const float power = std::fmax(x * kLog2OfE, kLeast);
  const std::int32_t whole = static_cast<std::int32_t>(power) - 1;
  const float rest = power - static_cast<float>(whole);
  const float mantissa = 1 + rest * (0.6565F + 0.3435F * rest);
  const auto exponent = static_cast<std::uint32_t>(whole + 127) << 23U;
  return mantissa * std::bit_cast<float>(exponent);
}

float Uniform(std::uint64_t word, std::uint64_t dimension) {
  constexpr float kScale = 1.0F / (1U << 23U);
  const std::uint64_t bits = Mix(word * kDimensions + dimension, 12345) >> 40U;
  return static_cast<float>(bits) * kScale - 1;
}

struct Text {
  WordBag words;
  Vector sum{};
  Vector slope{};
  float length = 1;
  float slope_square = 0;
};

class Learner {
 public:
  Learner(const LearnedTexts& texts, const LearnOptions& options)
      : texts_(texts),
        options_(options),
        vectors_(texts.words.size()),
        vector_squares_(texts.words.size(), 1e-8F),
        weights_(texts.words.size()),
        weight_squares_(texts.words.size(), 1e-8F),
        ones_(kBatch),
        others_(kBatch),
        nearness_(kBatch * kBatch),
        row_(kBatch),
        column_(kBatch) {
    const float scale = std::sqrt(3.0F / static_cast<float>(kDimensions));
    for (std::size_t i = 0; i < vectors_.size(); ++i) {
      weights_[i] = kFirstWeight * texts.rarity[i];
      for (std::size_t d = 0; d < kDimensions; ++d) vectors_[i][d] = scale * Uniform(i, d);
    }
  }

  bool Learn() {
    std::vector<std::uint32_t> order(texts_.pairs.size());
    std::iota(order.begin(), order.end(), 0U);
    for (std::size_t round = 0; round < kRounds; ++round) {
      for (std::size_t i = order.size(); i > 1; --i) {
        std::swap(order[i - 1], order[Mix(i + round * 7919, 99) % i]);
      }
      rate_ = kRate * (1 - (1 - kLastRate) * static_cast<float>(round) / kRounds);
      for (std::size_t first = 0; first + kBatch <= order.size(); first += kBatch) {
        if (options_.cancelled && options_.cancelled()) return false;
        LearnBatch(std::span<const std::uint32_t>(order).subspan(first, kBatch), round);
      }
    }
    return true;
  }

  std::vector<Vector> Take() {
    for (std::size_t i = 0; i < vectors_.size(); ++i) {
      for (float& number : vectors_[i]) number *= weights_[i];
    }
    return std::move(vectors_);
  }

 private:
  struct Row {
    float greatest = 0;
    float sum = 0;
  };

  template <typename Work>
  void InParallel(std::size_t count, std::size_t grain, const Work& work) const {
    ForEachInParallel(count, {.threads = options_.threads, .grain = grain}, work);
  }

  void LearnBatch(std::span<const std::uint32_t> pairs, std::size_t round) {
    InParallel(kBatch, kGrain, [&](std::size_t i) {
      const TextPair& pair = texts_.pairs[pairs[i]];
      const bool leaves_out = Mix(std::uint64_t{pairs[i]} * kRounds + round, 5) % kOneIn == 0;
      ones_[i].words = leaves_out ? Without(pair.one, pair.other) : pair.one;
      others_[i].words = pair.other;
      SumUp(ones_[i]);
      SumUp(others_[i]);
    });
    InParallel(kBatch, kGrain, [&](std::size_t i) { Compare(i); });
    InParallel(kBatch, kGrain, [&](std::size_t i) { AddColumn(i); });
    InParallel(kBatch, kGrain, [&](std::size_t i) { FindSlopes(i); });
    InParallel(kGroups, 1, [&](std::size_t group) {
      for (std::size_t i = 0; i < kBatch; ++i) {
        Follow(ones_[i], group);
        Follow(others_[i], group);
      }
    });
  }

  static WordBag Without(const WordBag& bag, const WordBag& other) {
    WordBag left;
    std::set_difference(bag.begin(), bag.end(), other.begin(), other.end(),
                        std::back_inserter(left),
                        [](const CountedWord& a, const CountedWord& b) { return a.word < b.word; });
    return left.size() < 2 ? bag : left;
  }

  void SumUp(Text& text) const {
    text.sum.fill(0);
    for (const CountedWord& counted : text.words) {
      AddTo(text.sum.data(), weights_[counted.word] * counted.count(),
            vectors_[counted.word].data());
    }
    text.length = Normalise(text.sum.data());
  }

  // How near a text is to those of the other side.
  void Compare(std::size_t i) {
    float* const near = &nearness_[i * kBatch];
    Row& row = row_[i];
    row = {.greatest = -kSharpness * 2, .sum = 0};
    for (std::size_t j = 0; j < kBatch; ++j) {
      near[j] = kSharpness * Dot(ones_[i].sum.data(), others_[j].sum.data());
      row.greatest = std::fmax(row.greatest, near[j]);
    }
    for (std::size_t j = 0; j < kBatch; ++j) row.sum += Exponential(near[j] - row.greatest);
  }

  void AddColumn(std::size_t j) {
    Row& column = column_[j];
    column = {.greatest = -kSharpness * 2, .sum = 0};
    for (std::size_t i = 0; i < kBatch; ++i) {
      column.greatest = std::fmax(column.greatest, nearness_[i * kBatch + j]);
    }
    for (std::size_t i = 0; i < kBatch; ++i) {
      column.sum += Exponential(nearness_[i * kBatch + j] - column.greatest);
    }
  }

  // Of the loss by the nearness of two texts: too near, but for those of a pair.
  [[gnu::always_inline]] float Slope(std::size_t i, std::size_t j) const {
    const float near = nearness_[i * kBatch + j];
    const float slope = 0.5F * (Exponential(near - row_[i].greatest) / row_[i].sum +
                                Exponential(near - column_[j].greatest) / column_[j].sum);
    return i == j ? slope - 1 : slope;
  }

  void FindSlopes(std::size_t i) {
    constexpr float kNothing = 1e-5F;
    ones_[i].slope.fill(0);
    others_[i].slope.fill(0);
    for (std::size_t j = 0; j < kBatch; ++j) {
      if (const float slope = Slope(i, j); std::fabs(slope) > kNothing) {
        AddTo(ones_[i].slope.data(), slope, others_[j].sum.data());
      }
      if (const float slope = Slope(j, i); std::fabs(slope) > kNothing) {
        AddTo(others_[i].slope.data(), slope, ones_[j].sum.data());
      }
    }
    for (Text* text : {&ones_[i], &others_[i]}) {
      // Only the direction of a text counts.
      AddTo(text->slope.data(), -Dot(text->slope.data(), text->sum.data()), text->sum.data());
      for (float& number : text->slope) number /= text->length;
      text->slope_square = Dot(text->slope.data(), text->slope.data());
    }
  }

  void Follow(const Text& text, std::size_t group) {
    for (const CountedWord& counted : text.words) {
      const std::uint32_t word = counted.word;
      if (word % kGroups != group) continue;
      const float factor = weights_[word] * counted.count();
      const float by_weight = Dot(text.slope.data(), vectors_[word].data()) * counted.count();
      vector_squares_[word] += text.slope_square * factor * factor;
      AddTo(vectors_[word].data(), -rate_ * factor / std::sqrt(vector_squares_[word]),
            text.slope.data());
      weight_squares_[word] += by_weight * by_weight;
      weights_[word] = std::fmax(0.0F, weights_[word] - kWeightRate * rate_ * by_weight /
                                                            std::sqrt(weight_squares_[word]));
    }
  }

  const LearnedTexts& texts_;
  const LearnOptions& options_;
  float rate_ = kRate;
  std::vector<Vector> vectors_;
  std::vector<float> vector_squares_;  // sums, as in AdaGrad
  std::vector<float> weights_;
  std::vector<float> weight_squares_;
  std::vector<Text> ones_;
  std::vector<Text> others_;
  std::vector<float> nearness_;
  std::vector<Row> row_;
  std::vector<Row> column_;
};

}  // namespace

std::vector<Vector> LearnVectors(const LearnedTexts& texts, const LearnOptions& options) {
  if (texts.pairs.size() < kFewestPairs) return {};
  Learner learner(texts, options);
  if (!learner.Learn()) return {};
  return learner.Take();
}

}  // namespace sibyl::index
