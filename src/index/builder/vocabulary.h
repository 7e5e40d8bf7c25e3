// SPDX-License-Identifier: Apache-2.0
// The terms met so far in a build, shared by all its threads. Cut into
// partitions that are ranges in byte order, so that each can be sorted and
// inverted on its own and the results stand one after the other.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "base/mutex.h"
#include "index/builder/huge_array.h"

namespace sibyl::index {

inline constexpr std::size_t kPartitions = 16;

/// Which partition a term in lower case belongs to; never decreases with the
/// term.
std::size_t PartitionOf(std::string_view term);

struct TermId {
  std::uint32_t partition = 0;
  std::uint32_t local = 0;  ///< In the order of arrival, which no result depends on.
};

class Vocabulary {
 public:
  /// What fits the 24 bits of a posting word. A segment ends long before; only
  /// batches that are still on their way could bring more.
  static constexpr std::uint32_t kMaxTerms = (1U << 24) - 1;

  /// For the terms of about so many documents; it grows when there are more.
  explicit Vocabulary(std::size_t documents);

  /// A term to be interned, and where to look for it.
  struct Wanted {
    explicit Wanted(std::string_view term);
    std::string_view text_view;
    std::uint32_t partition = 0;
    std::uint32_t hash = 0;
  };

  /// Fetches what Intern will look at first, if that is still where it was.
  void Prefetch(const Wanted& wanted) const {
    const Shard& shard = shards_[wanted.partition];
    const Slot* slots = shard.fetched_slots.load(std::memory_order_relaxed);
    if (slots == nullptr) return;
    __builtin_prefetch(slots + (wanted.hash & shard.fetched_mask.load(std::memory_order_relaxed)));
  }

  /// Finds or adds a term. Safe from many threads. Beyond kMaxTerms all terms
  /// are one, and is_overfull.
  TermId Intern(const Wanted& wanted);

  /// When nobody interns any more. The text of a term is found by its place, and
  /// the places by the terms' numbers.
  std::span<const std::uint32_t> places(std::size_t partition) const {
    return {shards_[partition].places.data(), shards_[partition].places.size()};
  }
  std::string_view text(std::size_t partition, std::uint32_t place) const {
    const char* record = shards_[partition].bytes.data() + place;
    return {record + kHeadBytes, static_cast<unsigned char>(record[0])};
  }
  void Prefetch(std::size_t partition, std::uint32_t place) const {
    __builtin_prefetch(shards_[partition].bytes.data() + place);
  }
  bool is_overfull() const;

  /// What only Intern needs.
  void FreeTables();
  void Free(std::size_t partition);

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t place = 0;  // of the term's record, plus one
  };
  // A lock for each partition: threads come here only for words that none of
  // them has seen before, so that they seldom meet.
  struct alignas(64) Shard {
    Mutex mutex;
    HugeList<char> bytes;  // for each term its length, its number, its text
    HugeList<std::uint32_t> places;
    std::span<Slot> slots;
    HugeArray<Slot> own_slots;  // where they are after growing
    // For who has no lock and only fetches ahead.
    std::atomic<const Slot*> fetched_slots = nullptr;
    std::atomic<std::size_t> fetched_mask = 0;
    bool is_overfull = false;
  };
  static constexpr std::size_t kHeadBytes = 1 + sizeof(std::uint32_t);

  static void Grow(Shard& shard);
  static void Publish(Shard& shard);
  static std::uint32_t Add(Shard& shard, std::string_view term);

  HugeArray<Slot> first_slots_;  // of all shards, so that they fill whole huge pages
  std::array<Shard, kPartitions> shards_;
};

}  // namespace sibyl::index
