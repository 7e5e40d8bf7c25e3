// SPDX-License-Identifier: Apache-2.0
#include "base/files/user_state.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <system_error>
#include <utility>

#include "base/files/file_lock.h"
#include "base/files/files.h"
#include "base/process/environment.h"
#include "base/secret.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kKeyFile = "key";
constexpr std::size_t kKeyBytes = 32;
constexpr std::uint32_t kOthersMayRead = 077;

Result<std::string> ReadKey(const Root& root) {
  const auto about = root.About(kKeyFile);
  const std::string shown = root.Shown(kKeyFile).string();
  if (about && (about->kind != FileKind::kFile || about->owner != ::geteuid() ||
                (about->mode & kOthersMayRead) != 0)) {
    return Error{
        .kind = ErrorKind::kUsage,
        .message = fmt::format("reading {}: only you may have access to this file", shown),
        .hint = fmt::format("delete it; a new key is created, and unfinished runs start over")};
  }
  std::string key = SIBYL_TRY(root.Read(kKeyFile, {.max_bytes = 4 * kKeyBytes}));
  if (key.size() == 2 * kKeyBytes) return key;
  return Error{.kind = ErrorKind::kCorrupt,
               .message = fmt::format("reading {}: it is damaged", shown),
               .hint = "delete it; a new key is created, and unfinished runs start over"};
}

// Two processes may need the first key at the same time.
Result<std::string> MakeKey(const Root& root) {
  constexpr std::chrono::seconds kPatience{10};
  const FileLock turn = SIBYL_TRY(FileLock::Take(root.Shown("key.lock"), kPatience));
  if (root.Exists(kKeyFile)) return ReadKey(root);
  std::string key = SIBYL_TRY(RandomHex(kKeyBytes));
  SIBYL_TRY(root.Write(kKeyFile, key, {.mode = 0600}));
  return key;
}

}  // namespace

Result<fs::path> UserState::DefaultFolder() {
  if (const auto state = EnvironmentVariable("XDG_STATE_HOME");
      state && fs::path(*state).is_absolute()) {
    return fs::path(*state) / "sibyl";
  }
  const auto home = EnvironmentVariable("HOME");
  std::error_code error;
  // A home that does not exist, such as that of a service, is not made, even by root.
  const bool is_there =
      home && fs::path(*home).is_absolute() && fs::is_directory(fs::path(*home), error);
  if (is_there) return fs::path(*home) / ".local/state/sibyl";
  return Error{.kind = ErrorKind::kUsage,
               .message = home ? fmt::format("finding the state folder: HOME is '{}', which is not "
                                             "a folder with an absolute path",
                                             *home)
                               : std::string("finding the state folder: HOME is not set"),
               .hint = "set HOME or XDG_STATE_HOME"};
}

Result<UserState> UserState::Open(const fs::path& folder) {
  std::error_code ignored;
  const bool is_new = !fs::exists(folder, ignored);
  Root root = SIBYL_TRY(Root::Create(folder));
  if (is_new) fs::permissions(folder, fs::perms::owner_all, ignored);
  std::string key = root.Exists(kKeyFile) ? SIBYL_TRY(ReadKey(root)) : SIBYL_TRY(MakeKey(root));
  return UserState(std::move(root), std::move(key));
}

std::string UserState::Sign(std::string_view purpose, std::string_view text) const {
  return KeyedHash(key_, fmt::format("{}\n{}", purpose, text));
}

bool UserState::Verifies(std::string_view purpose, std::string_view text,
                         std::string_view signature) const {
  return EqualInConstantTime(Sign(purpose, text), signature);
}

}  // namespace sibyl
