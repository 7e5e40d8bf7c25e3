// SPDX-License-Identifier: Apache-2.0
#include "base/files/user_cache.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "base/files/files.h"
#include "base/process/environment.h"

namespace sibyl {
namespace fs = std::filesystem;
namespace {

// Folders in the cache that every operation writes to; root may have made some of them.
bool IsWritable(const fs::path& cache) {
  for (const char* part : {"", "index", "index/latest", "index/manifests", "index/segments"}) {
    if (::access((cache / part).c_str(), W_OK) != 0 && errno != ENOENT) return false;
  }
  return true;
}

// A cache that cannot be written to is used if it has sources: it may be filled and read-only
// on purpose. One without may have been made by root.
bool IsUsable(const fs::path& cache) {
  std::error_code error;
  if (!fs::is_directory(cache, error)) return CreateFolders(cache).ok();
  const fs::path sources = cache / "sources";
  const bool has_sources = fs::is_directory(sources, error) && !fs::is_empty(sources, error);
  return IsWritable(cache) || (has_sources && !error);
}

// Anybody can create a name in these folders, so one that is a link, somebody else's or open to
// others is not taken.
std::optional<fs::path> PrivateFolderIn(const fs::path& temporary) {
  fs::path folder = temporary / fmt::format("sibyl-{}", ::geteuid());
  constexpr ::mode_t kMine = 0700;
  (void)::mkdir(folder.c_str(), kMine);
  struct ::stat about = {};
  if (::lstat(folder.c_str(), &about) != 0 || !S_ISDIR(about.st_mode)) return std::nullopt;
  constexpr ::mode_t kOthers = 077;
  if (about.st_uid != ::geteuid() || (about.st_mode & kOthers) != 0) return std::nullopt;
  return folder;
}

// For users without a home that can be written to, such as those of a service or a container,
// which may have /dev/shm and nothing else (docker run --read-only): /tmp/sibyl-UID.
std::optional<fs::path> TemporaryCache() {
  std::error_code error;
  std::optional<fs::path> folder;
  if (const fs::path temporary = fs::temp_directory_path(error); !error) {
    folder = PrivateFolderIn(temporary);
  }
  return folder ? folder : PrivateFolderIn("/dev/shm");
}

}  // namespace

Result<fs::path> UserCacheFolder() {
  if (const auto cache = EnvironmentVariable("XDG_CACHE_HOME"); cache && cache->starts_with('/')) {
    return fs::path(*cache) / "sibyl";
  }
  std::string why = "neither XDG_CACHE_HOME nor HOME is set";
  if (const auto home = EnvironmentVariable("HOME"); home && home->starts_with('/')) {
    fs::path cache = fs::path(*home) / ".cache" / "sibyl";
    std::error_code error;
    // A home that does not exist, such as that of a service, is not made, even by root.
    if (fs::is_directory(*home, error) && IsUsable(cache)) return cache;
    why = fmt::format("{} cannot be written to", cache.string());
  }
  if (std::optional<fs::path> cache = TemporaryCache()) return *std::move(cache);
  return Error{.kind = ErrorKind::kUsage,
               .message = "finding a folder for the cache: " + why,
               .hint = "set XDG_CACHE_HOME to a folder that you can write to"};
}

fs::path WritableCache(const fs::path& cache) {
  std::error_code error;
  if (!fs::exists(cache, error) || IsWritable(cache)) return cache;
  return TemporaryCache().value_or(cache);
}

}  // namespace sibyl
