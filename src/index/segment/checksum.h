// SPDX-License-Identifier: Apache-2.0
// CRC-32C (Castagnoli): finds the torn page and the flipped bit, at memory
// speed where the processor has an instruction for it. No proof against
// forgery.
#pragma once

#include <cstdint>
#include <string_view>

namespace sibyl::index {

/// Of `bytes` after what gave `before`.
std::uint32_t Crc32c(std::string_view bytes, std::uint32_t before = 0);

/// The same by table; a test compares the two.
std::uint32_t Crc32cPortably(std::string_view bytes, std::uint32_t before = 0);

}  // namespace sibyl::index
