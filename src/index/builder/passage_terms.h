// SPDX-License-Identifier: Apache-2.0
// Adds up what the words of one passage count for their terms. A table that
// stays in the first-level cache: one over all terms would wait for memory at
// every word.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/builder/weighted_term.h"
#include "index/impact.h"

namespace sibyl::index {

class PassageTerms {
 public:
  PassageTerms() { Resize(kFirstSlots); }

  void Begin();

  /// Occurrences of words that count for terms, and how many there are of each.
  class Counted {
   public:
    Counted() = default;
    Counted(std::uint32_t term_bits, std::uint32_t times)
        : bits_(std::uint64_t{times} << 32 | term_bits) {}
    WeightedTerm term() const { return WeightedTerm::FromBits(static_cast<std::uint32_t>(bits_)); }
    std::uint32_t times() const { return static_cast<std::uint32_t>(bits_ >> 32); }

   private:
    std::uint64_t bits_ = 0;
  };
  void Count(std::span<const Counted> counted);

  /// The term occurs in a field that is worth so much.
  void Raise(WeightedTerm term, std::uint8_t bonus) {
    Reserve(1);
    const std::size_t at = PlaceOf(term.id());
    bonuses_[at] = std::max<std::uint16_t>(bonuses_[at], bonus);
  }

  std::size_t size() const { return count_; }
  const std::uint32_t* ids() const { return ids_.data() + 1; }

  /// One for each of ids().
  const std::uint8_t* Impacts(const ImpactScale& scale) {
    scale.Impacts(eighths_.data() + 1, bonuses_.data() + 1, impacts_.data(), count_);
    return impacts_.data();
  }

 private:
  static constexpr std::size_t kFirstSlots = 1024;

  std::size_t PlaceOf(std::uint32_t id);
  std::uint32_t* SeekSlot(std::uint32_t id);
  void Resize(std::size_t slots);
  /// So many more find room.
  void Reserve(std::size_t more) {
    while (count_ + more > room_) Grow();
  }
  void Grow();

  static constexpr std::uint32_t kFactor = 0x9E3779B1U;

  std::vector<std::uint32_t> slots_;  // the place of a term; 0: free
  unsigned shift_ = 0;
  std::size_t mask_ = 0;
  std::size_t count_ = 0;
  std::size_t room_ = 0;
  // Of the terms, the first at 1; 0 beyond count_.
  std::vector<std::uint32_t> ids_;
  std::vector<std::uint32_t> eighths_;
  std::vector<std::uint16_t> bonuses_;
  std::vector<std::uint8_t> impacts_;
};

}  // namespace sibyl::index
