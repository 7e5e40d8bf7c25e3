// SPDX-License-Identifier: Apache-2.0
#include "index/rank/scorer.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sibyl::index {
namespace {

bool IsAllowed(const ScoredSegment& segment, std::uint32_t passage) {
  if (segment.allowed.empty()) return true;
  const std::size_t word = passage / 64;
  return word < segment.allowed.size() && (segment.allowed[word] >> passage % 64 & 1) != 0;
}

// The heap's front is the next to be dropped: lowest score, then latest.
bool Precedes(const ScoredPassage& a, const ScoredPassage& b) {
  if (a.score != b.score) return a.score > b.score;
  if (a.segment != b.segment) return a.segment < b.segment;
  return a.passage < b.passage;
}

}  // namespace

void TopPassages::Offer(const ScoredPassage& scored) {
  if (scored.score <= threshold_ || limit_ == 0) return;
  if (heap_.size() == limit_) {
    if (!Precedes(scored, heap_.front())) return;
    ReplaceFront(scored);
  } else {
    heap_.push_back(scored);
    std::push_heap(heap_.begin(), heap_.end(), Precedes);
  }
  // A passage with the same score may still come, from an earlier place.
  if (heap_.size() == limit_) threshold_ = std::max(threshold_, heap_.front().score - 1);
}

// Half the cost of removing one and inserting another.
void TopPassages::ReplaceFront(const ScoredPassage& scored) {
  std::size_t at = 0;
  for (std::size_t child = 1; child < heap_.size(); child = 2 * at + 1) {
    if (child + 1 < heap_.size() && Precedes(heap_[child], heap_[child + 1])) ++child;
    if (!Precedes(scored, heap_[child])) break;
    heap_[at] = heap_[child];
    at = child;
  }
  heap_[at] = scored;
}

std::vector<ScoredPassage> TopPassages::Take() {
  std::sort(heap_.begin(), heap_.end(), Precedes);
  threshold_ = 0;
  return std::exchange(heap_, {});
}

/// A position in one term's list.
struct Scorer::Cursor {
  PostingListView list;
  std::uint32_t weight = 0;
  std::size_t blocks = 0;
  std::size_t block = 0;    // the first that may reach into the window
  std::uint32_t bound = 0;  // the most it can add in the window
  // A list of one block, as most are, is decoded at once and has exact bounds.
  bool is_short = false;
  std::uint32_t position = 0;  // in a short list: the first posting of the window
  std::uint32_t sought = 0;    // in the decoded block: the position of the last search
  std::size_t decoded_block = 0;
  PostingBlock decoded;
  std::uint8_t single_impact = 0;

  void Start(const WeightedPostings& term) {
    list = term.postings.list;
    weight = term.weight;
    blocks = std::max<std::size_t>(1, list.block_count());
    block = 0;
    position = 0;
    sought = 0;
    is_short = blocks == 1;
    decoded_block = is_short ? 0 : blocks;
    if (list.block_count() == 1) {
      list.Decode(0, decoded);
    } else if (list.block_count() == 0) {
      single_impact = term.postings.impact;
      decoded.passages[0] = term.postings.passage;
      decoded.impacts = &single_impact;
      decoded.size = 1;
      decoded.ascends = true;
    }
  }

  std::uint32_t LastPassage(std::size_t at) const { return is_short ? ~0U : list.last_passage(at); }
  std::uint32_t MaxScore(std::size_t at) const {
    return is_short ? bound : weight * list.max_impact(at);
  }
  bool BeginsBeyond(std::size_t at, std::uint32_t end) const {
    return at > 0 && list.last_passage(at - 1) >= end - 1;
  }

  const PostingBlock& Decoded(std::size_t at) {
    if (decoded_block != at) {
      list.Decode(at, decoded);
      decoded_block = at;
      sought = 0;
    }
    return decoded;
  }

  // The list's contribution to a passage of block `at`. Passages come in ascending order, so a
  // short scan from the last one finds the next.
  std::uint32_t ScoreOf(std::size_t at, std::uint32_t passage) {
    const PostingBlock& here = Decoded(at);
    const std::uint32_t i = here.SeekFrom(sought, passage);
    sought = i;
    return i < here.size && here.passages[i] == passage ? weight * here.impacts[i] : 0;
  }

