// SPDX-License-Identifier: Apache-2.0
// Truncated packs, real or forged. The complete part is inside the bytes, and is the
// same if only that part is given.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "git/broken_pack.h"

namespace {

using sibyl::git::FindWholeEntries;
using sibyl::git::WholeEntries;

constexpr std::size_t kTrailer = 20;

void Require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kLongest = std::size_t{64} << 10;
  if (size > kLongest) return 0;
  const std::string_view pack(reinterpret_cast<const char*>(data), size);
  const WholeEntries whole = FindWholeEntries(pack);
  Require((whole.count == 0) == (whole.end == 0));
  Require(whole.count == 0 || whole.end + kTrailer <= size);
  if (whole.count == 0) return 0;
  // Cut and with any trailer, it is the same pack.
  const std::string closed = std::string(pack.substr(0, whole.end)) + std::string(kTrailer, '\0');
  Require(FindWholeEntries(closed) == whole);
  return 0;
}
