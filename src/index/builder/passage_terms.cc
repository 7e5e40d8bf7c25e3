// SPDX-License-Identifier: Apache-2.0
#include "index/builder/passage_terms.h"

#include <bit>

namespace sibyl::index {

void PassageTerms::Begin() {
  std::fill_n(eighths_.begin(), count_ + 1, 0);
  std::fill_n(bonuses_.begin(), count_ + 1, 0);
  if (slots_.size() != kFirstSlots) Resize(kFirstSlots);
  std::fill(slots_.begin(), slots_.end(), 0);
  count_ = 0;
}

// Branch-free, because whether a term is new is unpredictable: the id of a known term is
// written again, and element 0 is set to the id being searched, so that a free slot looks like
// a match.
void PassageTerms::Count(std::span<const Counted> counted) {
  Reserve(counted.size());
  std::uint32_t* const slots = slots_.data();
  std::uint32_t* const ids = ids_.data();
  std::uint32_t* const eighths = eighths_.data();
  const unsigned shift = shift_;
  std::size_t count = count_;
  for (const Counted& one : counted) {
    const std::uint32_t id = one.term().id();
    std::uint32_t* slot = slots + (id * kFactor >> shift);
    ids[0] = id;
    if (ids[*slot] != id) [[unlikely]]
      slot = SeekSlot(id);
    std::size_t place = *slot;
    const std::size_t is_new = (place - 1) >> 63;  // 1 only if place is 0
    count += is_new;
    place |= count & (0 - is_new);
    *slot = static_cast<std::uint32_t>(place);
    ids[place] = id;
    eighths[place] += one.times() * one.term().eighths();
  }
  count_ = count;
}

std::size_t PassageTerms::PlaceOf(std::uint32_t id) {
  std::uint32_t* slot = SeekSlot(id);
  if (*slot == 0) {
    *slot = static_cast<std::uint32_t>(++count_);
    ids_[count_] = id;
  }
  return *slot;
}

std::uint32_t* PassageTerms::SeekSlot(std::uint32_t id) {
  for (std::size_t at = id * kFactor >> shift_;; at = (at + 1) & mask_) {
    if (slots_[at] == 0 || ids_[slots_[at]] == id) return &slots_[at];
  }
}

void PassageTerms::Resize(std::size_t slots) {
  slots_.resize(slots);
  shift_ = 32 - static_cast<unsigned>(std::countr_zero(slots));
  mask_ = slots - 1;
  room_ = slots / 4;
  const std::size_t places = 1 + ImpactScale::RoomFor(room_);
  if (ids_.size() >= places) return;
  ids_.resize(places);
  eighths_.resize(places);
  bonuses_.resize(places);
  impacts_.resize(places);
}

void PassageTerms::Grow() {
  Resize(2 * slots_.size());
  std::fill(slots_.begin(), slots_.end(), 0);
  for (std::uint32_t place = 1; place <= count_; ++place) {
    std::size_t at = ids_[place] * kFactor >> shift_;
    while (slots_[at] != 0) at = (at + 1) & mask_;
    slots_[at] = place;
  }
}

}  // namespace sibyl::index
