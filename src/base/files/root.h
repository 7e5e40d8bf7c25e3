// SPDX-License-Identifier: Apache-2.0
// An untrusted folder: a cloned oracle, a source folder, an unpacked image, a
// folder served to clients. It is opened once, and everything in it is opened
// relative to it, so that neither a symbolic link nor a concurrently replaced
// folder can lead out of it.
//
// Reading follows a link only if it stays inside the folder. Writing, moving
// and removing never follow one. Only regular files are read; a named pipe or a
// device is refused without blocking. Sizes and counts are bounded.
//
// Files named by a person, and our cache, are read with base/files/files.h.
// tests/layers_test.cc forbids every other way to open a file outside base.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file_descriptor.h"
#include "base/files/files.h"
#include "base/files/mapped_file.h"
#include "base/result.h"

namespace sibyl {

enum class FileKind : std::uint8_t { kFile, kFolder, kLink, kOther };

/// lstat of a name.
struct FileAbout {
  FileKind kind = FileKind::kOther;
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;  ///< Since 1970.
  std::uint32_t owner = 0;       ///< The user id.
  std::uint32_t mode = 0;        ///< Permission bits.
};

struct RootEntry {
  std::string name;  ///< Of the entry alone in List(), from the root in Walk().
  FileKind kind = FileKind::kOther;

  bool operator==(const RootEntry&) const = default;
};

struct WalkOptions {
  std::size_t max_entries = 1'000'000;
  std::size_t max_depth = 64;
  /// Whether to enter a folder, by its path from the root. Empty: all of them.
  std::function<bool(std::string_view)> enters = {};
};

struct Walked {
  std::vector<RootEntry> entries;   ///< Sorted by name; folders are not listed, links are.
  std::vector<std::string> unread;  ///< Folders that could not be listed.
  bool is_cut = false;              ///< A limit of WalkOptions was reached.
};

struct WriteOptions {
  std::uint32_t mode = 0666;  ///< Of a new file, subject to the umask; an existing mode is kept.
};

/// A value: copies share the open folder. Paths are relative to it, without
/// ".."; "" and "." are the folder itself. Safe to use from several threads.
class Root {
 public:
  /// How paths are resolved: by the kernel (openat2), or, where that system call
  /// is not available, name by name; then every link is refused.
  enum class Resolving : std::uint8_t { kKernel, kByName };

  /// A folder chosen by a person; links in its path are followed.
  static Result<Root> Open(const std::filesystem::path& folder,
                           Resolving resolving = Resolving::kKernel);
  /// Creates the folder and its parents, then opens it.
  static Result<Root> Create(const std::filesystem::path& folder);

  /// The path as given to Open. For messages and for programs that we start there; not for
  /// opening files.
  const std::filesystem::path& path() const { return path_; }
  /// path() / relative, for messages.
  std::filesystem::path Shown(const std::filesystem::path& relative) const;
  /// `path` relative to this root, if it is lexically inside.
  std::optional<std::filesystem::path> Inside(const std::filesystem::path& path) const;

  /// A folder below as a root. Never through a link.
  Result<Root> OpenFolder(const std::filesystem::path& relative) const;

  Result<std::string> Read(const std::filesystem::path& relative,
                           const ReadFileOptions& options = {}) const;
  Result<MappedFile> Map(const std::filesystem::path& relative) const;
  /// For readers that stream: a regular file, open for reading.
  Result<FileDescriptor> OpenFile(const std::filesystem::path& relative) const;

  /// nullopt if it does not exist, or is outside the folder.
  std::optional<FileAbout> About(const std::filesystem::path& relative) const;
  /// Whether Read (or List) would find a regular file (or a folder) there.
  bool IsFile(const std::filesystem::path& relative) const;
  bool IsFolder(const std::filesystem::path& relative) const;
  /// Whether the name exists, whatever it is; a dangling link counts.
  bool Exists(const std::filesystem::path& relative) const { return About(relative).has_value(); }
  /// Where a link points; not followed.
  std::optional<std::string> LinkTarget(const std::filesystem::path& relative) const;

  /// The names in a folder, sorted.
  Result<std::vector<RootEntry>> List(const std::filesystem::path& relative = ".",
                                      std::size_t max_entries = 1'000'000) const;
  /// Everything below a folder that is not a folder. Links are never entered.
  Result<Walked> Walk(const std::filesystem::path& relative = ".",
                      const WalkOptions& options = {}) const;

  /// Replaces a file atomically and durably, as WriteFileAtomically does. A name
  /// that is a link, or anything but a regular file, is refused.
  Status Write(const std::filesystem::path& relative, std::string_view bytes,
               const WriteOptions& options = {}) const;
  /// Creates the folder and its parents inside the root; existing ones are
  /// fine.
  Status MakeFolders(const std::filesystem::path& relative) const;
  /// Renames a file, replacing a regular file that is there and keeping its mode.
  Status MoveFile(const std::filesystem::path& from, const std::filesystem::path& to) const;
  /// Renames a file, link or folder; refuses if `to` exists.
  Status MoveNew(const std::filesystem::path& from, const std::filesystem::path& to) const;
  /// Removes a file, a link (not its target), or a folder with its content. A
  /// missing one is fine.
  Status Remove(const std::filesystem::path& relative) const;

 private:
  Root(std::filesystem::path path, FileDescriptor folder, Resolving resolving);

  static std::filesystem::path Cleaned(const std::filesystem::path& relative);

  enum class Links : std::uint8_t { kInside, kNone };
  Result<FileDescriptor> OpenBelow(const std::filesystem::path& relative, int flags,
                                   Links links) const;
  Result<FileDescriptor> OpenByName(const std::filesystem::path& relative, int flags) const;
  Result<FileDescriptor> OpenParent(const std::filesystem::path& relative) const;
  Result<FileDescriptor> OpenRegular(const std::filesystem::path& relative) const;
  Error Refusal(const std::filesystem::path& relative, int code) const;

  std::filesystem::path path_;
  std::shared_ptr<const FileDescriptor> folder_;  // shared by copies of this root
  Resolving resolving_ = Resolving::kKernel;
};

}  // namespace sibyl
