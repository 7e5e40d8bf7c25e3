// SPDX-License-Identifier: Apache-2.0
#include "index/scorer.h"

#include <algorithm>
#include <bit>

namespace sibyl::index {
namespace {

bool IsAllowed(const ScoredSegment& segment, std::uint32_t passage) {
  if (segment.allowed.empty()) return true;
  const std::size_t word = passage / 64;
  return word < segment.allowed.size() && (segment.allowed[word] >> passage % 64 & 1) != 0;
}

// The heap's front is the one to lose next: lowest score, then latest.
bool Precedes(const ScoredPassage& a, const ScoredPassage& b) {
  if (a.score != b.score) return a.score > b.score;
  if (a.segment != b.segment) return a.segment < b.segment;
  return a.passage < b.passage;
}

}  // namespace

void TopPassages::Offer(const ScoredPassage& scored) {
  if (scored.score <= threshold_ || limit_ == 0) return;
  if (heap_.size() == limit_) {
    std::pop_heap(heap_.begin(), heap_.end(), Precedes);
    heap_.back() = scored;
  } else {
    heap_.push_back(scored);
  }
  std::push_heap(heap_.begin(), heap_.end(), Precedes);
  if (heap_.size() == limit_) threshold_ = heap_.front().score;
}

std::vector<ScoredPassage> TopPassages::Take() {
  std::sort(heap_.begin(), heap_.end(), Precedes);
  threshold_ = 0;
  return std::exchange(heap_, {});
}

/// A place in one term's list.
struct Scorer::Cursor {
  PostingListView list;
  std::uint32_t weight = 0;
  std::size_t blocks = 0;
  std::size_t block = 0;    // the first that may reach into the window
  std::uint32_t bound = 0;  // the most it can add in the window
  // A list of one block, as most are, is decoded at once and has exact bounds.
  bool is_short = false;
  std::uint32_t position = 0;  // in a short list: the first posting of the window
  std::size_t decoded_block = 0;
  PostingBlock decoded;
  std::uint8_t single_impact = 0;

  void Start(const WeightedPostings& term) {
    list = term.postings.list;
    weight = term.weight;
    blocks = std::max<std::size_t>(1, list.block_count());
    block = 0;
    position = 0;
    is_short = blocks == 1;
    decoded_block = is_short ? 0 : blocks;
    if (list.block_count() == 1) {
      list.Decode(0, decoded);
    } else if (list.block_count() == 0) {
      single_impact = term.postings.impact;
      decoded.passages[0] = term.postings.passage;
      decoded.impacts = &single_impact;
      decoded.size = 1;
    }
  }

  std::uint32_t LastPassage(std::size_t at) const {
    return is_short ? ~0U : list.last_passage(at);
  }
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
    }
    return decoded;
  }

  // Moves to the window and finds its bound.
  void EnterWindow(std::uint32_t begin, std::uint32_t end) {
    bound = 0;
    if (is_short) {
      while (position < decoded.size && decoded.passages[position] < begin) ++position;
      for (std::uint32_t i = position; i < decoded.size && decoded.passages[i] < end; ++i) {
        bound = std::max(bound, weight * decoded.impacts[i]);
      }
      return;
    }
    while (block < blocks && list.last_passage(block) < begin) ++block;
    for (std::size_t at = block; at < blocks && !BeginsBeyond(at, end); ++at) {
      bound = std::max(bound, weight * list.max_impact(at));
    }
  }
};

Scorer::Scorer() : sums_(std::make_unique<std::array<std::uint32_t, kWindow>>()) {}
Scorer::~Scorer() = default;

/// One query over one segment.
class Scorer::Run {
 public:
  Run(Scorer& scorer, const ScoredSegment& segment, std::span<Cursor*> cursors, TopPassages& top)
      : sums_(*scorer.sums_),
        touched_(scorer.touched_),
        segment_(segment),
        cursors_(cursors),
        top_(top) {}

