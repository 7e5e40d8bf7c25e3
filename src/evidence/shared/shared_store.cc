// SPDX-License-Identifier: Apache-2.0
#include "evidence/shared/shared_store.h"

#include <fmt/format.h>

#include <utility>

#include "base/files/copy_file.h"
#include "base/json.h"
#include "base/telemetry/families.h"
#include "base/telemetry/metrics.h"

namespace sibyl::evidence {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMarker = "sibyl-store.json";
constexpr std::string_view kStoreFormat = "sibyl-store";
constexpr int kStoreVersion = 1;

std::string_view FolderOf(RecordKind kind) {
  return kind == RecordKind::kSource ? "sources" : "indexes";
}

void CountUse(RecordKind kind, const char* result) {
  Metrics::OfProcess().Add(kStoreUse, {kind == RecordKind::kSource ? "source" : "index", result});
}

Status CheckMarker(const Root& root) {
  const Result<std::string> text = root.Read(kMarker, {.max_bytes = 4096});
  if (!text.ok()) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("opening the shared store {}: it is not a store",
                                        root.path().string()),
                 .hint = fmt::format("mount it, or make one with 'sibyl store init {}'",
                                     root.path().string())};
  }
  const Result<Json> marker = ParseJson(*text);
  const bool is_ours = marker.ok() && marker->is_object() && marker->contains("format") &&
                       (*marker)["format"] == kStoreFormat && marker->contains("version") &&
                       (*marker)["version"] == kStoreVersion;
  if (is_ours) return {};
  return Error{.kind = ErrorKind::kCorrupt,
               .message = fmt::format("opening the shared store {}: {} is damaged, or of a newer "
                                      "version of sibyl",
                                      root.path().string(), kMarker),
               .hint = "use the version of sibyl that made it"};
}

}  // namespace

Status SharedStore::Init(const fs::path& folder) {
  if (!folder.is_absolute()) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("making a shared store: '{}' is not an absolute path",
                                        folder.string())};
  }
  const Root root = SIBYL_TRY(Root::Create(folder));
  if (root.Exists(kMarker)) return CheckMarker(root);
  const std::vector<RootEntry> entries = SIBYL_TRY(root.List());
  if (!entries.empty()) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("making a shared store in {}: the folder is not empty",
                                        folder.string()),
                 .hint = "name an empty or a new folder"};
  }
  for (const std::string_view below : {kStoreFiles, kStoreClaims, kStoreStaging}) {
    SIBYL_TRY(root.MakeFolders(below));
  }
  for (const RecordKind kind : {RecordKind::kSource, RecordKind::kIndex}) {
    SIBYL_TRY(root.MakeFolders(fs::path(kStoreRecords) / FolderOf(kind)));
  }
  const Json marker = {{"format", kStoreFormat}, {"version", kStoreVersion}};
  return root.Write(kMarker, FormatJson(marker, JsonLayout::kCompact) + "\n");
}

Result<SharedStore> SharedStore::Open(const fs::path& folder) {
  if (!folder.is_absolute()) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("opening the shared store '{}': not an absolute path",
                                        folder.string()),
                 .hint = "set SIBYL_STORE to the whole path of the folder"};
  }
  Root root = SIBYL_TRY(Root::Open(folder));
  SIBYL_TRY(CheckMarker(root));
  // An alarm watches it: an increase from nothing is none.
  for (const char* kind : {"source", "index"}) {
    Metrics::OfProcess().Add(kStoreUse, {kind, "damaged"}, 0);
  }
  return SharedStore(std::move(root));
}

fs::path SharedStore::RecordPath(RecordKind kind, std::string_view name) {
  return fs::path(kStoreRecords) / FolderOf(kind) / fmt::format("{}.json", name);
}

fs::path SharedStore::FilePath(std::string_view sha256) {
  return fs::path(kStoreFiles) / sha256.substr(0, 2) / sha256;
}

