// SPDX-License-Identifier: Apache-2.0
#include "instruction_learn.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "injection/instruction_model.h"

namespace sibyl::bench {
namespace {

using Sentence = std::vector<std::uint32_t>;

struct Window {
  double score = -std::numeric_limits<double>::infinity();
  std::size_t begin = 0;
  std::size_t end = 0;  // of its sentences
};

Window BestWindow(const Learned& learned, const Example& example) {
  std::vector<double> scores;
  scores.reserve(example.sentences.size());
  for (const Sentence& sentence : example.sentences) {
    double score = 0;
    for (const std::uint32_t feature : sentence) score += learned.weights[feature];
    scores.push_back(score);
  }
  Window best;
  for (std::size_t begin = 0; begin < scores.size(); ++begin) {
    double score = learned.bias;
    const std::size_t last = std::min(scores.size(), begin + injection::kInstructionWindow);
    for (std::size_t end = begin; end < last; ++end) {
      score += scores[end];
      if (score > best.score) best = {score, begin, end + 1};
    }
  }
  return best;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t Below(std::uint64_t limit) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return (state_ >> 33U) % limit;
  }

 private:
  std::uint64_t state_;
};

// Follow the regularised leader: sparse weights, each with a rate of its own.
class Learner {
 public:
  Learner(const Lessons& lessons, const Vocabulary& vocabulary, std::uint64_t seed)
      : lessons_(lessons),
        random_(seed),
        sums_(vocabulary.features().size()),
        squares_(sums_.size()),
        is_used_(sums_.size()) {
    learned_.weights.resize(sums_.size());
    ChooseFeatures(vocabulary);
    for (std::size_t i = 0; i < lessons.ordinary.size(); i += kSample) {
      ordinary_.push_back(lessons.ordinary[i]);
    }
  }

  Learned Learn() {
    for (int epoch = 0; epoch < kEpochs; ++epoch) {
      if (epoch == 3 || epoch == 7) AddHardest();
      std::vector<const Example*> order = lessons_.items;
      order.insert(order.end(), ordinary_.begin(), ordinary_.end());
      for (std::size_t i = order.size(); i > 1; --i) {
        std::swap(order[i - 1], order[random_.Below(i)]);
      }
      for (const Example* example : order) See(*example, epoch == 0);
    }
    return std::move(learned_);
  }

 private:
  static constexpr int kEpochs = 12;
  static constexpr double kRate = 0.1;
  static constexpr double kSparse = 0.5;
  static constexpr double kSmall = 1;
  static constexpr std::uint64_t kDropped = 40;     // of 100 features, at random
  static constexpr std::size_t kSample = 16;        // one in so many paragraphs at first
  static constexpr std::size_t kHardest = 150'000;  // added twice
  static constexpr double kInjectionWeight = 3;
  static constexpr double kDisguisedWeight = 1.5;
  static constexpr double kBenignWeight = 4;
  static constexpr double kOrdinaryWeight = 0.5;

  // Those that two items have, and words of injections. A pair of words that somebody used
  // once teaches nothing.
  void ChooseFeatures(const Vocabulary& vocabulary) {
    std::vector<std::uint32_t> injections(is_used_.size());
    std::vector<std::uint32_t> others(is_used_.size());
    for (const Example* item : lessons_.items) {
      is_item_.push_back(item);
      if (item->is_disguised) continue;
      Sentence all;
      for (const Sentence& sentence : item->sentences) {
        all.insert(all.end(), sentence.begin(), sentence.end());
      }
      std::sort(all.begin(), all.end());
      all.erase(std::unique(all.begin(), all.end()), all.end());
      for (const std::uint32_t feature : all) {
        ++(item->is_injection ? injections : others)[feature];
      }
    }
    std::sort(is_item_.begin(), is_item_.end());
    for (std::size_t i = 0; i < is_used_.size(); ++i) {
      const bool is_word = injection::IsWord(vocabulary.features()[i]);
      is_used_[i] = injections[i] > (is_word ? 0U : 1U) || others[i] > 1;
    }
  }

