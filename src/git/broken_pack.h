// SPDX-License-Identifier: Apache-2.0
// A pack whose transfer broke off. Everything up to the break came whole: the
// entries stand one behind the other, and a delta by distance needs only what
// stands before it. Cut behind the last whole entry and given the right count
// and checksum, the rest is a valid pack.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/result.h"

namespace sibyl::git {

struct WholeEntries {
  std::uint32_t count = 0;
  std::uint64_t end = 0;  ///< Behind the last of them; 0 when there are none.

  bool operator==(const WholeEntries&) const = default;
};

/// The entries at the front of `pack` that are there to their last byte. The last
/// twenty bytes are taken for the checksum that a whole pack ends with; in a broken
/// one they cost the last entry.
WholeEntries FindWholeEntries(std::string_view pack);

/// Makes the file a pack of its whole entries, and says how many there are. One
/// without any is left as it is. Doing it twice is doing it once.
Result<std::uint32_t> CloseBrokenPack(const std::filesystem::path& path);

}  // namespace sibyl::git
