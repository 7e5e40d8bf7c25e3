// SPDX-License-Identifier: Apache-2.0
// Adds up the term weights of one passage. The table fits the first-level cache; a table of all
// terms would wait for memory at every word.
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

  /// A term of a word, and how often the word occurs.
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

  /// Raises the bonus of a term to that of a field that contains it.
  void Raise(WeightedTerm term, std::uint8_t bonus) {
    Reserve(1);
    const std::size_t at = PlaceOf(term.id());
    bonuses_[at] = std::max<std::uint16_t>(bonuses_[at], bonus);
  }

  std::size_t size() const { return count_; }
  const std::uint32_t* ids() const { return ids_.data() + 1; }

  /// One impact per element of ids().
  const std::uint8_t* Impacts(const ImpactScale& scale) {
    scale.Impacts(eighths_.data() + 1, bonuses_.data() + 1, impacts_.data(), count_);
    return impacts_.data();
  }

 private:
  static constexpr std::size_t kFirstSlots = 1024;

  std::size_t PlaceOf(std::uint32_t id);
  std::uint32_t* SeekSlot(std::uint32_t id);
  void Resize(std::size_t slots);
  /// Makes room for `more` terms.
  void Reserve(std::size_t more) {
    while (count_ + more > room_) Grow();
  }
  void Grow();

  static constexpr std::uint32_t kFactor = 0x9E3779B1U;

  std::vector<std::uint32_t> slots_;  // index of a term; 0: free
  unsigned shift_ = 0;
  std::size_t mask_ = 0;
  std::size_t count_ = 0;
  std::size_t room_ = 0;
  // The first term is at 1; elements after count_ are 0.
  std::vector<std::uint32_t> ids_;
  std::vector<std::uint32_t> eighths_;
  std::vector<std::uint16_t> bonuses_;
  std::vector<std::uint8_t> impacts_;
};

}  // namespace sibyl::index
