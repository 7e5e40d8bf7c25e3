// SPDX-License-Identifier: Apache-2.0
#include "git/delta.h"

#include <cstddef>
#include <cstring>

namespace sibyl::git {
namespace {

std::optional<std::uint64_t> ReadSize(std::string_view& bytes) {
  std::uint64_t size = 0;
  for (unsigned shift = 0; shift < 63; shift += 7) {
    if (bytes.empty()) return std::nullopt;
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    size |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return size;
  }
  return std::nullopt;
}

}  // namespace

std::optional<DeltaSizes> ReadDeltaSizes(std::string_view& delta) {
  const std::optional<std::uint64_t> base = ReadSize(delta);
  if (!base) return std::nullopt;
  const std::optional<std::uint64_t> result = ReadSize(delta);
  if (!result) return std::nullopt;
  return DeltaSizes{*base, *result};
}

bool ApplyDelta(std::string_view instructions, std::string_view base, char* out,
                std::uint64_t result_size) {
  const auto* at = reinterpret_cast<const unsigned char*>(instructions.data());
  const auto* const end = at + instructions.size();
  std::uint64_t left = result_size;
  while (at != end) {
    const unsigned op = *at++;
    if ((op & 0x80) == 0) {
      // Insert; zero is reserved.
      if (op == 0 || op > left || op > static_cast<std::size_t>(end - at)) return false;
      std::memcpy(out, at, op);
      at += op;
      out += op;
      left -= op;
      continue;
    }
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    for (unsigned i = 0; i < 7; ++i) {
      if ((op >> i & 1) == 0) continue;
      if (at == end) return false;
      const std::uint64_t byte = *at++;
      if (i < 4) {
        offset |= byte << (8 * i);
      } else {
        size |= byte << (8 * (i - 4));
      }
    }
    if (size == 0) size = 0x10000;
    if (offset > base.size() || size > base.size() - offset || size > left) return false;
    std::memcpy(out, base.data() + offset, size);
    out += size;
    left -= size;
  }
  return left == 0;
}

}  // namespace sibyl::git
