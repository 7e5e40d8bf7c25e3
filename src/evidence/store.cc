// SPDX-License-Identifier: Apache-2.0
#include "evidence/store.h"

#include <fmt/format.h>

#include <chrono>
#include <system_error>
#include <utility>

#include "base/files/files.h"
#include "base/files/user_cache.h"
#include "base/hash.h"
#include "base/strings.h"
#include "git/origin.h"

namespace sibyl::evidence {
namespace fs = std::filesystem;
namespace {

// Fetching a large history takes minutes; another process may be about it.
constexpr std::chrono::minutes kPatience{10};

// The minimum for git to recognise a bare repository.
constexpr std::string_view kConfig =
    "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n"
    "[gc]\n\tauto = 0\n";

Status WriteIfAbsent(const fs::path& path, std::string_view bytes) {
  std::error_code error;
  if (fs::exists(path, error)) return {};
  return WriteFileAtomically(path, bytes);
}

std::string SafeName(std::string_view name) {
  constexpr std::size_t kMaxLetters = 40;
  std::string safe;
  for (const char letter : name.substr(0, kMaxLetters)) {
    safe += IsSourceName(std::string_view(&letter, 1)) ? letter : '-';
  }
  return safe;
}

}  // namespace

bool Mirror::Exists() const {
  std::error_code error;
  return fs::is_directory(objects() / "pack", error);
}

Status Mirror::Create(std::string_view origin) const {
  SIBYL_TRY(CreateFolders(objects() / "pack"));
  SIBYL_TRY(CreateFolders(objects() / "info"));
  SIBYL_TRY(CreateFolders(folder_ / "refs"));
  SIBYL_TRY(WriteIfAbsent(folder_ / "config", kConfig));
  SIBYL_TRY(WriteIfAbsent(folder_ / "description", std::string(origin) + "\n"));
  return WriteIfAbsent(folder_ / "HEAD", "ref: refs/heads/main\n");
}

Result<FileLock> Mirror::Lock() const {
  SIBYL_TRY(CreateFolders(folder_.parent_path()));
  return FileLock::Take(folder_.string() + ".lock", kPatience);
}

Result<std::shared_ptr<const git::ObjectDatabase>> Mirror::Open() const {
  git::ObjectDatabase database = SIBYL_TRY(git::ObjectDatabase::Open(objects()));
  return std::make_shared<const git::ObjectDatabase>(std::move(database));
}

Result<SkipNotes> Mirror::ReadNotes() const {
  const fs::path path = folder_ / "skips";
  std::error_code error;
  if (!fs::exists(path, error)) return SkipNotes();
  return ParseSkipNotes(SIBYL_TRY(ReadFile(path)));
}

Status Mirror::AddNotes(const SkipNotes& notes) const {
  if (notes.empty()) return {};
  SkipNotes all = SIBYL_TRY(ReadNotes());
  const std::size_t before = all.size();
  for (const auto& [id, reason] : notes) all[id] = reason;
  if (all.size() == before) return {};
  std::string text;
  for (const auto& [id, reason] : all) {
    text += fmt::format("{} {}\n", id.Hex(), SkipReasonName(reason));
  }
  return WriteFileAtomically(folder_ / "skips", text);
}

Result<Store> Store::Default() { return Store(SIBYL_TRY(UserCacheFolder())); }

Mirror Store::MirrorOf(SourceKind kind, std::string_view origin) const {
  constexpr std::size_t kHashDigits = 16;
  // Pages of all sources share one mirror: many list the same ones, and a
  // source may change its list.
  if (kind == SourceKind::kPage) origin = "pages";
  const std::string key = fmt::format("{} {}", SourceKindName(kind), origin);
  return Mirror(folder_ / "sources" /
                fmt::format("{}-{}.git", SafeName(git::OriginName(origin)),
                            Sha256(key).substr(0, kHashDigits)));
}

std::string StoreOrigin(std::string_view origin, const fs::path& oracle) {
  if (!git::IsLocalOrigin(origin)) return git::WithoutCredentials(origin);
  std::error_code error;
  const fs::path path = oracle / fs::path(git::LocalPath(origin));
  const fs::path canonical = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal().string() : canonical.string();
}

}  // namespace sibyl::evidence