  // The ordinary paragraphs that look most like injections so far.
  void AddHardest() {
    std::vector<std::pair<double, std::size_t>> scores;
    for (std::size_t i = 0; i < lessons_.ordinary.size(); ++i) {
      scores.emplace_back(-BestWindow(learned_, *lessons_.ordinary[i]).score, i);
    }
    const auto end =
        scores.begin() + static_cast<std::ptrdiff_t>(std::min(kHardest, scores.size()));
    std::partial_sort(scores.begin(), end, scores.end());
    std::vector<std::size_t> chosen;
    for (auto at = scores.begin(); at != end; ++at) chosen.push_back(at->second);
    for (std::size_t i = 0; i < lessons_.ordinary.size(); i += kSample) chosen.push_back(i);
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    ordinary_.clear();
    for (const std::size_t i : chosen) ordinary_.push_back(lessons_.ordinary[i]);
  }

  double WeightOf(const Example& example) const {
    if (example.is_injection) return example.is_disguised ? kDisguisedWeight : kInjectionWeight;
    const bool is_item = std::binary_search(is_item_.begin(), is_item_.end(), &example);
    return is_item ? kBenignWeight : kOrdinaryWeight;
  }

  void See(const Example& example, bool is_first) {
    if (example.sentences.empty()) return;
    Window window = BestWindow(learned_, example);
    if (is_first && example.is_injection) {
      // Nothing is known yet of where the injection is; a short text is all of it.
      if (example.sentences.size() > injection::kInstructionWindow) return;
      window = {0, 0, example.sentences.size()};
    }
    // Some features are left out each time, so that none is relied on alone.
    Sentence kept;
    double score = 0;
    for (std::size_t i = window.begin; i < window.end; ++i) {
      for (const std::uint32_t feature : example.sentences[i]) {
        if (random_.Below(100) < kDropped) continue;
        kept.push_back(feature);
        score += learned_.weights[feature];
      }
    }
    score = learned_.bias + score * 100 / static_cast<double>(100 - kDropped);
    const double wanted = example.is_injection ? 1 : 0;
    Step(kept, (1 / (1 + std::exp(-score)) - wanted) * WeightOf(example));
  }

  void Step(const Sentence& features, double gradient) {
    if (std::abs(gradient) < 1e-4) return;
    for (const std::uint32_t feature : features) {
      if (!is_used_[feature]) continue;
      float& weight = learned_.weights[feature];
      Move(sums_[feature], squares_[feature], weight, gradient);
      const double sum = sums_[feature];
      weight = std::abs(sum) <= kSparse
                   ? 0
                   : static_cast<float>(-(sum - std::copysign(kSparse, sum)) /
                                        ((1 + std::sqrt(squares_[feature])) / kRate + kSmall));
    }
    Move(bias_sum_, bias_squares_, learned_.bias, gradient);
    learned_.bias = -bias_sum_ * kRate / (1 + std::sqrt(bias_squares_));
  }

  static void Move(double& sum, double& squares, double weight, double gradient) {
    const double more = squares + gradient * gradient;
    sum += gradient - (std::sqrt(more) - std::sqrt(squares)) / kRate * weight;
    squares = more;
  }

  const Lessons& lessons_;
  Random random_;
  Learned learned_;
  std::vector<double> sums_;
  std::vector<double> squares_;
  double bias_sum_ = 0;
  double bias_squares_ = 0;
  std::vector<bool> is_used_;
  std::vector<const Example*> is_item_;   // in order
  std::vector<const Example*> ordinary_;  // those that are used now
};

}  // namespace

Learned Learn(const Lessons& lessons, const Vocabulary& vocabulary) {
  // The mean of several: each one depends on the order of the examples.
  constexpr std::uint64_t kRuns = 3;
  const std::size_t features = vocabulary.features().size();
  Learned mean{.weights = std::vector<float>(features)};
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    const Learned one = Learner(lessons, vocabulary, 12345 + run).Learn();
    for (std::size_t i = 0; i < features; ++i) mean.weights[i] += one.weights[i] / kRuns;
    mean.bias += one.bias / kRuns;
  }
  return mean;
}

double ScoreOf(const Learned& learned, const Example& example) {
  return example.is_hidden ? std::numeric_limits<double>::infinity()
                           : BestWindow(learned, example).score;
}

}  // namespace sibyl::bench
