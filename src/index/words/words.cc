// SPDX-License-Identifier: Apache-2.0
#include "index/words/words.h"

#include <array>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sibyl::index {

std::vector<std::uint32_t> FindWordEdgesPortably(std::string_view text) {
  std::vector<std::uint32_t> edges;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool word = IsWordByte(text[i]);
    if (word == inside) continue;
    edges.push_back(static_cast<std::uint32_t>(i));
    inside = word;
  }
  if (inside) edges.push_back(static_cast<std::uint32_t>(text.size()));
  return edges;
}

#if defined(__x86_64__)
namespace {

// One bit per byte: whether it is a word byte. Each byte is classified by its two nibbles: a
// table lookup for each, and a common bit means yes.
__attribute__((target("avx2"))) std::uint32_t WordMask(const char* bytes) {
  const __m256i low_table = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(29, 31, 31, 31, 31, 31, 31, 31, 31, 31, 30, 18, 18, 18, 18, 22));
  const __m256i high_table = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 0, 0, 1, 2, 4, 2, 8, 16, 16, 16, 16, 16, 16, 16, 16));
  const __m256i nibble = _mm256_set1_epi8(0x0f);
  const __m256i data = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
  const __m256i low = _mm256_shuffle_epi8(low_table, _mm256_and_si256(data, nibble));
  const __m256i high =
      _mm256_shuffle_epi8(high_table, _mm256_and_si256(_mm256_srli_epi16(data, 4), nibble));
  const __m256i other = _mm256_cmpeq_epi8(_mm256_and_si256(low, high), _mm256_setzero_si256());
  return ~static_cast<std::uint32_t>(_mm256_movemask_epi8(other));
}

// Writes up to kWritten edges more than there are: their number is unpredictable, but it rarely
// exceeds this.
constexpr std::size_t kWritten = 8;

__attribute__((target("avx2,bmi,popcnt"))) std::uint32_t* AppendEdges(std::uint64_t mask,
                                                                      std::uint64_t previous,
                                                                      std::uint32_t base,
                                                                      std::uint32_t* out) {
  std::uint64_t changes = mask ^ (mask << 1 | previous);
  std::uint32_t* const end = out + __builtin_popcountll(changes);
  do {
    for (std::size_t i = 0; i < kWritten; ++i) {
      out[i] = base + static_cast<std::uint32_t>(_tzcnt_u64(changes));
      changes &= changes - 1;
    }
    out += kWritten;
  } while (out < end);
  return end;
}

// `out` has room for the worst case (an edge at every byte and one at the end) and for the
// extra writes.
__attribute__((target("avx2,bmi,popcnt"))) std::uint32_t* FindWordEdgesAvx2(std::string_view text,
                                                                            std::uint32_t* out) {
  std::uint64_t previous = 0;
  std::size_t at = 0;
  for (; at + 64 <= text.size(); at += 64) {
    const std::uint64_t mask =
        WordMask(text.data() + at) | std::uint64_t{WordMask(text.data() + at + 32)} << 32;
    out = AppendEdges(mask, previous, static_cast<std::uint32_t>(at), out);
    previous = mask >> 63;
  }
  alignas(32) std::array<char, 64> rest{};       // blanks: not word bytes
  text.copy(rest.data(), text.size() - at, at);  // an empty view may be null
  const std::uint64_t mask = WordMask(rest.data()) | std::uint64_t{WordMask(rest.data() + 32)}
                                                         << 32;
  return AppendEdges(mask, previous, static_cast<std::uint32_t>(at), out);
}

}  // namespace
#endif

std::span<const std::uint32_t> WordScanner::Scan(std::string_view text) {
#if defined(__x86_64__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                               __builtin_cpu_supports("popcnt");
  if (has_avx2) {
    const std::size_t room = text.size() + 2 + kWritten;
    if (edges_.size() < room) edges_.resize(room);
    const std::uint32_t* end = FindWordEdgesAvx2(text, edges_.data());
    return {edges_.data(), end};
  }
#endif
  edges_ = FindWordEdgesPortably(text);
  return edges_;
}

}  // namespace sibyl::index
