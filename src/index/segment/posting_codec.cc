// SPDX-License-Identifier: Apache-2.0
#include "index/segment/posting_codec.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace sibyl::index {
namespace {

// Four lanes, by the compilers' vector extension rather than intrinsics: the same code on every
// machine, and as fast on x86-64, which always has SSE2.
using Lanes = std::uint32_t __attribute__((vector_size(16)));
constexpr std::size_t kLanes = 4;
constexpr std::size_t kVectors = kBlockPostings / kLanes;

// A skip entry: last passage, offset of the block, greatest impact.
constexpr std::size_t kSkipBytes = 4 + 4 + 1;

std::uint32_t Load32(const char* bytes) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

unsigned BitsFor(std::span<const std::uint32_t> gaps) {
  std::uint32_t all = 0;
  for (const std::uint32_t gap : gaps) all |= gap;
  return static_cast<unsigned>(std::bit_width(all));
}

// Gap i goes to lane i % 4: one vector operation packs four neighbours.
void PackFull(const std::uint32_t* gaps, unsigned bits, std::string& out) {
  if (bits == 0) return;
  Lanes word{};
  unsigned used = 0;
  const auto flush = [&] { out.append(reinterpret_cast<const char*>(&word), sizeof(word)); };
  for (std::size_t i = 0; i < kVectors; ++i) {
    Lanes value;
    std::memcpy(&value, gaps + i * kLanes, sizeof(value));
    word |= value << used;
    if (used + bits >= 32) {
      flush();
      const unsigned done = 32 - used;
      word = done == 32 ? Lanes{} : value >> done;
      used = used + bits - 32;
    } else {
      used += bits;
    }
  }
}

template <unsigned kBits>
void UnpackFull(const char* bytes, std::uint32_t before, std::uint32_t* passages) {
  constexpr std::uint32_t kMask = kBits == 32 ? ~0U : (1U << kBits) - 1;
  Lanes word{};
  Lanes sum = {before, before, before, before};
  unsigned used = 32;
#pragma GCC unroll 32
  for (std::size_t i = 0; i < kVectors; ++i) {
    Lanes value{};
    if constexpr (kBits > 0) {
      if (used == 32) {
        std::memcpy(&word, bytes, sizeof(word));
        bytes += sizeof(word);
        used = 0;
      }
      value = word >> used;
      if (used + kBits > 32) {
        std::memcpy(&word, bytes, sizeof(word));
        bytes += sizeof(word);
        value |= word << (32 - used);
        used = used + kBits - 32;
      } else {
        used += kBits;
      }
      value &= kMask;
    }
    value += 1;  // gaps are stored minus one
    value += Lanes{0, value[0], value[1], value[2]};
    value += Lanes{0, 0, value[0], value[1]};
    value += sum;
    sum = Lanes{value[3], value[3], value[3], value[3]};
    std::memcpy(passages + i * kLanes, &value, sizeof(value));
  }
}

using Unpacker = void (*)(const char*, std::uint32_t, std::uint32_t*);

template <unsigned... kBits>
constexpr std::array<Unpacker, sizeof...(kBits)> MakeUnpackers(
    std::integer_sequence<unsigned, kBits...>) {
  return {UnpackFull<kBits>...};
}

constexpr auto kUnpackers = MakeUnpackers(std::make_integer_sequence<unsigned, 33>{});

void PackTail(std::span<const std::uint32_t> gaps, unsigned bits, std::string& out) {
  std::uint64_t word = 0;
  unsigned used = 0;
  for (const std::uint32_t gap : gaps) {
    word |= std::uint64_t{gap} << used;
    used += bits;
    for (; used >= 8; used -= 8) {
      out.push_back(static_cast<char>(word & 0xFF));
      word >>= 8;
    }
  }
  if (used > 0) out.push_back(static_cast<char>(word & 0xFF));
}

std::size_t TailBytes(std::size_t count, unsigned bits) { return (count * bits + 7) / 8; }

// `readable` begins with the gaps and may be longer.
void UnpackTail(std::string_view readable, unsigned bits, std::uint32_t before, PostingBlock& out) {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  std::uint32_t at = before;
  for (std::size_t i = 0; i < out.size; ++i) {
    const std::size_t bit = i * bits;
    const std::size_t byte = bit / 8;
    std::uint64_t word = 0;
    if (byte + sizeof(word) <= readable.size()) [[likely]] {
      std::memcpy(&word, readable.data() + byte, sizeof(word));
    } else {
      std::memcpy(&word, readable.data() + byte, readable.size() - byte);
    }
    at += 1 + static_cast<std::uint32_t>(word >> bit % 8 & mask);
    out.passages[i] = at;
  }
}

}  // namespace

