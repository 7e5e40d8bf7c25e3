// SPDX-License-Identifier: Apache-2.0
// A pack whose transfer was interrupted. Everything before the interruption is
// complete: entries follow each other, and an offset delta refers only to
// earlier entries. Truncated after the last complete entry, with the right
// count and checksum, it is a valid pack.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/result.h"

namespace sibyl::git {

struct WholeEntries {
  std::uint32_t count = 0;
  std::uint64_t end = 0;  ///< End of the last of them; 0 if there are none.

  bool operator==(const WholeEntries&) const = default;
};

/// The complete entries at the start of `pack`. The last twenty bytes are
/// assumed to be the checksum of a complete pack; in a partial one this may
/// cost the last entry.
WholeEntries FindWholeEntries(std::string_view pack);

/// Turns the file into a pack of its complete entries, and returns their
/// number. A file without any is not changed. Idempotent.
Result<std::uint32_t> CloseBrokenPack(const std::filesystem::path& path);

}  // namespace sibyl::git
