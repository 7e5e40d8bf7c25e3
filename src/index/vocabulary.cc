// SPDX-License-Identifier: Apache-2.0
#include "index/vocabulary.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "index/mix.h"

namespace sibyl::index {
namespace {

// Where each partition but the first begins. A guess at equal shares of the
// postings of code and prose; nothing but balance depends on it.
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
  const bool is_whole = kind == FormKind::kWhole;
  Shard& shard = shards_[partition];
  const MutexLock lock(shard.mutex);
  if (shard.begins.size() * 2 >= shard.slots.size()) Grow(shard);
  const std::size_t mask = shard.slots.size() - 1;
  std::size_t at = hash & mask;
  for (; shard.slots[at].term != 0; at = (at + 1) & mask) {
    if (shard.slots[at].hash != hash) continue;
    const std::uint32_t local = shard.slots[at].term - 1;
    char* record = shard.bytes.data() + shard.begins[local];
    if (static_cast<unsigned char>(record[0]) != term.size()) continue;
    if (std::memcmp(record + 2, term.data(), term.size()) != 0) continue;
    if (is_whole) record[1] = 1;
    return {static_cast<std::uint32_t>(partition), local};
  }
  const auto local = static_cast<std::uint32_t>(shard.begins.size());
  shard.begins.push_back(static_cast<std::uint32_t>(shard.bytes.size()));
  shard.bytes.push_back(static_cast<char>(term.size()));
  shard.bytes.push_back(is_whole ? 1 : 0);
  shard.bytes.append(term);
  shard.slots[at] = {.hash = hash, .term = local + 1};
  return {static_cast<std::uint32_t>(partition), local};
}

void Vocabulary::Grow(Shard& shard) {
  HugeArray<Slot> slots(std::max<std::size_t>(1024, shard.slots.size() * 2));
  const std::size_t mask = slots.size() - 1;
  for (std::size_t i = 0; i < shard.slots.size(); ++i) {
    const Slot slot = shard.slots[i];
    if (slot.term == 0) continue;
    std::size_t at = slot.hash & mask;
    while (slots[at].term != 0) at = (at + 1) & mask;
    slots[at] = slot;
  }
  shard.slots = std::move(slots);
}

void Vocabulary::Free(std::size_t partition) {
  Shard& shard = shards_[partition];
  shard.bytes = {};
  shard.begins = {};
  shard.slots = {};
}

}  // namespace sibyl::index
