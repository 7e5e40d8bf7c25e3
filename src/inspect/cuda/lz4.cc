// SPDX-License-Identifier: Apache-2.0
#include "inspect/cuda/lz4.h"

#include <algorithm>
#include <cstdint>

#include "inspect/bytes.h"

namespace sibyl::inspect {
namespace {

constexpr std::size_t kMinMatch = 4;

// A length of 15 goes on in further bytes, up to the first that is not 255.
bool ReadLength(std::string_view block, std::size_t& at, std::size_t& length) {
  if (length != 15) return true;
  while (at < block.size()) {
    const auto more = static_cast<unsigned char>(block[at++]);
    length += more;
    if (more != 255) return true;
  }
  return false;
}

void CopyMatch(std::string& out, std::size_t distance, std::size_t length) {
  const std::size_t start = out.size();
  out.resize(start + length);
  char* to = out.data() + start;
  const char* from = to - distance;
  if (distance >= length) {
    std::copy(from, from + length, to);
    return;
  }
  // The match overlaps what it writes: it repeats, byte by byte.
  for (std::size_t i = 0; i < length; ++i) to[i] = from[i];
}

}  // namespace

bool UnpackLz4Block(std::string_view block, std::size_t most, std::string& out) {
  const std::size_t start = out.size();
  const auto left = [&] { return most - (out.size() - start); };
  std::size_t at = 0;
  while (at < block.size() && left() > 0) {
    const auto token = static_cast<unsigned char>(block[at++]);
    std::size_t literals = token >> 4U;
    if (!ReadLength(block, at, literals) || literals > block.size() - at) return false;
    out.append(block.substr(at, std::min(literals, left())));
    at += literals;
    if (at == block.size() || left() == 0) return true;  // the last sequence has no match
    if (block.size() - at < 2) return false;
    const std::size_t distance = static_cast<unsigned char>(block[at]) |
                                 std::size_t{static_cast<unsigned char>(block[at + 1])} << 8U;
    at += 2;
    std::size_t length = token & 15U;
    if (!ReadLength(block, at, length)) return false;
    length += kMinMatch;
    // A match may reach back over the blocks before, never before the start.
    if (distance == 0 || distance > out.size()) return false;
    CopyMatch(out, distance, std::min(length, left()));
  }
  return true;
}

bool UnpackLz4Frame(std::string_view frame, std::size_t most, std::string& out) {
  if (!frame.starts_with("\x04\x22\x4d\x18")) return false;
  const Bytes fields(frame);
  const auto flags = fields.Get<std::uint8_t>(4);
  std::uint64_t at = 7;              // magic, FLG, BD, header checksum
  if ((flags & 0x08) != 0) at += 8;  // content size
  if ((flags & 0x01) != 0) at += 4;  // dictionary id
  const std::uint64_t checksum = (flags & 0x10) != 0 ? 4 : 0;
  const std::size_t start = out.size();
  while (out.size() - start < most) {
    if (!fields.Holds(at, 4)) return false;
    const auto word = fields.Get<std::uint32_t>(at);
    if (word == 0) return true;
    at += 4;
    const std::uint64_t length = word & 0x7fffffffU;
    if (!fields.Holds(at, length)) return false;
    const std::string_view block = fields.Clip(at, length);
    const std::size_t left = most - (out.size() - start);
    if ((word & 0x80000000U) != 0) {
      out.append(block.substr(0, left));
    } else if (!UnpackLz4Block(block, left, out)) {
      return false;
    }
    at += length + checksum;
  }
  return true;
}

}  // namespace sibyl::inspect
