// SPDX-License-Identifier: Apache-2.0
#include "engine/own/own_source.h"

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <utility>

#include "base/files/file_lock.h"
#include "base/files/root.h"
#include "base/files/user_cache.h"
#include "base/hash.h"
#include "engine/own/own_documents.h"
#include "evidence/store.h"
#include "index/builder/index_builder.h"
#include "oracle/snapshot_documents.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOwnSegments = "segments";
constexpr std::string_view kOwnManifest = "manifest";
constexpr std::string_view kOwnState = "state";

// Each work tree has a folder of its own, so that segments which no longer belong
// to it can be deleted.
Result<fs::path> CacheFolderOf(const oracle::Context& context,
                               const references::Repository& repository) {
  fs::path store;
  if (context.store) {
    store = *context.store;
  } else {
    store = SIBYL_TRY(evidence::Store::Default()).folder();
  }
  const std::string tree = repository.location().work_tree.string();
  return WritableCache(store) / "index" / "own" / Sha256(tree).substr(0, 40) /
         (repository.is_work_tree() ? "work-tree" : "commit");
}

// What the index was built from: it is current while this stays the same.
std::string OwnStateOf(const references::Repository& repository) {
  const std::string files = repository.is_work_tree() ? fmt::format("{:x}", repository.stamp())
                                                      : repository.head()->Hex();
  return fmt::format("{} {}", oracle::kPassageRules, files);
}

audit::WitnessSource WitnessNameOf(const references::Repository& repository) {
  audit::WitnessSource named{.name = repository.location().work_tree.filename().string(),
                             .origin = repository.Origin()};
  if (!repository.is_work_tree()) named.pin = repository.head()->Hex().substr(0, 7);
  return named;
}

Status BuildOwnIndex(const references::Repository& repository, const Root& root) {
  OwnDocuments documents = SIBYL_TRY(OwnDocuments::List(repository));
  const fs::path segments = root.path() / kOwnSegments;
  const fs::path manifest = root.path() / kOwnManifest;
  const index::BuildReport report =
      SIBYL_TRY(index::BuildIndex(documents, {.segment_folder = segments,
                                              .manifest = manifest,
                                              .fingerprint = std::string(oracle::kPassageRules),
                                              .previous = manifest}));
  SIBYL_TRY(root.Write(fs::path(kOwnState), OwnStateOf(repository)));
  const index::Manifest built = SIBYL_TRY(index::ReadManifest(manifest));
  // Files that no manifest names; one that cannot be deleted is deleted next time.
  for (const RootEntry& entry : SIBYL_TRY(root.List(fs::path(kOwnSegments)))) {
    const bool is_used =
        std::any_of(built.segments.begin(), built.segments.end(),
                    [&](const auto& segment) { return entry.name.starts_with(segment.id); });
    if (!is_used) (void)root.Remove(fs::path(kOwnSegments) / entry.name);
  }
  return {};
}

}  // namespace

Result<OwnSource> OpenOwnSource(const oracle::Context& context,
                                const references::Repository& repository) {
  const fs::path folder = SIBYL_TRY(CacheFolderOf(context, repository));
  const Root root = SIBYL_TRY(Root::Create(folder));
  SIBYL_TRY(root.MakeFolders(fs::path(kOwnSegments)));
  OwnSource source{.named = WitnessNameOf(repository), .folder = folder};
  const FileLock lock = SIBYL_TRY(FileLock::Take(folder / "lock", std::chrono::minutes(10)));
  const auto open = [&] {
    return index::Index::Open(folder / kOwnManifest, folder / kOwnSegments, source.named.name);
  };
  const Result<std::string> state = root.Read(fs::path(kOwnState));
  const bool is_current = state.ok() && *state == OwnStateOf(repository);
  Result<index::Index> index = open();
  const bool is_damaged = is_current && !index.ok();
  if (!is_current || !index.ok()) {
    if (context.progress) {
      context.progress(fmt::format("indexing {} ({} files)", source.named.name,
                                   repository.paths().all().size()));
    }
    if (is_damaged) {
      source.rebuilt =
          Finding{.severity = Severity::kNote,
                  .code = "index/rebuilt",
                  .message = fmt::format("{}: its index was unusable and was rebuilt: {}",
                                         source.named.name, index.error().message)};
    }
    SIBYL_TRY(BuildOwnIndex(repository, root));
    index = open();
    if (!index.ok()) return std::move(index).error();
  }
  source.content = Sha256(SIBYL_TRY(root.Read(fs::path(kOwnManifest))));
  source.index = std::make_unique<index::Index>(std::move(*index));
  return source;
}

}  // namespace sibyl::engine
