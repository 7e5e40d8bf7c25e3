// SPDX-License-Identifier: Apache-2.0
#include "index/segment/checksum.h"

#include <array>
#include <cstddef>

#include "index/mix.h"

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace sibyl::index {
namespace {

constexpr std::uint32_t kPolynomial = 0x82F63B78;  // reflected

constexpr auto kTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ ((value & 1) != 0 ? kPolynomial : 0);
    table[i] = value;
  }
  return table;
}();

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t Crc32cSse42(std::string_view bytes,
                                                            std::uint32_t before) {
  std::uint64_t crc = ~before;
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) crc = _mm_crc32_u64(crc, Load64(at));
  auto narrow = static_cast<std::uint32_t>(crc);
  for (; left > 0; --left, ++at) narrow = _mm_crc32_u8(narrow, static_cast<unsigned char>(*at));
  return ~narrow;
}
#endif

}  // namespace

std::uint32_t Crc32cPortably(std::string_view bytes, std::uint32_t before) {
  std::uint32_t crc = ~before;
  for (const char c : bytes) crc = crc >> 8 ^ kTable[(crc ^ static_cast<unsigned char>(c)) & 0xFF];
  return ~crc;
}

std::uint32_t Crc32c(std::string_view bytes, std::uint32_t before) {
#if defined(__x86_64__)
  static const bool has_sse42 = __builtin_cpu_supports("sse4.2") != 0;
  if (has_sse42) return Crc32cSse42(bytes, before);
#endif
  return Crc32cPortably(bytes, before);
}

}  // namespace sibyl::index