  void Return(const Entered& entered) {
    block = entered.block;
    position = entered.position;
    bound = entered.bound;
    sought = is_short ? position : 0;
  }

  // Moves to the window and computes its bound.
  void EnterWindow(std::uint32_t begin, std::uint32_t end) {
    bound = 0;
    if (is_short) {
      while (position < decoded.size && decoded.passages[position] < begin) ++position;
      for (std::uint32_t i = position; i < decoded.size && decoded.passages[i] < end; ++i) {
        bound = std::max(bound, weight * decoded.impacts[i]);
      }
      return;
    }
    block = list.SeekBlock(block, begin);
    for (std::size_t at = block; at < blocks && !BeginsBeyond(at, end); ++at) {
      bound = std::max(bound, weight * list.max_impact(at));
    }
  }
};

/// The sums of the passages of a window, in groups; one byte per group tells whether anything
/// was added.
struct Scorer::Sums {
  static constexpr std::size_t kTaken = 64;  // handled together
  static constexpr std::size_t kGroups = kWindow / kTaken;

  alignas(64) std::array<std::uint16_t, kWindow> values{};
  alignas(64) std::array<std::uint8_t, kGroups> is_touched{};

  /// Calls `cutoff_of` for each kTaken places with a nonzero sum and `visit` for each passage
  /// above the cutoff, in order; then clears everything.
  template <typename CutoffOf, typename Visit>
  void Drain(const CutoffOf& cutoff_of, const Visit& visit) {
    for (std::size_t eight = 0; eight < kGroups; eight += 8) {
      std::uint64_t touched = 0;
      std::memcpy(&touched, is_touched.data() + eight, sizeof(touched));
      for (; touched != 0; touched &= touched - 1) {
        const std::size_t group = eight + static_cast<std::size_t>(std::countr_zero(touched)) / 8;
        TakeGroup(group * kTaken, cutoff_of(group * kTaken), visit);
      }
    }
    is_touched.fill(0);
  }

  template <typename Visit>
  void TakeGroup(std::size_t first, std::uint16_t cutoff, const Visit& visit) {
    for (std::uint64_t above = take_above(values.data() + first, cutoff); above != 0;
         above &= above - 1) {
      const std::size_t at = first + static_cast<std::size_t>(std::countr_zero(above));
      visit(at, values[at]);
      values[at] = 0;
    }
  }

  /// Returns one bit per sum above `cutoff`; clears the others.
  using TakeAbove = std::uint64_t (*)(std::uint16_t* group, std::uint16_t cutoff);
  TakeAbove take_above = ChooseTakeAbove();

  static std::uint64_t TakeAbovePortably(std::uint16_t* group, std::uint16_t cutoff) {
    std::uint64_t above = 0;
    for (std::size_t i = 0; i < kTaken; ++i) {
      above |= std::uint64_t{group[i] > cutoff} << i;
      group[i] = group[i] > cutoff ? group[i] : std::uint16_t{0};
    }
    return above;
  }

#if defined(__x86_64__)
  __attribute__((target("avx2"))) static std::uint64_t TakeAboveAvx2(std::uint16_t* group,
                                                                     std::uint16_t cutoff) {
    std::uint64_t above = 0;
    const __m256i zero = _mm256_setzero_si256();
    const __m256i least = _mm256_set1_epi16(static_cast<short>(cutoff));
    for (std::size_t i = 0; i < kTaken; i += 32) {
      auto* low = reinterpret_cast<__m256i*>(group + i);
      // All ones where a saturating subtraction leaves nothing.
      const __m256i low_out = _mm256_cmpeq_epi16(_mm256_subs_epu16(low[0], least), zero);
      const __m256i high_out = _mm256_cmpeq_epi16(_mm256_subs_epu16(low[1], least), zero);
      low[0] = _mm256_andnot_si256(low_out, low[0]);
      low[1] = _mm256_andnot_si256(high_out, low[1]);
      // Packing works on 128-bit halves, so the middle quarters must be swapped.
      const __m256i out =
          _mm256_permute4x64_epi64(_mm256_packs_epi16(low_out, high_out), 0b11011000);
      above |= std::uint64_t{~static_cast<std::uint32_t>(_mm256_movemask_epi8(out))} << i;
    }
    return above;
  }
#endif

