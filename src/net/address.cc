// SPDX-License-Identifier: Apache-2.0
#include "net/address.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sibyl::net {
namespace {

struct Range {
  std::array<std::uint8_t, 16> prefix;
  std::size_t bits;
  std::string_view why;
};

// IANA's registries of special-purpose addresses; the first that fits names it.
constexpr Range kRanges4[] = {
    {{0}, 8, "unspecified"},
    {{10}, 8, "private"},
    {{100, 64}, 10, "shared by a carrier (CGNAT)"},
    {{127}, 8, "loopback"},
    {{169, 254, 169, 254}, 32, "a cloud's metadata service"},
    {{169, 254}, 16, "link-local"},
    {{172, 16}, 12, "private"},
    {{192, 0, 0}, 24, "reserved"},
    {{192, 0, 2}, 24, "reserved for documentation"},
    {{192, 88, 99}, 24, "reserved"},
    {{192, 168}, 16, "private"},
    {{198, 18}, 15, "reserved for benchmarks"},
    {{198, 51, 100}, 24, "reserved for documentation"},
    {{203, 0, 113}, 24, "reserved for documentation"},
    {{224}, 4, "multicast"},
    {{240}, 4, "reserved or broadcast"},
};

constexpr Range kRanges6[] = {
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 128, "unspecified"},
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 128, "loopback"},
    {{0xfd, 0, 0x0e, 0xc2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54},
     128,
     "a cloud's metadata service"},
    {{0xfc}, 7, "private"},
    {{0xfe, 0x80}, 10, "link-local"},
    {{0xfe, 0xc0}, 10, "private (site-local)"},
    {{0xff}, 8, "multicast"},
    {{0x01, 0}, 64, "reserved (discard)"},
    {{0x20, 0x01, 0x0d, 0xb8}, 32, "reserved for documentation"},
    {{0x3f, 0xff, 0}, 20, "reserved for documentation"},
    {{0x5f, 0}, 16, "reserved"},
    {{0x00, 0x64, 0xff, 0x9b, 0x00, 0x01}, 48, "private (NAT64 for local use)"},
};

// Where an IPv6 form keeps the IPv4 address inside it.
struct Carrier {
  std::array<std::uint8_t, 16> prefix;
  std::size_t bits;
  std::size_t offset;
  std::uint8_t mask;  ///< Teredo writes the address inverted.
};

constexpr Carrier kCarriers[] = {
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, 96, 12, 0},  // ::ffff:a.b.c.d
    {{0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, 96, 12, 0},        // ::ffff:0:a.b.c.d
    {{0}, 96, 12, 0},                                         // ::a.b.c.d
    {{0x00, 0x64, 0xff, 0x9b}, 96, 12, 0},                    // NAT64
    {{0x20, 0x02}, 16, 2, 0},                                 // 6to4
    {{0x20, 0x01, 0, 0}, 32, 12, 0xff},                       // Teredo
};

bool HasPrefix(std::span<const std::uint8_t> address, std::span<const std::uint8_t> prefix,
               std::size_t bits) {
  const std::size_t whole = bits / 8;
  if (!std::equal(prefix.begin(), prefix.begin() + static_cast<std::ptrdiff_t>(whole),
                  address.begin())) {
    return false;
  }
  if (bits % 8 == 0) return true;
  const auto mask = static_cast<std::uint8_t>(0xff << (8 - bits % 8));
  return (address[whole] & mask) == (prefix[whole] & mask);
}

std::string_view FindRange(std::span<const std::uint8_t> address, std::span<const Range> ranges) {
  for (const Range& range : ranges) {
    if (HasPrefix(address, range.prefix, range.bits)) return range.why;
  }
  return {};
}

}  // namespace

std::string_view WhyNotPublic(std::span<const std::uint8_t> address) {
  if (address.size() == 4) return FindRange(address, kRanges4);
  if (address.size() != 16) return "of unknown family";
  if (const std::string_view why = FindRange(address, kRanges6); !why.empty()) return why;
  for (const Carrier& carrier : kCarriers) {
    if (!HasPrefix(address, carrier.prefix, carrier.bits)) continue;
    std::array<std::uint8_t, 4> inside{};
    for (std::size_t i = 0; i < 4; ++i) inside[i] = address[carrier.offset + i] ^ carrier.mask;
    if (const std::string_view why = FindRange(inside, kRanges4); !why.empty()) return why;
  }
  return {};
}

}  // namespace sibyl::net
