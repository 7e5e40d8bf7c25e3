// SPDX-License-Identifier: Apache-2.0
// CRC-32C (Castagnoli): detects torn pages and flipped bits, at memory speed where the
// processor has an instruction for it. Does not detect forgery.
#pragma once

#include <cstdint>
#include <string_view>

namespace sibyl::index {

/// Continues from `before`, the checksum of the preceding bytes.
std::uint32_t Crc32c(std::string_view bytes, std::uint32_t before = 0);

/// The same with a table; a test compares the two.
std::uint32_t Crc32cPortably(std::string_view bytes, std::uint32_t before = 0);

}  // namespace sibyl::index
