// SPDX-License-Identifier: Apache-2.0
// The history of a pinned commit as one file, mapped and read in place: its
// commits with the files that each changed, and for every file of the commit the
// commits that changed it, also under its earlier names. It has no messages: those
// are in the commits. docs/formats/history.md describes it.
//
// Nothing in it is trusted: damaged bytes give an error or no result.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/mapped_file.h"
#include "base/result.h"
#include "git/object_id.h"

namespace sibyl::evidence {

/// Raise it when the same commits would give other bytes.
inline constexpr std::uint32_t kHistoryVersion = 1;

enum CommitFlag : std::uint8_t {
  kMergeCommit = 1,
  kRevertCommit = 2,
  kRobotCommit = 4,
  kBulkCommit = 8,      ///< Changed more files than are worth noting.
  kUnknownChanges = 16  ///< The first commit, or the end of a shallow clone.
};

/// As in the file.
struct HistoryRow {
  std::uint8_t id[git::ObjectId::kBytes] = {};
  std::uint32_t first_change = 0;
  std::int64_t time = 0;  ///< Of the committer, seconds since 1970.
  std::uint32_t change_count = 0;
  std::uint8_t flags = 0;
  /// How much the message says about each file: 255 for a commit of one file,
  /// less the more files it changed, little for reverts and robots.
  std::uint8_t weight = 0;
  std::uint16_t zero = 0;

  git::ObjectId Id() const;
};
static_assert(sizeof(HistoryRow) == 40);

/// A file that a commit moved without a change; paths by number.
struct HistoryMove {
  std::uint32_t commit = 0;
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

/// What a file is made of. FormatHistory adds what follows from it.
struct HistoryTables {
  git::ObjectId tip;
  std::vector<HistoryRow> commits;     ///< The latest first.
  std::vector<std::uint32_t> changes;  ///< Paths by number, commit after commit.
  std::vector<HistoryMove> moves;      ///< In the order of the commits.
  std::vector<std::string> paths;      ///< Ascending, distinct.
  std::vector<bool> is_present;        ///< Whether the tip has the path.
};

/// The bytes of the file.
std::string FormatHistory(const HistoryTables& tables);

/// Immutable; may be shared between threads.
class HistoryFile {
 public:
  /// kNotFound if there is none, kCorrupt if it is damaged or of another version.
  static Result<HistoryFile> Open(const std::filesystem::path& path);

  /// The same for bytes in memory, which must outlive it and be aligned to eight.
  static Result<HistoryFile> FromBytes(std::string_view bytes);

  /// Compares the checksum of the whole file.
  Status Check() const;

  git::ObjectId tip() const { return tip_; }
  std::size_t commit_count() const { return commits_.size(); }
  const HistoryRow& commit(std::size_t number) const { return commits_[number]; }
  std::optional<std::uint32_t> FindCommit(const git::ObjectId& id) const;

  std::size_t path_count() const;
  std::string_view path(std::size_t number) const;
  std::optional<std::uint32_t> FindPath(std::string_view path) const;

  /// The files that a commit changed, by number; a number may be damaged.
  std::span<const std::uint32_t> ChangesOf(std::size_t commit) const;
  std::span<const HistoryMove> moves() const { return moves_; }

  /// The commits that changed a file of the tip, ascending, so the latest first;
  /// none for a path that the tip does not have. A number may be damaged.
  std::span<const std::uint32_t> CommitsOf(std::size_t path) const;

 private:
  HistoryFile() = default;
  Status Load(std::string_view bytes);

  std::optional<MappedFile> file_;  // empty if the caller owns the bytes
  std::string_view bytes_view_;
  git::ObjectId tip_;
  std::span<const HistoryRow> commits_;
  std::span<const std::uint32_t> by_id_;
  std::span<const std::uint32_t> changes_;
  std::span<const HistoryMove> moves_;
  std::span<const std::uint32_t> path_ends_;
  std::string_view path_bytes_;
  std::span<const std::uint32_t> list_ends_;
  std::span<const std::uint32_t> lists_;
};

}  // namespace sibyl::evidence
