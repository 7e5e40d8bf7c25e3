// SPDX-License-Identifier: Apache-2.0
// Parses trees, commits and tags.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "git/object_id.h"

namespace sibyl::git {

inline constexpr std::uint32_t kModeMask = 0170000;
inline constexpr std::uint32_t kModeFolder = 0040000;
inline constexpr std::uint32_t kModeFile = 0100000;
inline constexpr std::uint32_t kModeSymlink = 0120000;
inline constexpr std::uint32_t kModeSubmodule = 0160000;

struct TreeEntry {
  std::uint32_t mode = 0;
  std::string_view name;  ///< Of the tree's bytes.
  ObjectId id;

  bool IsFolder() const { return (mode & kModeMask) == kModeFolder; }
  bool IsFile() const { return (mode & kModeMask) == kModeFile; }
};

/// Parses one entry from the front of `rest`; nothing at the end, or if the
/// bytes are invalid (then `rest` is not empty).
std::optional<TreeEntry> NextTreeEntry(std::string_view& rest);

/// False for names no checkout could have: empty, ".", "..", ".git", or with a
/// slash or NUL in them.
bool IsPlainName(std::string_view name);

struct CommitSummary {
  ObjectId tree;
  ObjectId parent;        ///< The first one; null if there is none.
  std::int64_t time = 0;  ///< Of the committer, seconds since 1970.
};

std::optional<CommitSummary> ParseCommit(std::string_view bytes);

/// The object an annotated tag points at.
std::optional<ObjectId> ParseTagTarget(std::string_view bytes);

}  // namespace sibyl::git
