// SPDX-License-Identifier: Apache-2.0
// Finds the passages of a segment with the highest sums of weighted impacts.
// Whole numbers throughout: pruning changes the time, never the result.
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

/// Keeps the best. Of equals, those of the first segment win, then those that come
/// first in it, in whatever order they are offered.
class TopPassages {
 public:
  explicit TopPassages(std::size_t limit) : limit_(limit) { heap_.reserve(limit); }

  /// A score that is not greater cannot enter.
  std::uint32_t threshold() const { return threshold_; }
  void Offer(const ScoredPassage& scored);

  /// For who knows that `limit` passages with at least this score are coming.
  void Expect(std::uint32_t score) {
    if (score > threshold_ + 1) threshold_ = score - 1;
  }
  std::size_t limit() const { return limit_; }

  /// Best first; empties this.
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

/// The weights of one query add up to at most this, so that scores fit 16
/// bits: half the memory to add up in and twice the lanes to compare.
inline constexpr std::uint32_t kMaxWeightSum = 257;
static_assert(kMaxWeightSum * 255 <= 0xFFFF);
inline constexpr std::size_t kMaxQueryTerms = 64;

struct ScoredSegment {
  const Segment* segment = nullptr;
  std::uint32_t number = 0;
  /// One bit for each passage that may be found; empty: all may.
  std::span<const std::uint64_t> allowed;
};

/// Windowed block-max MaxScore, the most promising windows first. Reuses its memory from call to
/// call; one for each thread.
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

  // Where a cursor stands at the beginning of a window, and the most it can add
  // there.
  struct Entered {
    std::uint32_t block = 0;
    std::uint32_t position = 0;
    std::uint32_t bound = 0;
  };
  struct Window {
    std::uint32_t bound = 0;  // of all cursors together
    std::uint32_t number = 0;
  };
  std::vector<Entered> entered_;  // of each window, of each cursor
  std::vector<Window> windows_;
  void EnterWindows(std::span<Cursor* const> cursors, std::uint32_t passages);
};

/// The same by adding up everything: what Scorer is held to by tests.
void ScoreExhaustively(const ScoredSegment& segment, std::span<const WeightedPostings> terms,
                       TopPassages& top);

}  // namespace sibyl::index
