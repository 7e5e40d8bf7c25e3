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

#include "index/segment.h"

namespace sibyl::index {

struct ScoredPassage {
  std::uint32_t score = 0;
  std::uint32_t segment = 0;
  std::uint32_t passage = 0;
};

/// Keeps the best. Of equals, the first offered wins; offer segments and
/// passages in ascending order.
class TopPassages {
 public:
  explicit TopPassages(std::size_t limit) : limit_(limit) { heap_.reserve(limit); }

  /// A score that is not greater cannot enter.
  std::uint32_t threshold() const { return threshold_; }
  void Offer(const ScoredPassage& scored);

  /// Best first; empties this.
  std::vector<ScoredPassage> Take();

 private:
  std::size_t limit_;
  std::uint32_t threshold_ = 0;
  std::vector<ScoredPassage> heap_;
};

struct WeightedPostings {
  TermPostings postings;
  std::uint32_t weight = 0;  ///< At most kMaxWeight.
};

/// So that the sum over kMaxQueryTerms terms fits 32 bits.
inline constexpr std::uint32_t kMaxWeight = 1U << 17;
inline constexpr std::size_t kMaxQueryTerms = 64;

struct ScoredSegment {
  const Segment* segment = nullptr;
  std::uint32_t number = 0;
  /// One bit for each passage that may be found; empty: all may.
  std::span<const std::uint64_t> allowed;
};

/// Windowed block-max MaxScore. Reuses its memory from call to call; one for
/// each thread.
class Scorer {
 public:
  Scorer();
  ~Scorer();

  void Score(const ScoredSegment& segment, std::span<const WeightedPostings> terms,
             TopPassages& top);

 private:
  class Run;
  struct Cursor;
  static constexpr std::size_t kWindow = 4096;

  std::vector<std::unique_ptr<Cursor>> cursors_;
  std::unique_ptr<std::array<std::uint32_t, kWindow>> sums_;
  std::array<std::uint64_t, kWindow / 64> touched_{};
};

/// The same by adding up everything: what Scorer is held to by tests.
void ScoreExhaustively(const ScoredSegment& segment, std::span<const WeightedPostings> terms,
                       TopPassages& top);

}  // namespace sibyl::index
