// SPDX-License-Identifier: Apache-2.0
// The terms found so far in a build, shared by all its threads. Partitions are ranges in byte
// order, so that each can be sorted and inverted separately and the results can be
// concatenated.
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

/// The partition of a lower-case term; monotonic in byte order.
std::size_t PartitionOf(std::string_view term);

struct TermId {
  std::uint32_t partition = 0;
  std::uint32_t local = 0;  ///< In order of arrival; no result depends on it.
};

class Vocabulary {
 public:
  /// Limit of the 24 bits of a posting. A segment ends long before; only batches in progress
  /// could exceed it.
  static constexpr std::uint32_t kMaxTerms = (1U << 24) - 1;

  /// Sized for about `documents` documents; grows if there are more.
  explicit Vocabulary(std::size_t documents);

  /// A term to intern, with its partition and hash.
  struct Wanted {
    explicit Wanted(std::string_view term);
    std::string_view text_view;
    std::uint32_t partition = 0;
    std::uint32_t hash = 0;
  };

  /// Prefetches the slot that Intern reads first. The slot may be stale if the table has grown.
  void Prefetch(const Wanted& wanted) const {
    const Shard& shard = shards_[wanted.partition];
    const Slot* slots = shard.fetched_slots.load(std::memory_order_relaxed);
    if (slots == nullptr) return;
    __builtin_prefetch(slots + (wanted.hash & shard.fetched_mask.load(std::memory_order_relaxed)));
  }

  /// Finds or adds a term. Thread-safe. After kMaxTerms, all new terms get one id and
  /// is_overfull is true.
  TermId Intern(const Wanted& wanted);

  /// Call after the last Intern. Maps a term's number to the place of its text.
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

  /// Frees what only Intern needs.
  void FreeTables();
  void Free(std::size_t partition);

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t place = 0;  // of the term's record, plus one
  };
  // One lock per partition. Threads take it only for words that none of them has seen, so
  // contention is rare.
  struct alignas(64) Shard {
    Mutex mutex;
    HugeList<char> bytes;  // length, number and text of each term
    HugeList<std::uint32_t> places;
    std::span<Slot> slots;
    HugeArray<Slot> own_slots;  // used after the first growth
    // For prefetching, without the lock.
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
