// SPDX-License-Identifier: Apache-2.0
// Finds the next of a few bytes in a text, 64 at a time: the distance to a
// bracket or a quote is unpredictable, so a loop over bytes mispredicts at
// each.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sibyl {

template <char... kBytes>
class StopBytes {
  static_assert(((kBytes != '\0') && ...), "the bytes after the text are padding");

 public:
  /// `text` must outlive this.
  explicit StopBytes(std::string_view text) : text_view_(text) {}

  /// The position of the first of them from `at` on; the text's size if there
  /// is none. Fast for ascending positions.
  std::size_t Next(std::size_t at) {
    const std::size_t block = at / kBlock;
    if (block == block_) {
      const std::uint64_t left = mask_ & ~std::uint64_t{0} << at % kBlock;
      if (left != 0) return block * kBlock + static_cast<std::size_t>(std::countr_zero(left));
    }
    // Bounds the search, so that line-by-line callers do not scan the rest of
    // the text each time.
    if (at < far_from_ || at > far_) {
      far_from_ = at;
      far_ = Search(at);
    }
    return far_;
  }

 private:
  static constexpr std::size_t kBlock = 64;

  std::size_t Search(std::size_t at) {
    while (at < text_view_.size()) {
      const std::size_t block = at / kBlock;
      Enter(block);
      const std::uint64_t left = mask_ & ~std::uint64_t{0} << at % kBlock;
      if (left != 0) return block * kBlock + static_cast<std::size_t>(std::countr_zero(left));
      at = (block + 1) * kBlock;
    }
    return text_view_.size();
  }

  void Enter(std::size_t block) {
    block_ = block;
    const std::string_view rest = text_view_.substr(block * kBlock);
    if (rest.size() >= kBlock) {
      mask_ = MaskOf(rest.data());
      return;
    }
    char padded[kBlock] = {};
    std::memcpy(padded, rest.data(), rest.size());
    mask_ = MaskOf(padded);
  }

  // One bit for each byte: is it one of them?
  static std::uint64_t MaskOf(const char* bytes) {
    std::uint64_t mask = 0;
#if defined(__SSE2__)
    for (unsigned i = 0; i < kBlock; i += 16) {
      const __m128i data = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + i));
      __m128i any = _mm_setzero_si128();
      ((any = _mm_or_si128(any, _mm_cmpeq_epi8(data, _mm_set1_epi8(kBytes)))), ...);
      mask |= std::uint64_t{static_cast<unsigned>(_mm_movemask_epi8(any))} << i;
    }
#else
    for (unsigned i = 0; i < kBlock; ++i) {
      mask |= std::uint64_t{((bytes[i] == kBytes) || ...)} << i;
    }
#endif
    return mask;
  }

  std::string_view text_view_;
  std::size_t block_ = static_cast<std::size_t>(-1);
  std::uint64_t mask_ = 0;
  // The last result: there is none of them in [far_from_, far_).
  std::size_t far_from_ = 1;
  std::size_t far_ = 0;
};

}  // namespace sibyl
