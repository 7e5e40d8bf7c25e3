// SPDX-License-Identifier: Apache-2.0
// A file or folder named by an argument, and the root folder through which it
// is opened. Every operation that takes a path uses this:
//
// - inside the oracle: through the oracle, so that no link of a clone leads out;
// - asked by an agent or over a server: through the allowed folder that
//   contains it, and nothing else;
// - named by a person, outside the oracle: as the person wrote it. Their links
//   are followed; a named pipe is refused, never waited for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/mapped_file.h"
#include "base/files/root.h"
#include "base/finding.h"
#include "base/result.h"
#include "oracle/context.h"

namespace sibyl::oracle {

struct FileSearch;
struct FilesBelow;

/// Whether a write makes the folders above the file.
enum class Parents : std::uint8_t { kMustExist, kMade };

/// A value; copies share the open folder.
class ArgumentFile {
 public:
  /// Relative to the working folder or, when nothing is there, to the oracle.
  /// It need not exist. kUsage when the caller may not read there.
  static Result<ArgumentFile> Find(const Context& context, std::string_view argument);
  /// A file to be written: relative to the working folder alone.
  static Result<ArgumentFile> ToWrite(const Context& context, std::string_view argument);
  /// The oracle, as a folder.
  static Result<ArgumentFile> Oracle(const Context& context);

  /// Absolute, as it was named. For names and messages, not for opening.
  const std::filesystem::path& path() const { return path_; }
  /// From the root of the oracle, when it is inside: "cuda/16-cupti.md".
  const std::optional<std::string>& in_oracle() const { return in_oracle_; }

  /// A link that may not be followed exists; opening it reports the reason.
  bool Exists() const;
  bool IsFolder() const;

  /// A regular file; anything else is refused at once.
  Result<std::string> Read(const ReadFileOptions& options = {}) const;
  Result<MappedFile> Map() const;
  Result<Root> OpenFolder() const;

  /// A file of this folder.
  ArgumentFile operator/(const std::filesystem::path& name) const;
  /// The names in its folder, for suggestions; none when they cannot be listed.
  std::vector<std::string> NamesBeside() const;

  /// The path with links resolved and checked, for readers that take a path.
  Result<std::filesystem::path> CheckedPath() const;

  /// Replaces the file. Never through a link.
  Status Write(std::string_view bytes, Parents parents = Parents::kMustExist) const;

 private:
  friend Result<FilesBelow> FindFilesBelow(const Context& context, const ArgumentFile& folder,
                                           const FileSearch& search);

  ArgumentFile() = default;
  static Result<ArgumentFile> At(const Context& context, const std::filesystem::path& path);

  std::filesystem::path path_;
  std::optional<Root> root_;        // none: a person's own file, outside the oracle
  std::filesystem::path relative_;  // from root_
  std::optional<std::string> in_oracle_;
};

struct FilesBelow {
  std::vector<ArgumentFile> files;  ///< Sorted by path.
  /// Links that were not followed, folders that could not be listed, limits
  /// that were reached. The caller sets the code.
  std::vector<Finding> skipped;
};

struct FileSearch {
  std::function<bool(std::string_view name)> is_wanted;  ///< By the file's own name.
  std::function<bool(std::string_view name)> enters;     ///< By the folder's own name.
  std::size_t max_files = 100'000;
};

/// The matching files in a folder. A link to a file is listed, and checked when
/// it is read; a link to a folder is not followed, with a finding.
Result<FilesBelow> FindFilesBelow(const Context& context, const ArgumentFile& folder,
                                  const FileSearch& search);

/// `path` from `folder`, when it is inside: as both are written, or by another
/// spelling of the way to the folder. A name to be opened relative to the folder,
/// not a promise.
std::optional<std::filesystem::path> PathBelow(const std::filesystem::path& folder,
                                               const std::filesystem::path& path);

/// The text of an argument that names a file; "-" is standard input, which only
/// a person may use.
Result<std::string> ReadInput(const Context& context, std::string_view argument,
                              const ReadFileOptions& options = {});

}  // namespace sibyl::oracle