  static TakeAbove ChooseTakeAbove() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") != 0) return TakeAboveAvx2;
#endif
    return TakeAbovePortably;
  }
};

Scorer::Scorer() : sums_(std::make_unique<Sums>()) {}
Scorer::~Scorer() = default;

/// One query over one segment.
class Scorer::Run {
 public:
  Run(Scorer& scorer, const ScoredSegment& segment, std::span<Cursor*> cursors, TopPassages& top)
      : sums_(*scorer.sums_), segment_(segment), cursors_(cursors), top_(top) {}

  // The cursors are at the start of the window; `total` is the sum of their bounds.
  void ScoreWindow(std::uint32_t begin, std::uint32_t end, std::uint32_t total) {
    begin_ = begin;
    end_ = end;
    std::sort(cursors_.begin(), cursors_.end(),
              [](const Cursor* a, const Cursor* b) { return a->bound < b->bound; });
    // Terms whose bounds together do not exceed the threshold are not read in full; they are
    // only looked up for passages that other terms found.
    std::size_t first_essential = 0;
    std::uint32_t others = 0;
    while (others + cursors_[first_essential]->bound <= top_.threshold()) {
      others += cursors_[first_essential++]->bound;
    }
    for (std::size_t i = first_essential; i < cursors_.size(); ++i) {
      AddWindow(*cursors_[i], total - cursors_[i]->bound);
    }
    OfferSums(first_essential, others);
  }

 private:
  // `rest` is the upper bound of all other terms.
  void AddWindow(Cursor& cursor, std::uint32_t rest) {
    if (cursor.bound == 0) return;
    if (cursor.is_short) return AddBlock(cursor.decoded, cursor.position, cursor.weight);
    for (std::size_t at = cursor.block; at < cursor.blocks && !cursor.BeginsBeyond(at, end_);
         ++at) {
      if (cursor.MaxScore(at) + rest <= top_.threshold()) continue;
      AddBlock(cursor.Decoded(at), 0, cursor.weight);
    }
  }

  void AddBlock(const PostingBlock& block, std::uint32_t first, std::uint32_t weight) {
    if (IsDense(block)) return AddDenseBlock(block, weight);
    const std::uint32_t width = end_ - begin_;
    std::uint16_t* const values = sums_.values.data();
    std::uint8_t* const is_touched = sums_.is_touched.data();
    if (block.ascends) {
      // Most blocks cross a window boundary; postings outside the window are skipped.
      if (first == 0 && block.passages[0] < begin_) first = block.Seek(begin_);
      const bool is_within = block.passages[block.size - 1] < end_;
      const std::uint32_t last = is_within ? block.size : block.Seek(end_);
      for (std::uint32_t i = first; i < last; ++i) {
        const std::uint32_t at = block.passages[i] - begin_;
        values[at] = static_cast<std::uint16_t>(values[at] + weight * block.impacts[i]);
        is_touched[at / Sums::kTaken] = 1;
      }
    } else {
      // Damaged bytes can produce passages outside the window.
      for (std::uint32_t i = first; i < block.size; ++i) {
        const std::uint32_t at = block.passages[i] - begin_;
        if (at >= width) continue;
        values[at] = static_cast<std::uint16_t>(values[at] + weight * block.impacts[i]);
        is_touched[at / Sums::kTaken] = 1;
      }
    }
  }

  // Whether the block is inside the window and in few groups: then scanning all groups between
  // is cheaper than marking those touched.
  bool IsDense(const PostingBlock& block) const {
    constexpr std::uint32_t kFewGroups = 24;
    if (!block.ascends || block.passages[0] < begin_) return false;
    const std::uint32_t last = block.passages[block.size - 1];
    return last < end_ && last - block.passages[0] < kFewGroups * Sums::kTaken;
  }

