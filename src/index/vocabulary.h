// SPDX-License-Identifier: Apache-2.0
// The terms met so far in a build, shared by all its threads. Cut into
// partitions that are ranges in byte order, so that each can be sorted and
// inverted on its own and the results stand one after the other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "index/huge_array.h"
#include "index/term_forms.h"

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
  /// More terms than fit a posting word's 24 bits; the builder ends the
  /// segment long before.
  static constexpr std::uint32_t kMaxTerms = (1U << 24) - 1;

  /// Finds or adds a term. Safe from many threads.
  TermId Intern(std::string_view term, FormKind kind);

  struct Term {
    std::string_view text_view;  ///< Into the vocabulary.
    bool occurs_whole = false;   ///< As a word of its own, not only as part or stem.
  };

  /// For one thread, when nobody interns any more.
  std::size_t size(std::size_t partition) const { return shards_[partition].begins.size(); }
  Term term(std::size_t partition, std::size_t local) const {
    const Shard& shard = shards_[partition];
    const char* record = shard.bytes.data() + shard.begins[local];
    return {{record + 2, static_cast<unsigned char>(record[0])}, record[1] != 0};
  }
  void Free(std::size_t partition);

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t term = 0;  // plus one
  };
  // A lock for each partition: threads come here only for words they see for
  // the first time, so that they seldom meet. What is looked at together lies
  // together: this is where a build waits for memory the most.
  struct alignas(64) Shard {
    Mutex mutex;
    std::string bytes;  // for each term its length, whether it occurs whole, its text
    std::vector<std::uint32_t> begins;
    HugeArray<Slot> slots;
  };

  static void Grow(Shard& shard);

  std::array<Shard, kPartitions> shards_;
};

}  // namespace sibyl::index
