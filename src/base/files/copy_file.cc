// SPDX-License-Identifier: Apache-2.0
#include "base/files/copy_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files/file_bytes.h"
#include "base/files/file_descriptor.h"
#include "base/files/write_all.h"
#include "base/hash.h"
#include "base/os_error.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPiece = std::size_t{1} << 20;

// Removes an incomplete copy.
class StagedCopy {
 public:
  static Result<StagedCopy> Create(const fs::path& folder) {
    std::string name = (folder / "copy-XXXXXX").string();
    const int number = ::mkostemp(name.data(), O_CLOEXEC);
    if (number < 0) return OsError("creating a file in " + folder.string(), errno);
    return StagedCopy(FileDescriptor(number), std::move(name));
  }

  StagedCopy(StagedCopy&& other) noexcept
      : file_(std::move(other.file_)), name_(std::exchange(other.name_, {})) {}
  StagedCopy(const StagedCopy&) = delete;
  StagedCopy& operator=(const StagedCopy&) = delete;
  StagedCopy& operator=(StagedCopy&&) = delete;
  ~StagedCopy() {
    if (!name_.empty()) ::unlink(name_.c_str());
  }

  Status Append(std::string_view bytes) {
    if (const int error = WriteAll(file_.number(), bytes); error != 0) {
      return OsError("writing " + name_, error);
    }
    return {};
  }

  // Nobody changes a file of a store: it is named by its content.
  Status MoveTo(const fs::path& to) {
    if (::fchmod(file_.number(), 0444) != 0 || ::fsync(file_.number()) != 0) {
      return OsError("writing " + name_, errno);
    }
    if (::rename(name_.c_str(), to.c_str()) != 0) return OsError("writing " + to.string(), errno);
    name_.clear();
    const FileDescriptor folder(
        ::open(to.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // Some network file systems refuse to sync a folder; they order names themselves.
    if (folder.is_open()) (void)::fsync(folder.number());
    return {};
  }

 private:
  StagedCopy(FileDescriptor file, std::string name)
      : file_(std::move(file)), name_(std::move(name)) {}

  FileDescriptor file_;
  std::string name_;  // empty once it was moved
};

Result<FileDescriptor> OpenRegular(const fs::path& path) {
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.is_open()) return OsError("reading " + path.string(), errno);
  struct stat about {};
  if (::fstat(file.number(), &about) != 0) return OsError("reading " + path.string(), errno);
  if (!S_ISREG(about.st_mode)) return NotRegular("reading", path, about.st_mode);
  return file;
}

// Reads to the end; hands each piece to `take`.
template <typename Take>
Result<HashedFile> ReadPieces(const fs::path& path, const std::function<bool()>& cancelled,
                              const Take& take) {
  const FileDescriptor file = SIBYL_TRY(OpenRegular(path));
  std::vector<char> piece(kPiece);
  Sha256Stream hash;
  HashedFile read;
  while (true) {
    if (cancelled && cancelled()) {
      return Error{.kind = ErrorKind::kCancelled,
                   .message = fmt::format("reading {}: cancelled", path.string())};
    }
    const ssize_t got = ::read(file.number(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return OsError("reading " + path.string(), errno);
    if (got == 0) break;
    const std::string_view bytes(piece.data(), static_cast<std::size_t>(got));
    hash.Add(bytes);
    read.bytes += bytes.size();
    SIBYL_TRY(take(bytes));
  }
  read.sha256 = hash.Finish();
  return read;
}

}  // namespace

Result<HashedFile> HashFile(const fs::path& path, const std::function<bool()>& cancelled) {
  return ReadPieces(path, cancelled, [](std::string_view) { return Status(); });
}

Result<HashedFile> CopyFileAtomically(const fs::path& from, const fs::path& to,
                                      const CopyFileOptions& options) {
  const fs::path staging = options.staging.empty() ? to.parent_path() : options.staging;
  StagedCopy copy = SIBYL_TRY(StagedCopy::Create(staging));
  HashedFile read = SIBYL_TRY(ReadPieces(
      from, options.cancelled, [&copy](std::string_view bytes) { return copy.Append(bytes); }));
  if (!options.sha256.empty() && read.sha256 != options.sha256) {
    return Error{.kind = ErrorKind::kCorrupt,
                 .message = fmt::format("copying {}: its bytes are not those that its name says",
                                        from.string())};
  }
  SIBYL_TRY(copy.MoveTo(to));
  return read;
}

}  // namespace sibyl
