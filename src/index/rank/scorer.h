// SPDX-License-Identifier: Apache-2.0
// Finds the passages of a segment with the highest sums of weighted impacts. Uses integers
// only: pruning changes the time, not the result.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "index/segment/segment.h"

namespace sibyl::index {

struct ScoredPassage {
  std::uint32_t score = 0;
  std::uint32_t segment = 0;
  std::uint32_t passage = 0;
};

/// Keeps the best passages. Ties are won by the earlier segment, then by the earlier passage,
/// whatever the order of insertion.
class TopPassages {
 public:
  explicit TopPassages(std::size_t limit) : limit_(limit) { heap_.reserve(limit); }

  /// Only a greater score can enter.
  std::uint32_t threshold() const { return threshold_; }
  void Offer(const ScoredPassage& scored);

  /// For callers that know that `limit` passages with at least this score will come.
  void Expect(std::uint32_t score) {
    if (score > threshold_ + 1) threshold_ = score - 1;
  }
  std::size_t limit() const { return limit_; }

  /// Returns the passages, best first, and empties this.
  std::vector<ScoredPassage> Take();

 private:
  void ReplaceFront(const ScoredPassage& scored);

  std::size_t limit_;
  std::uint32_t threshold_ = 0;
  std::vector<ScoredPassage> heap_;
};

struct WeightedPostings {
  TermPostings postings;
  std::uint32_t weight = 0;
};

/// Upper limit for the sum of a query's weights, so that scores fit 16 bits: half the memory
/// for sums, and twice the lanes per comparison.
inline constexpr std::uint32_t kMaxWeightSum = 257;
static_assert(kMaxWeightSum * 255 <= 0xFFFF);
inline constexpr std::size_t kMaxQueryTerms = 64;

struct ScoredSegment {
  const Segment* segment = nullptr;
  std::uint32_t number = 0;
  /// One bit per passage that may be found; empty: all may.
  std::span<const std::uint64_t> allowed;
};

/// Windowed block-max MaxScore, the most promising windows first. Reuses its memory between
/// calls; one per thread.
class Scorer {
 public:
  Scorer();
  ~Scorer();

  void Score(const ScoredSegment& segment, std::span<const WeightedPostings> terms,
             TopPassages& top);

 private:
  class Run;
  struct Cursor;
  static std::uint32_t SureScore(const WeightedPostings& term, std::size_t count);

  static constexpr std::size_t kWindow = 8192;

  std::vector<std::unique_ptr<Cursor>> cursors_;
  struct Sums;
  std::unique_ptr<Sums> sums_;

  // The position of a cursor at the start of a window, and its upper bound there.
  struct Entered {
    std::uint32_t block = 0;
    std::uint32_t position = 0;
    std::uint32_t bound = 0;
  };
  struct Window {
    std::uint32_t bound = 0;  // sum over all cursors
    std::uint32_t number = 0;
  };
  std::vector<Entered> entered_;  // per window, then per cursor
  std::vector<Window> windows_;
  void EnterWindows(std::span<Cursor* const> cursors, std::uint32_t passages);
};

/// Adds up everything; the reference for tests of Scorer.
void ScoreExhaustively(const ScoredSegment& segment, std::span<const WeightedPostings> terms,
                       TopPassages& top);

}  // namespace sibyl::index
