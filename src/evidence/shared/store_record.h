// SPDX-License-Identifier: Apache-2.0
// A record of the shared store: which files one pinned source or one index
// consists of. docs/formats/store.md describes it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sibyl::evidence {

struct StoredFile {
  std::string name;    ///< On the machine that uses it: one name, no folder.
  std::string sha256;  ///< Where it is in the store.
  std::uint64_t bytes = 0;

  bool operator==(const StoredFile&) const = default;
};

inline constexpr std::size_t kMaxRecordBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxRecordFiles = 4096;

/// One line of JSON. ParseStoreRecord reads it.
std::string FormatStoreRecord(const std::vector<StoredFile>& files);

/// kCorrupt if it is damaged, or names a file outside of one folder.
Result<std::vector<StoredFile>> ParseStoreRecord(std::string_view text);

/// Whether it is one plain name: letters, digits, '.', '_', '-', not hidden.
bool IsStoredName(std::string_view name);

}  // namespace sibyl::evidence