  void ScoreWindow(std::uint32_t begin, std::uint32_t end) {
    begin_ = begin;
    end_ = end;
    std::uint32_t total = 0;
    for (Cursor* cursor : cursors_) {
      cursor->EnterWindow(begin, end);
      total += cursor->bound;
    }
    if (total <= top_.threshold()) return;
    std::sort(cursors_.begin(), cursors_.end(),
              [](const Cursor* a, const Cursor* b) { return a->bound < b->bound; });
    // Terms that together cannot lift a passage over the threshold need not be
    // read by themselves; they are asked about passages the others found.
    std::size_t first_essential = 0;
    std::uint32_t others = 0;
    while (others + cursors_[first_essential]->bound <= top_.threshold()) {
      others += cursors_[first_essential++]->bound;
    }
    for (std::size_t i = first_essential; i < cursors_.size(); ++i) {
      AddWindow(*cursors_[i], total - cursors_[i]->bound);
    }
    OfferTouched(first_essential, others);
  }

 private:
  // `rest` is what all other terms can add.
  void AddWindow(Cursor& cursor, std::uint32_t rest) {
    if (cursor.bound == 0) return;
    if (cursor.is_short) return AddBlock(cursor.decoded, cursor.position, cursor.weight);
    for (std::size_t at = cursor.block; at < cursor.blocks && !cursor.BeginsBeyond(at, end_); ++at) {
      if (cursor.MaxScore(at) + rest <= top_.threshold()) continue;
      AddBlock(cursor.Decoded(at), 0, cursor.weight);
    }
  }

  void AddBlock(const PostingBlock& block, std::uint32_t first, std::uint32_t weight) {
    const std::uint32_t width = end_ - begin_;
    for (std::uint32_t i = first; i < block.size; ++i) {
      // Also the guard against passages that damaged bytes made up.
      const std::uint32_t at = block.passages[i] - begin_;
      if (at >= width) continue;
      sums_[at] += weight * block.impacts[i];
      touched_[at / 64] |= std::uint64_t{1} << at % 64;
    }
  }

  void OfferTouched(std::size_t first_essential, std::uint32_t others) {
    for (std::size_t word = 0; word < touched_.size(); ++word) {
      for (std::uint64_t left = touched_[word]; left != 0; left &= left - 1) {
        const std::size_t at = word * 64 + static_cast<std::size_t>(std::countr_zero(left));
        const std::uint32_t sum = std::exchange(sums_[at], 0);
        if (sum + others > top_.threshold()) {
          Complete(begin_ + static_cast<std::uint32_t>(at), sum, first_essential, others);
        }
      }
      touched_[word] = 0;
    }
  }

  void Complete(std::uint32_t passage, std::uint32_t sum, std::size_t count,
                std::uint32_t others) {
    while (count > 0) {
      Cursor& cursor = *cursors_[--count];
      others -= cursor.bound;
      sum += ScoreOf(cursor, passage, sum + others);
      if (sum + others <= top_.threshold()) return;
    }
    if (IsAllowed(segment_, passage)) {
      top_.Offer({.score = sum, .segment = segment_.number, .passage = passage});
    }
  }

  // What `cursor` adds to a passage that has `sure` besides; 0 too if that
  // cannot matter.
  std::uint32_t ScoreOf(Cursor& cursor, std::uint32_t passage, std::uint32_t sure) {
    std::size_t& at = cursor.block;
    while (at < cursor.blocks && cursor.LastPassage(at) < passage) ++at;
    if (at == cursor.blocks) return 0;
    if (cursor.MaxScore(at) + sure <= top_.threshold()) return 0;
    const PostingBlock& block = cursor.Decoded(at);
    const auto* end = block.passages.data() + block.size;
    const auto* found = std::lower_bound(block.passages.data(), end, passage);
    if (found == end || *found != passage) return 0;
    return cursor.weight * block.impacts[found - block.passages.data()];
  }

  std::array<std::uint32_t, kWindow>& sums_;
  std::array<std::uint64_t, kWindow / 64>& touched_;
  const ScoredSegment& segment_;
  std::span<Cursor*> cursors_;
  TopPassages& top_;
  std::uint32_t begin_ = 0;
  std::uint32_t end_ = 0;
};

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
  Run run(*this, segment, std::span(pointers).first(count), top);
  const auto passages = static_cast<std::uint32_t>(segment.segment->passage_count());
  for (std::uint32_t begin = 0; begin < passages; begin += kWindow) {
    run.ScoreWindow(begin, std::min<std::uint32_t>(passages, begin + kWindow));
  }
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
