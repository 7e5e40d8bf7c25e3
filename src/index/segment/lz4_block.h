// SPDX-License-Identifier: Apache-2.0
// Writes blocks in LZ4's format, which liblz4 reads. On source text, liblz4's writer spends
// most of its time on matches of four to seven bytes, which save a byte or two. This writer
// uses matches of eight bytes and more: it takes a quarter less time, and blocks are a twelfth
// longer and faster to read (docs/decisions/0090, 0105).
#pragma once

#include <cstddef>
#include <string_view>

namespace sibyl::index {

/// Match positions are stored in 16 bits.
inline constexpr std::size_t kMaxLz4BlockBytes = std::size_t{1} << 16;

/// The buffer size that a text of `bytes` bytes may need.
constexpr std::size_t Lz4BlockRoom(std::size_t bytes) { return bytes + bytes / 255 + 48; }

/// Compresses at most kMaxLz4BlockBytes into `out` and returns the compressed size.
std::size_t PackLz4Block(std::string_view text, char* out);

}  // namespace sibyl::index
