// SPDX-License-Identifier: Apache-2.0
#include "base/files/file_identity.h"

#include <sys/stat.h>

#include <ctime>

namespace sibyl {
namespace {

constexpr std::int64_t kNanosecondsOfSecond = 1'000'000'000;

std::int64_t InNanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * kNanosecondsOfSecond + time.tv_nsec;
}

}  // namespace

std::optional<FileIdentity> IdentityOf(const std::filesystem::path& file) {
  struct stat about {};
  if (::stat(file.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return std::nullopt;
  timespec now{};
  if (::clock_gettime(CLOCK_REALTIME, &now) != 0) return std::nullopt;
  const FileIdentity identity{.device = about.st_dev,
                              .inode = about.st_ino,
                              .bytes = static_cast<std::uint64_t>(about.st_size),
                              .modified_ns = InNanoseconds(about.st_mtim),
                              .changed_ns = InNanoseconds(about.st_ctim)};
  // File systems count in steps of up to two seconds.
  if (InNanoseconds(now) - identity.changed_ns < 2 * kNanosecondsOfSecond) return std::nullopt;
  return identity;
}

}  // namespace sibyl