  void AddDenseBlock(const PostingBlock& block, std::uint32_t weight) {
    std::uint16_t* const values = sums_.values.data();
    for (std::uint32_t i = 0; i < block.size; ++i) {
      std::uint16_t& value = values[block.passages[i] - begin_];
      value = static_cast<std::uint16_t>(value + weight * block.impacts[i]);
    }
    const std::size_t low = (block.passages[0] - begin_) / Sums::kTaken;
    const std::size_t high = (block.passages[block.size - 1] - begin_) / Sums::kTaken;
    std::memset(sums_.is_touched.data() + low, 1, high - low + 1);
  }

  void OfferSums(std::size_t first_essential, std::uint32_t others) {
    for (std::size_t i = 0; i < first_essential; ++i) asked_[i] = {};
    asked_end_ = first_essential == 0 ? end_ : begin_;
    asked_bound_ = 0;
    // Where single blocks of the other terms cover all places checked, use the bounds of the
    // blocks, which are lower than those of the window.
    const auto cutoff_of = [&](std::size_t at) {
      const std::uint32_t passage = begin_ + static_cast<std::uint32_t>(at);
      if (passage >= asked_end_) AskAll(first_essential, passage);
      const std::uint32_t bound = asked_end_ - passage >= Sums::kTaken ? asked_bound_ : others;
      const std::uint32_t threshold = top_.threshold();
      return static_cast<std::uint16_t>(threshold > bound ? threshold - bound : 0);
    };
    sums_.Drain(cutoff_of, [&](std::size_t at, std::uint32_t sum) {
      Complete(begin_ + static_cast<std::uint32_t>(at), sum, first_essential);
    });
  }

  void Complete(std::uint32_t passage, std::uint32_t sum, std::size_t count) {
    // Try the bounds of single blocks first; they need no decoding.
    if (passage >= asked_end_) AskAll(count, passage);
    std::uint32_t others = asked_bound_;
    while (count > 0) {
      if (sum + others <= top_.threshold()) return;
      --count;
      others -= asked_[count].bound;
      if (asked_[count].bound > 0) {
        sum += cursors_[count]->ScoreOf(cursors_[count]->block, passage);
      }
    }
    if (sum > top_.threshold() && IsAllowed(segment_, passage)) {
      top_.Offer({.score = sum, .segment = segment_.number, .passage = passage});
    }
  }

  void AskAll(std::size_t count, std::uint32_t passage) {
    asked_end_ = end_;
    asked_bound_ = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (asked_[i].end <= passage) AskAbout(i, passage);
      asked_end_ = std::min(asked_end_, asked_[i].end);
      asked_bound_ += asked_[i].bound;
    }
  }

  void AskAbout(std::size_t i, std::uint32_t passage) {
    Cursor& cursor = *cursors_[i];
    if (cursor.is_short) {
      asked_[i] = {.end = end_, .bound = cursor.bound};
      return;
    }
    cursor.block = cursor.list.SeekBlock(cursor.block, passage);
    const bool is_over = cursor.block >= cursor.blocks;
    asked_[i] = {.end = is_over ? end_ : cursor.LastPassage(cursor.block) + 1,
                 .bound = is_over ? 0 : cursor.MaxScore(cursor.block)};
  }

  // The upper bound of a looked-up term for passages before `end`, where its block ends.
  struct Asked {
    std::uint32_t end = 0;
    std::uint32_t bound = 0;
  };

  Sums& sums_;
  const ScoredSegment& segment_;
  std::span<Cursor*> cursors_;
  std::array<Asked, kMaxQueryTerms> asked_;
  std::uint32_t asked_end_ = 0;    // up to where all bounds hold
  std::uint32_t asked_bound_ = 0;  // sum of all bounds
  TopPassages& top_;
  std::uint32_t begin_ = 0;
  std::uint32_t end_ = 0;
};

// A score that at least `count` passages reach by this term alone. Any such bound is valid, and
// a high one early saves reading most of the other lists. Uses the greatest impact of each
// block and, if there are few blocks, all impacts of the first ones.
std::uint32_t Scorer::SureScore(const WeightedPostings& term, std::size_t count) {
  constexpr std::size_t kFirstBlocks = 4;  // blocks
  const PostingListView& list = term.postings.list;
  if (list.count() < count) return 0;
  std::array<std::uint16_t, 256> with_impact{};
  const std::size_t first_blocks =
      list.block_count() >= count ? 0 : std::min(kFirstBlocks, list.block_count());
  for (std::size_t at = 0; at < first_blocks; ++at) {
    for (const std::uint8_t impact : list.impacts(at)) ++with_impact[impact];
  }
  constexpr std::size_t kMostBlocks = 30'000;  // so that counts fit
  for (std::size_t at = first_blocks; at < std::min(kMostBlocks, list.block_count()); ++at) {
    ++with_impact[list.max_impact(at)];
  }
  std::size_t seen = 0;
  for (std::uint32_t impact = 255; impact > 0; --impact) {
    seen += with_impact[impact];
    if (seen >= count) return term.weight * impact;
  }
  return 0;
}

