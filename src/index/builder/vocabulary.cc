// SPDX-License-Identifier: Apache-2.0
#include "index/builder/vocabulary.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "index/mix.h"

namespace sibyl::index {
namespace {

// The start of each partition but the first: equal shares of the terms of the seven
// repositories of the benchmarks. Affects only balance.
constexpr std::array<std::string_view, kPartitions - 1> kPartitionBegins = {
    "5", "am", "c", "cq", "dp", "fj", "hi", "jb", "mb", "np", "pm", "rf", "sr", "ti", "va"};

// For each first byte, the partition of that byte alone.
constexpr auto kPartitionOfByte = [] {
  std::array<std::uint8_t, 256> partitions{};
  for (std::size_t byte = 0; byte < partitions.size(); ++byte) {
    for (const std::string_view begin : kPartitionBegins) {
      const auto first = static_cast<unsigned char>(begin[0]);
      if (first < byte || (first == byte && begin.size() == 1)) ++partitions[byte];
    }
  }
  return partitions;
}();

}  // namespace

namespace {

// Growing rehashes every term into memory that the kernel must zero.
constexpr std::size_t kFewestSlots = 64;
constexpr std::size_t kMostFirstSlots = std::size_t{1} << 17;
constexpr std::size_t kSlotsPerDocument = 2;  // per partition

std::size_t FirstSlots(std::size_t documents) {
  const std::size_t wanted = std::min(documents, kMostFirstSlots) * kSlotsPerDocument;
  return std::clamp(std::bit_ceil(wanted), kFewestSlots, kMostFirstSlots);
}

}  // namespace

Vocabulary::Vocabulary(std::size_t documents) : first_slots_(kPartitions * FirstSlots(documents)) {
  const std::size_t slots = FirstSlots(documents);
  for (std::size_t p = 0; p < kPartitions; ++p) {
    shards_[p].slots = {first_slots_.data() + p * slots, slots};
    Publish(shards_[p]);
  }
}

std::size_t PartitionOf(std::string_view term) {
  if (term.empty()) return 0;
  std::size_t partition = kPartitionOfByte[static_cast<unsigned char>(term[0])];
  while (partition < kPartitionBegins.size() && kPartitionBegins[partition][0] == term[0] &&
         kPartitionBegins[partition] <= term) {
    ++partition;
  }
  return partition;
}

std::uint32_t Vocabulary::Add(Shard& shard, std::string_view term) {
  const auto local = static_cast<std::uint32_t>(shard.places.size());
  shard.places.Append(static_cast<std::uint32_t>(shard.bytes.size()));
  char* record = shard.bytes.AppendRoom(kHeadBytes + term.size());
  record[0] = static_cast<char>(term.size());
  std::memcpy(record + 1, &local, sizeof(local));
  std::memcpy(record + kHeadBytes, term.data(), term.size());
  return local;
}

Vocabulary::Wanted::Wanted(std::string_view term)
    : text_view(term),
      partition(static_cast<std::uint32_t>(PartitionOf(term))),
      hash(static_cast<std::uint32_t>(HashBytes(term))) {}

TermId Vocabulary::Intern(const Wanted& wanted) {
  const std::string_view term = wanted.text_view;
  const std::uint32_t hash = wanted.hash;
  Shard& shard = shards_[wanted.partition];
  const MutexLock lock(shard.mutex);
  if (shard.places.size() * 4 >= shard.slots.size() * 3) Grow(shard);
  const std::size_t mask = shard.slots.size() - 1;
  std::size_t at = hash & mask;
  for (; shard.slots[at].place != 0; at = (at + 1) & mask) {
    if (shard.slots[at].hash != hash) continue;
    const char* record = shard.bytes.data() + shard.slots[at].place - 1;
    if (static_cast<unsigned char>(record[0]) != term.size()) continue;
    if (std::memcmp(record + kHeadBytes, term.data(), term.size()) != 0) continue;
    std::uint32_t local = 0;
    std::memcpy(&local, record + 1, sizeof(local));
    return {wanted.partition, local};
  }
  if (shard.places.size() >= kMaxTerms) {
    shard.is_overfull = true;
    return {wanted.partition, 0};
  }
  const std::uint32_t local = Add(shard, term);
  shard.slots[at] = {.hash = hash, .place = shard.places[local] + 1};
  return {wanted.partition, local};
}

void Vocabulary::Grow(Shard& shard) {
  HugeArray<Slot> slots(shard.slots.size() * 2);
  const std::size_t mask = slots.size() - 1;
  for (const Slot slot : shard.slots) {
    if (slot.place == 0) continue;
    std::size_t at = slot.hash & mask;
    while (slots[at].place != 0) at = (at + 1) & mask;
    slots[at] = slot;
  }
  shard.own_slots = std::move(slots);
  shard.slots = {shard.own_slots.data(), shard.own_slots.size()};
  Publish(shard);
}

void Vocabulary::Publish(Shard& shard) {
  shard.fetched_mask.store(shard.slots.size() - 1, std::memory_order_relaxed);
  shard.fetched_slots.store(shard.slots.data(), std::memory_order_relaxed);
}

bool Vocabulary::is_overfull() const {
  return std::any_of(shards_.begin(), shards_.end(),
                     [](const Shard& shard) { return shard.is_overfull; });
}

void Vocabulary::FreeTables() {
  for (Shard& shard : shards_) {
    shard.slots = {};
    shard.own_slots = {};
  }
  first_slots_ = {};
}

void Vocabulary::Free(std::size_t partition) {
  Shard& shard = shards_[partition];
  shard.bytes = {};
  shard.places = {};
}

}  // namespace sibyl::index
