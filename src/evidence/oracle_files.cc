// SPDX-License-Identifier: Apache-2.0
#include "evidence/oracle_files.h"

#include <system_error>

#include "base/files.h"
#include "base/hash.h"
#include "evidence/evidence.h"

namespace sibyl::evidence {
namespace fs = std::filesystem;
namespace {

Result<std::string> ReadIfThere(const fs::path& path, std::size_t max_bytes) {
  std::error_code error;
  if (!fs::exists(path, error)) return std::string();
  return ReadFile(path, {.max_bytes = max_bytes});
}

fs::path ConfigPath(const Surroundings& around) { return around.oracle / kConfigFile; }
fs::path LockPath(const Surroundings& around) { return around.oracle / kLockFile; }

}  // namespace

Result<FileLock> LockOracle(const Surroundings& around, std::chrono::milliseconds patience) {
  const fs::path folder = around.store.folder() / "oracles";
  SIBYL_TRY(CreateFolders(folder));
  std::error_code error;
  const fs::path oracle = fs::weakly_canonical(around.oracle, error);
  return FileLock::Take(folder / (Sha256(oracle.string()).substr(0, 16) + ".lock"), patience);
}

Result<std::string> ReadConfigText(const Surroundings& around) {
  return ReadIfThere(ConfigPath(around), kMaxConfigBytes);
}

Status WriteConfigText(std::string_view text, const Surroundings& around) {
  return WriteFileAtomically(ConfigPath(around), text);
}

Result<Lock> ReadLock(const Surroundings& around) {
  const std::string text = SIBYL_TRY(ReadIfThere(LockPath(around), kMaxLockBytes));
  if (text.empty()) return Lock{};
  return ParseLock(text);
}

Status WriteLock(const Lock& lock, const Surroundings& around) {
  return WriteFileAtomically(LockPath(around), FormatLock(lock));
}

}  // namespace sibyl::evidence