void Scorer::Score(const ScoredSegment& segment, std::span<const WeightedPostings> terms,
                   TopPassages& top) {
  std::array<Cursor*, kMaxQueryTerms> pointers{};
  std::size_t count = 0;
  for (const WeightedPostings& term : terms.first(std::min(terms.size(), kMaxQueryTerms))) {
    if (term.postings.passage_count == 0 || term.weight == 0) continue;
    if (cursors_.size() == count) cursors_.push_back(std::make_unique<Cursor>());
    cursors_[count]->Start(term);
    pointers[count] = cursors_[count].get();
    ++count;
  }
  if (count == 0) return;
  if (segment.allowed.empty()) {
    for (const WeightedPostings& term : terms) top.Expect(SureScore(term, top.limit()));
  }
  const auto passages = static_cast<std::uint32_t>(segment.segment->passage_count());
  EnterWindows(std::span(pointers).first(count), passages);
  Run run(*this, segment, std::span(pointers).first(count), top);
  for (const Window& window : windows_) {
    if (window.bound <= top.threshold()) return;
    for (std::size_t i = 0; i < count; ++i) {
      cursors_[i]->Return(entered_[window.number * count + i]);
    }
    const std::uint32_t begin = window.number * static_cast<std::uint32_t>(kWindow);
    run.ScoreWindow(begin, std::min<std::uint32_t>(passages, begin + kWindow), window.bound);
  }
}

// Sources are stored one after the other and words cluster, so the windows with the highest
// bounds soon raise the threshold.
void Scorer::EnterWindows(std::span<Cursor* const> cursors, std::uint32_t passages) {
  entered_.clear();
  windows_.clear();
  for (std::uint32_t begin = 0; begin < passages; begin += kWindow) {
    Window window{.bound = 0, .number = begin / static_cast<std::uint32_t>(kWindow)};
    for (Cursor* cursor : cursors) {
      cursor->EnterWindow(begin, std::min<std::uint32_t>(passages, begin + kWindow));
      window.bound += cursor->bound;
      entered_.push_back({.block = static_cast<std::uint32_t>(cursor->block),
                          .position = cursor->position,
                          .bound = cursor->bound});
    }
    if (window.bound > 0) windows_.push_back(window);
  }
  std::sort(windows_.begin(), windows_.end(), [](const Window& a, const Window& b) {
    return a.bound != b.bound ? a.bound > b.bound : a.number < b.number;
  });
}

void ScoreExhaustively(const ScoredSegment& segment, std::span<const WeightedPostings> terms,
                       TopPassages& top) {
  std::vector<std::uint32_t> sums(segment.segment->passage_count());
  const auto add = [&](std::uint32_t passage, std::uint32_t score) {
    if (passage < sums.size()) sums[passage] += score;
  };
  PostingBlock block;
  for (const WeightedPostings& term : terms.first(std::min(terms.size(), kMaxQueryTerms))) {
    const TermPostings& postings = term.postings;
    if (postings.passage_count == 0) continue;
    if (postings.list.block_count() == 0) add(postings.passage, term.weight * postings.impact);
    for (std::size_t at = 0; at < postings.list.block_count(); ++at) {
      postings.list.Decode(at, block);
      for (std::uint32_t i = 0; i < block.size; ++i) {
        add(block.passages[i], term.weight * block.impacts[i]);
      }
    }
  }
  for (std::uint32_t passage = 0; passage < sums.size(); ++passage) {
    if (!IsAllowed(segment, passage)) continue;
    top.Offer({.score = sums[passage], .segment = segment.number, .passage = passage});
  }
}

}  // namespace sibyl::index
