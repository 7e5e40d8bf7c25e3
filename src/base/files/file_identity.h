// SPDX-License-Identifier: Apache-2.0
// Whether a file is still the one that was read before, without reading it again.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace sibyl {

/// What changes when a file is written, replaced or renamed over. The time of the last change of
/// its inode cannot be set by programs.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;

  auto operator<=>(const FileIdentity&) const = default;
};

/// Of the file that a path leads to. Nothing if there is none, or if it was changed so lately
/// that another change might not be seen.
std::optional<FileIdentity> IdentityOf(const std::filesystem::path& file);

}  // namespace sibyl
