// SPDX-License-Identifier: Apache-2.0
#include "engine/agent_lease.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <chrono>
#include <system_error>

#include "base/file_lock.h"
#include "base/files.h"
#include "base/secret.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kKeyBytes = 32;
constexpr std::size_t kMarkDigits = 32;

Error NotOurs() {
  return {.kind = ErrorKind::kUsage,
          .message = "this is no lease of this oracle",
          .hint = "take the member 'lease' of what claim_part answered, as it is"};
}

Result<std::string> ReadKey(const fs::path& path) {
  std::string key = SIBYL_TRY(ReadFile(path, {.max_bytes = 4 * kKeyBytes}));
  if (key.size() == 2 * kKeyBytes) return key;
  return Error{.kind = ErrorKind::kCorrupt,
               .message = fmt::format("reading {}: it is damaged", path.string()),
               .hint = "delete it; leases that were given out end then"};
}

// Two processes may need the first key at the same time.
Result<std::string> MakeKey(const fs::path& path) {
  constexpr std::chrono::seconds kPatience{10};
  SIBYL_TRY(CreateFolders(path.parent_path()));
  const FileLock turn = SIBYL_TRY(FileLock::Take(path.string() + ".lock", kPatience));
  std::error_code ignored;
  if (fs::exists(path, ignored)) return ReadKey(path);
  const std::string key = SIBYL_TRY(RandomHex(kKeyBytes));
  const fs::path made = path.string() + ".new";
  SIBYL_TRY(WriteFileAtomically(made, key));
  std::error_code failure;
  fs::permissions(made, fs::perms::owner_read | fs::perms::owner_write, failure);
  if (!failure) fs::rename(made, path, failure);
  if (!failure) return key;
  return Error{.kind = ErrorKind::kUnavailable,
               .message = fmt::format("writing {}: {}", path.string(), failure.message())};
}

Result<std::string> KeyOf(const fs::path& oracle) {
  const fs::path path = oracle / ".sibyl" / "agent.key";
  std::error_code ignored;
  return fs::exists(path, ignored) ? ReadKey(path) : MakeKey(path);
}

std::string MarkOf(std::string_view key, std::string_view named) {
  return KeyedHash(key, named).substr(0, kMarkDigits);
}

}  // namespace

Result<std::string> FormatLease(const fs::path& oracle, const AgentLease& lease) {
  const std::string key = SIBYL_TRY(KeyOf(oracle));
  const std::string named =
      fmt::format("{}-{}-{}", lease.run, lease.lease.place, lease.lease.token);
  return fmt::format("{}-{}", named, MarkOf(key, named));
}

Result<AgentLease> ParseLease(const fs::path& oracle, std::string_view word) {
  constexpr std::size_t kLongest = 200;
  const std::size_t end = word.rfind('-');
  if (end == std::string_view::npos || word.size() > kLongest) return NotOurs();
  const std::string key = SIBYL_TRY(KeyOf(oracle));
  const std::string_view named = word.substr(0, end);
  if (!EqualInConstantTime(word.substr(end + 1), MarkOf(key, named))) return NotOurs();
  std::array<std::int64_t, 3> numbers{};
  const char* at = named.data();
  const char* stop = named.data() + named.size();
  for (std::int64_t& number : numbers) {
    const auto [behind, failure] = std::from_chars(at, stop, number);
    if (failure != std::errc() || number < 0) return NotOurs();
    at = behind + (behind != stop ? 1 : 0);
  }
  return AgentLease{.run = numbers[0],
                    .lease = {.place = static_cast<std::size_t>(numbers[1]), .token = numbers[2]}};
}

}  // namespace sibyl::engine
