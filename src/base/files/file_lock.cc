// SPDX-License-Identifier: Apache-2.0
#include "base/files/file_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <thread>
#include <utility>

#include "base/os_error.h"

namespace sibyl {
namespace {

std::string Holder(const FileDescriptor& file) {
  std::array<char, 32> text{};
  const ssize_t got = ::pread(file.number(), text.data(), text.size(), 0);
  return got > 0 ? std::string(text.data(), static_cast<std::size_t>(got)) : "another";
}

// Its content is replaced, so it must not be a file of another name as well.
Status CheckOwn(const FileDescriptor& file, const std::filesystem::path& path) {
  struct stat about {};
  if (::fstat(file.number(), &about) != 0) return OsError("locking " + path.string(), errno);
  if (S_ISREG(about.st_mode) && about.st_nlink <= 1) return {};
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("locking {}: {}", path.string(),
                                      S_ISREG(about.st_mode) ? "it is a hard link to another file"
                                                             : "it is not a regular file"),
               .hint = "delete it; sibyl creates a new one"};
}

}  // namespace

Result<FileLock> FileLock::Take(const std::filesystem::path& path,
                                std::chrono::milliseconds patience) {
  FileDescriptor file(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644));
  if (!file.is_open()) return OsError("locking " + path.string(), errno);
  SIBYL_TRY(CheckOwn(file, path));
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (::flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return OsError("locking " + path.string(), errno);
    if (std::chrono::steady_clock::now() >= deadline) {
      return Error{
          .kind = ErrorKind::kUnavailable,
          .message = fmt::format("locking {}: in use by process {}", path.string(), Holder(file)),
          .hint = "wait for that process, or stop it"};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  // For the message above only; the lock itself is the kernel's.
  const std::string holder = std::to_string(::getpid());
  if (::ftruncate(file.number(), 0) != 0 ||
      ::pwrite(file.number(), holder.data(), holder.size(), 0) < 0) {
    return OsError("locking " + path.string(), errno);
  }
  return FileLock(std::move(file));
}

}  // namespace sibyl
