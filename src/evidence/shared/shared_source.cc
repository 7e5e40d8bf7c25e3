// SPDX-License-Identifier: Apache-2.0
#include "evidence/shared/shared_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/files/root.h"
#include "base/hash.h"
#include "evidence/pages/page_snapshot.h"

namespace sibyl::evidence {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSkips = "skips";
constexpr std::string_view kBroughtSkips = "skips.brought";
constexpr std::string_view kPageSuffix = ".warc.gz";
const fs::path kPacks = fs::path("objects") / "pack";

Mirror MirrorOf(const Pin& pin, const Surroundings& around) {
  return around.store.MirrorOf(pin.kind, StoreOrigin(pin.origin, around.oracle));
}

// What a mirror has of a commit depends on the filter: files that it leaves out are not
// copied from a local repository. The mirror's name has a hash of the origin.
std::string RecordName(const Pin& pin, const Mirror& mirror) {
  std::string filter = std::to_string(pin.filter.max_file_bytes);
  for (const std::string& glob : pin.filter.include) filter += "\n+" + glob;
  for (const std::string& glob : pin.filter.exclude) filter += "\n-" + glob;
  constexpr std::size_t kDigits = 16;
  return fmt::format("{}-{}-{}", mirror.folder().stem().string(), pin.tree->Hex(),
                     Sha256(filter).substr(0, kDigits));
}

bool IsPackFile(const fs::path& name) {
  return name.extension() == ".pack" || name.extension() == ".idx";
}

// A pack is used as soon as its index is there, so the index comes last.
Result<std::vector<GivenFile>> PacksOf(const Mirror& mirror) {
  const Root root = SIBYL_TRY(Root::Open(mirror.folder()));
  std::vector<GivenFile> files;
  for (const RootEntry& entry : SIBYL_TRY(root.List(kPacks))) {
    if (entry.kind != FileKind::kFile || !IsPackFile(entry.name)) continue;
    files.push_back({.name = entry.name, .path = root.Shown(kPacks / entry.name)});
  }
  std::stable_partition(files.begin(), files.end(),
                        [](const GivenFile& file) { return file.path.extension() == ".pack"; });
  if (root.IsFile(kSkips)) {
    files.push_back({.name = std::string(kSkips), .path = root.Shown(kSkips)});
  }
  return files;
}

std::vector<GivenFile> SnapshotsOf(const Pin& pin, const Store& store) {
  std::vector<GivenFile> files;
  for (const PageRecord& page : pin.pages) {
    const fs::path path = PageSnapshotPath(store, page.text_sha256);
    files.push_back({.name = path.filename().string(), .path = path});
  }
  return files;
}

Result<bool> BringPages(const std::string& name, const Surroundings& around) {
  Status made;
  const auto target = [&](const std::string& file) -> fs::path {
    if (!file.ends_with(kPageSuffix)) return {};
    const std::string digits = file.substr(0, file.size() - kPageSuffix.size());
    fs::path path = PageSnapshotPath(around.store, digits);
    if (Result<Root> root = Root::Create(path.parent_path()); !root.ok()) {
      made = std::move(root).error();
    }
    return path;
  };
  const bool is_brought =
      SIBYL_TRY(around.shared->Bring(RecordKind::kSource, name, target, around.cancelled));
  if (!made.ok()) return std::move(made).error();
  return is_brought;
}

Result<bool> BringPacks(const std::string& name, const Pin& pin, const Mirror& mirror,
                        const Surroundings& around) {
  const FileLock lock = SIBYL_TRY(mirror.Lock());
  SIBYL_TRY(mirror.Create(StoreOrigin(pin.origin, around.oracle)));
  const Root root = SIBYL_TRY(Root::Open(mirror.folder()));
  const auto target = [&root](const std::string& file) -> fs::path {
    if (file == kSkips) return root.Shown(kBroughtSkips);
    // A pack is named by its content.
    const bool is_wanted = IsPackFile(file) && !root.Exists(kPacks / file);
    return is_wanted ? root.Shown(kPacks / file) : fs::path();
  };
  const bool is_brought =
      SIBYL_TRY(around.shared->Bring(RecordKind::kSource, name, target, around.cancelled));
  if (root.IsFile(kBroughtSkips)) {
    const std::string text = SIBYL_TRY(root.Read(kBroughtSkips));
    SIBYL_TRY(mirror.AddNotes(ParseSkipNotes(text)));
    SIBYL_TRY(root.Remove(kBroughtSkips));
  }
  return is_brought;
}

}  // namespace

Status GiveSource(const Pin& pin, const Surroundings& around) {
  if (!around.shared || !pin.tree) return {};
  const Mirror mirror = MirrorOf(pin, around);
  const std::string name = RecordName(pin, mirror);
  if (around.shared->Has(RecordKind::kSource, name)) return {};
  std::vector<GivenFile> files =
      pin.kind == SourceKind::kPage ? SnapshotsOf(pin, around.store) : SIBYL_TRY(PacksOf(mirror));
  return around.shared->Give(RecordKind::kSource, name, files, around.cancelled);
}

Result<bool> BringSource(const Pin& pin, const Surroundings& around) {
  if (!around.shared || !pin.tree) return false;
  const Mirror mirror = MirrorOf(pin, around);
  const std::string name = RecordName(pin, mirror);
  if (!around.shared->Has(RecordKind::kSource, name)) return false;
  if (around.progress) around.progress("copying " + pin.name + " from the shared store");
  return pin.kind == SourceKind::kPage ? BringPages(name, around)
                                       : BringPacks(name, pin, mirror, around);
}

Result<std::optional<SharedClaim>> ClaimSource(const Pin& pin, const Surroundings& around) {
  if (!around.shared || !pin.tree) return std::optional<SharedClaim>();
  const Mirror mirror = MirrorOf(pin, around);
  const std::string name = RecordName(pin, mirror);
  const SharedStore& store = *around.shared;
  return store.Claim(
      RecordKind::kSource, name, [&] { return store.Has(RecordKind::kSource, name); },
      around.cancelled);
}

}  // namespace sibyl::evidence