template <typename Posting>
void EncodePostings(std::span<const Posting> postings, std::string& out) {
  const std::size_t start = out.size();
  const std::size_t blocks = (postings.size() + kBlockPostings - 1) / kBlockPostings;
  const bool has_skips = blocks > 1;
  out.resize(start + (has_skips ? blocks * kSkipBytes : 1));
  std::array<std::uint32_t, kBlockPostings> gaps;
  std::array<char, kBlockPostings> impacts;
  std::uint32_t before = ~0U;  // so that the first gap is the passage itself
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::span<const Posting> now = postings.first(std::min(kBlockPostings, postings.size()));
    postings = postings.subspan(now.size());
    std::uint32_t top = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      gaps[i] = PassageOf(now[i]) - before - 1;
      before = PassageOf(now[i]);
      impacts[i] = static_cast<char>(ImpactOf(now[i]));
      top = std::max<std::uint32_t>(top, ImpactOf(now[i]));
    }
    out[start + (has_skips ? 8 * blocks + block : 0)] = static_cast<char>(top);
    if (has_skips) {
      const auto offset = static_cast<std::uint32_t>(out.size() - start);
      std::memcpy(out.data() + start + 4 * block, &before, 4);
      std::memcpy(out.data() + start + 4 * (blocks + block), &offset, 4);
    }
    const unsigned bits = BitsFor({gaps.data(), now.size()});
    out.push_back(static_cast<char>(bits));
    if (now.size() == kBlockPostings) {
      PackFull(gaps.data(), bits, out);
    } else {
      PackTail({gaps.data(), now.size()}, bits, out);
    }
    out.append(impacts.data(), now.size());
  }
}

template void EncodePostings(std::span<const NarrowPosting> postings, std::string& out);
template void EncodePostings(std::span<const WidePosting> postings, std::string& out);

PostingListView::PostingListView(std::string_view bytes, std::uint32_t count)
    : data_(bytes.data()), bytes_(bytes.size()), count_(count) {
  blocks_ = (std::size_t{count} + kBlockPostings - 1) / kBlockPostings;
  // In a list of one block, the greatest impact replaces the skip table.
  if (bytes_ < (blocks_ > 1 ? blocks_ * kSkipBytes : 1)) blocks_ = 0;
  if (blocks_ == 0) count_ = 0;
}

std::size_t PostingListView::offset(std::size_t block) const {
  return blocks_ > 1 ? Load32(data_ + 4 * (blocks_ + block)) : 1;
}

PostingListView::Place PostingListView::Locate(std::size_t block) const {
  const std::size_t at = offset(block);
  if (at >= bytes_) return {};
  Place place;
  place.bits = static_cast<unsigned char>(data_[at]);
  if (place.bits > 32) return {};
  place.size = std::min<std::size_t>(kBlockPostings, count_ - block * kBlockPostings);
  place.packed_bytes = place.size == kBlockPostings ? std::size_t{place.bits} * 16
                                                    : TailBytes(place.size, place.bits);
  if (place.packed_bytes + place.size > bytes_ - at - 1) return {};
  place.gaps = data_ + at + 1;
  return place;
}

std::span<const std::uint8_t> PostingListView::impacts(std::size_t block) const {
  const Place place = Locate(block);
  if (place.gaps == nullptr) return {};
  return {reinterpret_cast<const std::uint8_t*>(place.gaps + place.packed_bytes), place.size};
}

bool PostingListView::Decode(std::size_t block, PostingBlock& out) const {
  const Place place = Locate(block);
  out.size = static_cast<std::uint32_t>(place.size);
  out.ascends = false;
  if (place.gaps == nullptr) return false;
  const std::uint32_t before = block == 0 ? ~0U : last_passage(block - 1);
  out.impacts = reinterpret_cast<const std::uint8_t*>(place.gaps + place.packed_bytes);
  if (place.size == kBlockPostings) {
    kUnpackers[place.bits](place.gaps, before, out.passages.data());
  } else {
    // The impacts follow the gaps.
    UnpackTail({place.gaps, place.packed_bytes + place.size}, place.bits, before, out);
  }
  // This many gaps of this few bits can overflow at most once, and then the last is less than
  // the first.
  constexpr unsigned kSureBits = 24;
  out.ascends = place.bits <= kSureBits && out.passages[place.size - 1] >= out.passages[0];
  return true;
}

}  // namespace sibyl::index
