// SPDX-License-Identifier: Apache-2.0
// A term and the weight of one occurrence of a word for it, packed into one number.
#pragma once

#include <cstdint>

#include "index/builder/vocabulary.h"

namespace sibyl::index {

class WeightedTerm {
 public:
  WeightedTerm() = default;
  /// `eighths` is 1 to 15.
  WeightedTerm(TermId id, std::uint32_t eighths)
      : bits_(id.partition << 28 | id.local << 4 | eighths) {}
  static WeightedTerm FromBits(std::uint32_t bits) {
    WeightedTerm term;
    term.bits_ = bits;
    return term;
  }
  WeightedTerm With(std::uint32_t eighths) const { return FromBits((bits_ & ~15U) | eighths); }

  std::uint32_t bits() const { return bits_; }
  bool is_nothing() const { return bits_ == 0; }

  /// Partition and local number, in 28 bits.
  std::uint32_t id() const { return bits_ >> 4; }
  std::uint32_t partition() const { return bits_ >> 28; }
  std::uint32_t local() const { return bits_ >> 4 & 0xFFFFFF; }
  std::uint32_t eighths() const { return bits_ & 15; }
  bool IsSameTerm(WeightedTerm other) const { return id() == other.id(); }

 private:
  static_assert(kPartitions <= 16 && Vocabulary::kMaxTerms < 1U << 24);
  std::uint32_t bits_ = 0;
};

}  // namespace sibyl::index
