// SPDX-License-Identifier: Apache-2.0
#include "index/builder/word_table.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

namespace sibyl::index {
namespace {

// Growing stops all threads, and memory that the kernel must zero is expensive: better too many
// cells at first than too few. The maximum is enough for a full segment.
constexpr std::size_t kCellsPerDocument = 16;
constexpr std::size_t kFewestCells = std::size_t{1} << 12;
constexpr std::size_t kMostFirstCells = std::size_t{1} << 21;

std::size_t FirstCells(std::size_t documents) {
  const std::size_t most = std::min(documents, kMostFirstCells / kCellsPerDocument);
  return std::max(kFewestCells, std::bit_ceil(kCellsPerDocument * most));
}

// For lines of two cells.
unsigned ShiftFor(std::size_t cells) { return 65 - static_cast<unsigned>(std::countr_zero(cells)); }

}  // namespace

WordTable::WordTable(std::size_t documents)
    : cells_(FirstCells(documents)), shift_(ShiftFor(cells_.size())) {}

WordTable::Cell* WordTable::FindFurther(const WordKey& key, std::uint64_t hash,
                                        std::string_view word) {
  const std::size_t mask = cells_.size() - 1;
  for (std::size_t at = FirstOf(hash);; at = (at + 1) & mask) {
    Cell& cell = cells_[at];
    if (__atomic_load_n(&cell.low_, __ATOMIC_RELAXED) == 0) return nullptr;
    if (Holds(cell, key, word)) return &cell;
  }
}

WordTable::Cell& WordTable::Add(const New& word, Use& use) {
  if (IsFull()) Grow(use);
  std::uint64_t terms = word.terms[0].bits();
  std::uint64_t rest = std::uint64_t{kNever} << 32;
  if (word.word.size() > WordKey::kExactBytes || word.terms.size() > 3) {
    terms |= MakeRecord(word, use);
  } else {
    if (word.terms.size() > 1) terms |= std::uint64_t{word.terms[1].bits()} << 32;
    if (word.terms.size() > 2) rest |= word.terms[2].bits();
  }
  const std::size_t mask = cells_.size() - 1;
  for (std::size_t at = FirstOf(word.hash);; at = (at + 1) & mask) {
    Cell& cell = cells_[at];
    std::uint64_t low = 0;
    if (__atomic_compare_exchange_n(&cell.low_, &low, word.key.low, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
      __atomic_store_n(&cell.high_, word.key.high, __ATOMIC_RELAXED);
      __atomic_store_n(&cell.rest_, rest, __ATOMIC_RELAXED);
      __atomic_store_n(&cell.terms_, terms, __ATOMIC_RELEASE);
      used_.fetch_add(1, std::memory_order_relaxed);
      return cell;
    }
    if (Holds(cell, word.key, word.word)) return cell;
  }
}

std::uint64_t WordTable::MakeRecord(const New& word, Use& use) {
  const std::size_t text = word.word.size() > WordKey::kExactBytes ? word.word.size() : 0;
  const std::size_t bytes = (1 + word.terms.size()) * sizeof(WeightedTerm) + text;
  constexpr std::size_t kUnitBytes = kUnitTerms * sizeof(WeightedTerm);
  const std::size_t units = (bytes + kUnitBytes - 1) / kUnitBytes;
  if (use.used_units_ + units > kChunkUnits) {
    const MutexLock lock(chunk_mutex_);
    // Place 0 is reserved: it means that there is no record.
    use.used_units_ = chunk_memory_.empty() ? 1 : 0;
    use.chunk_number_ = chunk_memory_.size();
    if (use.chunk_number_ == kMaxChunks) std::abort();  // 4 GiB of identifiers
    chunk_memory_.emplace_back(kChunkUnits * kUnitTerms);
    use.chunk_ = chunk_memory_.back().data();
    chunks_[use.chunk_number_].store(use.chunk_, std::memory_order_release);
  }
  WeightedTerm* head = use.chunk_ + use.used_units_ * kUnitTerms;
  *head = WeightedTerm::FromBits(static_cast<std::uint32_t>(word.terms.size() | text << 16));
  std::copy(word.terms.begin(), word.terms.end(), head + 1);
  if (text > 0) {
    void* after = head + 1 + word.terms.size();
    std::memcpy(after, word.word.data(), text);
  }
  const std::uint64_t place = use.chunk_number_ * kChunkUnits + use.used_units_;
  use.used_units_ += units;
  return place << 36;
}

void WordTable::Grow(Use& use) {
  const std::size_t size = cells_.size();
  growers_.fetch_add(1);
  use.lock_.unlock();
  {
    const std::unique_lock alone(growth_);
    if (cells_.size() == size) {
      HugeArray<Cell> old(size * 2);
      std::swap(old, cells_);
      shift_ = ShiftFor(cells_.size());
      const std::size_t mask = cells_.size() - 1;
      for (std::size_t i = 0; i < size; ++i) {
        if (old[i].low_ == 0) continue;
        std::size_t at = FirstOf(WordKey{old[i].low_, old[i].high_}.Hash());
        while (cells_[at].low_ != 0) at = (at + 1) & mask;
        cells_[at] = old[i];
      }
    }
    growers_.fetch_sub(1);
    growers_.notify_all();
  }
  use.lock_.lock();
}

void WordTable::Use::WaitForGrowers() {
  lock_.unlock();
  while (const std::uint32_t growers = table_.growers_.load()) table_.growers_.wait(growers);
  lock_.lock();
}

std::array<std::vector<std::uint64_t>, kPartitions> WordTable::WholeTerms(
    std::uint32_t batch_end, const Vocabulary& vocabulary) {
  std::array<std::vector<std::uint64_t>, kPartitions> is_whole;
  for (std::size_t p = 0; p < kPartitions; ++p) {
    is_whole[p].resize((vocabulary.places(p).size() + 63) / 64);
  }
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const Cell& cell = cells_[i];
    if (cell.low_ == 0 || cell.rest_ >> 32 >= batch_end) continue;
    const WeightedTerm whole = WeightedTerm::FromBits(static_cast<std::uint32_t>(cell.terms_));
    is_whole[whole.partition()][whole.local() / 64] |= std::uint64_t{1} << whole.local() % 64;
  }
  return is_whole;
}

}  // namespace sibyl::index
