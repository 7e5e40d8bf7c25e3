// SPDX-License-Identifier: Apache-2.0
#include "evidence/oracle_files.h"

#include <system_error>

#include "base/files/root.h"
#include "base/files/root_links.h"
#include "base/hash.h"
#include "base/toml_text.h"
#include "evidence/evidence.h"

namespace sibyl::evidence {
namespace fs = std::filesystem;
namespace {

Result<std::string> ReadIfThere(const Surroundings& around, std::string_view name,
                                std::size_t max_bytes) {
  const Root oracle = SIBYL_TRY(Root::Open(around.oracle));
  if (!oracle.Exists(name)) return std::string();
  return ReadFollowing(oracle, name, {.max_bytes = max_bytes});
}

Status Write(const Surroundings& around, std::string_view name, std::string_view text) {
  const Root oracle = SIBYL_TRY(Root::Open(around.oracle));
  return oracle.Write(name, text);
}

// One name for an oracle however its path is spelled. It names a lock; nothing
// is opened by it.
Result<fs::path> LockPath(const Surroundings& around, std::string_view ending) {
  const Root folder = SIBYL_TRY(Root::Create(around.store.folder() / "oracles"));
  std::error_code error;
  const fs::path oracle = fs::weakly_canonical(around.oracle, error);
  return folder.Shown(Sha256(oracle.string()).substr(0, 16) + std::string(ending));
}

}  // namespace

Result<FileLock> LockOracle(const Surroundings& around, std::chrono::milliseconds patience) {
  const fs::path path = SIBYL_TRY(LockPath(around, ".lock"));
  return FileLock::Take(path, patience);
}

Result<FileLock> LockOracleFile(const Surroundings& around, std::string_view name,
                                std::chrono::milliseconds patience) {
  const fs::path path = SIBYL_TRY(LockPath(around, "." + std::string(name) + ".lock"));
  return FileLock::Take(path, patience);
}

Result<std::string> ReadConfigText(const Surroundings& around) {
  return ReadIfThere(around, kConfigFile, kMaxTomlBytes);
}

Status WriteConfigText(std::string_view text, const Surroundings& around) {
  return Write(around, kConfigFile, text);
}

Result<Lock> ReadLock(const Surroundings& around) {
  const std::string text = SIBYL_TRY(ReadIfThere(around, kLockFile, kMaxLockBytes));
  if (text.empty()) return Lock{};
  return ParseLock(text);
}

Status WriteLock(const Lock& lock, const Surroundings& around) {
  return Write(around, kLockFile, FormatLock(lock));
}

}  // namespace sibyl::evidence