Result<std::optional<std::vector<StoredFile>>> SharedStore::ReadRecord(
    RecordKind kind, std::string_view name) const {
  const fs::path path = RecordPath(kind, name);
  if (!root_.IsFile(path)) return std::optional<std::vector<StoredFile>>();
  const std::string text = SIBYL_TRY(root_.Read(path, {.max_bytes = kMaxRecordBytes}));
  return std::optional(SIBYL_TRY(ParseStoreRecord(text)));
}

bool SharedStore::Has(RecordKind kind, std::string_view name) const {
  const auto files = ReadRecord(kind, name);
  if (!files.ok() || !*files) return false;
  for (const StoredFile& file : **files) {
    const std::optional<FileAbout> about = root_.About(FilePath(file.sha256));
    if (!about || about->bytes != file.bytes) return false;
  }
  return true;
}

Result<StoredFile> SharedStore::Store(const GivenFile& file,
                                      const std::function<bool()>& cancelled) const {
  const HashedFile hashed = SIBYL_TRY(HashFile(file.path, cancelled));
  const fs::path place = FilePath(hashed.sha256);
  const std::optional<FileAbout> there = root_.About(place);
  if (!there || there->bytes != hashed.bytes) {
    SIBYL_TRY(root_.MakeFolders(place.parent_path()));
    SIBYL_TRY(CopyFileAtomically(
        file.path, root_.Shown(place),
        {.sha256 = hashed.sha256, .staging = root_.Shown(kStoreStaging), .cancelled = cancelled}));
  }
  return StoredFile{.name = file.name, .sha256 = hashed.sha256, .bytes = hashed.bytes};
}

Status SharedStore::Give(RecordKind kind, std::string_view name,
                         const std::vector<GivenFile>& files,
                         const std::function<bool()>& cancelled) const {
  if (!IsStoredName(name) || files.size() > kMaxRecordFiles) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("storing {}: the name is not valid, or it has more than {} "
                                        "files",
                                        name, kMaxRecordFiles)};
  }
  std::vector<StoredFile> stored;
  stored.reserve(files.size());
  for (const GivenFile& file : files) stored.push_back(SIBYL_TRY(Store(file, cancelled)));
  SIBYL_TRY(root_.Write(RecordPath(kind, name), FormatStoreRecord(stored)));
  // A collection that had read the records before this one was written may have removed
  // a file that was there already.
  for (const GivenFile& file : files) SIBYL_TRY(Store(file, cancelled));
  CountUse(kind, "given");
  return {};
}

Result<bool> SharedStore::Bring(RecordKind kind, std::string_view name,
                                const std::function<fs::path(const std::string&)>& target,
                                const std::function<bool()>& cancelled) const {
  const auto files = SIBYL_TRY(ReadRecord(kind, name));
  if (!files) return false;
  for (const StoredFile& file : *files) {
    const fs::path to = target(file.name);
    if (to.empty()) continue;
    const Result<HashedFile> copied = CopyFileAtomically(
        root_.Shown(FilePath(file.sha256)), to, {.sha256 = file.sha256, .cancelled = cancelled});
    if (!copied.ok() && copied.error().kind == ErrorKind::kNotFound) return false;
    if (!copied.ok() && copied.error().kind == ErrorKind::kCorrupt) CountUse(kind, "damaged");
    if (!copied.ok()) return copied.error();
  }
  CountUse(kind, "copied");
  // Its age is the time since its last use; a store that is mounted read-only has no gc.
  (void)root_.Write(RecordPath(kind, name), FormatStoreRecord(*files));
  return true;
}

Result<std::optional<SharedClaim>> SharedStore::Claim(
    RecordKind kind, std::string_view name, const std::function<bool()>& is_done,
    const std::function<bool()>& cancelled) const {
  const fs::path file = fs::path(kStoreClaims) / fmt::format("{}-{}", FolderOf(kind), name);
  auto claim = SIBYL_TRY(SharedClaim::Take(root_.Shown(file), is_done, {.cancelled = cancelled}));
  if (claim) CountUse(kind, "made");
  return claim;
}

}  // namespace sibyl::evidence
