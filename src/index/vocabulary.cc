// SPDX-License-Identifier: Apache-2.0
#include "index/vocabulary.h"

#include <algorithm>

#include "index/mix.h"

namespace sibyl::index {
namespace {

// Where each partition but the first begins. Cut so that the postings of the
// development corpus fall into equal shares; nothing but balance depends on it.
constexpr std::array<std::string_view, kPartitions - 1> kPartitionBegins = {
    "1", "a", "ar", "b", "c", "co", "d", "e", "g", "i", "l", "n", "q", "s", "t"};

}  // namespace

std::size_t PartitionOf(std::string_view term) {
  const auto* at = std::upper_bound(kPartitionBegins.begin(), kPartitionBegins.end(), term);
  return static_cast<std::size_t>(at - kPartitionBegins.begin());
}

TermId Vocabulary::Intern(std::string_view term, FormKind kind) {
  const std::size_t partition = PartitionOf(term);
  const auto hash = static_cast<std::uint32_t>(HashBytes(term));
  Shard& shard = shards_[partition];
  const std::lock_guard lock(shard.mutex);
  if (shard.entries.size() * 2 >= shard.slots.size()) Grow(shard);
  const std::size_t mask = shard.slots.size() - 1;
  std::size_t slot = hash & mask;
  for (; shard.slots[slot] != 0; slot = (slot + 1) & mask) {
    Entry& entry = shard.entries[shard.slots[slot] - 1];
    if (entry.hash != hash || entry.bytes != term.size()) continue;
    if (std::string_view(shard.bytes).substr(entry.begin, entry.bytes) != term) continue;
    entry.occurs_whole |= kind == FormKind::kWhole;
    return {static_cast<std::uint32_t>(partition), shard.slots[slot] - 1};
  }
  shard.entries.push_back({.begin = static_cast<std::uint32_t>(shard.bytes.size()),
                           .hash = hash,
                           .bytes = static_cast<std::uint8_t>(term.size()),
                           .occurs_whole = kind == FormKind::kWhole});
  shard.bytes.append(term);
  shard.slots[slot] = static_cast<std::uint32_t>(shard.entries.size());
  return {static_cast<std::uint32_t>(partition), shard.slots[slot] - 1};
}

void Vocabulary::Grow(Shard& shard) {
  std::vector<std::uint32_t> slots(std::max<std::size_t>(1024, shard.slots.size() * 2));
  const std::size_t mask = slots.size() - 1;
  for (std::size_t i = 0; i < shard.entries.size(); ++i) {
    std::size_t slot = shard.entries[i].hash & mask;
    while (slots[slot] != 0) slot = (slot + 1) & mask;
    slots[slot] = static_cast<std::uint32_t>(i + 1);
  }
  shard.slots = std::move(slots);
}

Vocabulary::Term Vocabulary::term(std::size_t partition, std::size_t local) const {
  const Shard& shard = shards_[partition];
  const Entry& entry = shard.entries[local];
  return {std::string_view(shard.bytes).substr(entry.begin, entry.bytes), entry.occurs_whole};
}

void Vocabulary::Free(std::size_t partition) {
  Shard& shard = shards_[partition];
  shard.bytes = {};
  shard.entries = {};
  shard.slots = {};
}

}  // namespace sibyl::index
