// SPDX-License-Identifier: Apache-2.0
#include "oracle/source_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "base/files/file_lock.h"
#include "base/files/root.h"
#include "base/files/user_cache.h"
#include "base/hash.h"
#include "base/nearest_name.h"
#include "base/strings.h"
#include "evidence/shared/shared_store.h"
#include "index/builder/index_builder.h"
#include "index/history/history_field.h"
#include "index/segment/segment_writer.h"
#include "oracle/commit_documents.h"
#include "oracle/snapshot_documents.h"
#include "oracle/source_failures.h"
#include "oracle/source_vectors.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSharedManifest = "manifest";  // its name in the shared store

// What decides the content of an index besides the rules: tree and filter.
std::string KeyOf(const evidence::Pin& pin) {
  std::string key = pin.tree ? pin.tree->Hex() : std::string();
  for (const std::string& glob : pin.filter.include) key += "\n+" + glob;
  for (const std::string& glob : pin.filter.exclude) key += "\n-" + glob;
  key += fmt::format("\n{}\n{}", pin.filter.max_file_bytes, kPassageRules);
  return Sha256(key).substr(0, 40);
}

struct Places {
  fs::path root;  ///< All others are below.
  fs::path segments;
  fs::path manifest;
  fs::path latest;  ///< Names the manifest that was built last for this origin.
  fs::path lock;
};

Places PlacesOf(const evidence::Pin& pin, const fs::path& cache) {
  const fs::path root = cache / "index";
  const std::string origin = Sha256(pin.origin).substr(0, 40);
  return {.root = root,
          .segments = root / "segments",
          .manifest = root / "manifests" / KeyOf(pin),
          .latest = root / "latest" / origin,
          .lock = root / "latest" / (origin + ".lock")};
}

Finding AboutSource(const evidence::Pin& pin, Severity severity, std::string_view code,
                    std::string message, std::string hint = {}) {
  return {.severity = severity,
          .code = std::string(code),
          .message = fmt::format("{}: {}", pin.name, message),
          .hint = std::move(hint),
          .place = {.file = std::string(evidence::kLockFile)}};
}

Status Build(const evidence::Pin& pin, const Places& places, const evidence::Surroundings& around) {
  Result<evidence::Snapshot> snapshot = evidence::OpenSnapshot(pin, around);
  if (!snapshot.ok() && snapshot.error().kind == ErrorKind::kNotFound) {
    SIBYL_TRY(evidence::RestoreSource(pin, around));
    snapshot = evidence::OpenSnapshot(pin, around);
  }
  if (!snapshot.ok()) return std::move(snapshot).error();
  if (around.progress) {
    around.progress(fmt::format("indexing {} ({} files)", pin.name, snapshot->files().size()));
  }
  fs::path previous;
  const Root root = SIBYL_TRY(Root::Create(places.root));
  const fs::path latest_file = places.latest.lexically_relative(places.root);
  if (const Result<std::string> latest = root.Read(latest_file); latest.ok()) {
    previous = places.manifest.parent_path() / *latest;
  }
  SnapshotDocuments documents(*snapshot);
  SIBYL_TRY(index::BuildIndex(documents, {.segment_folder = places.segments,
                                          .manifest = places.manifest,
                                          .fingerprint = std::string(kPassageRules),
                                          .previous = previous}));
  return root.Write(latest_file, places.manifest.filename().string());
}

std::vector<evidence::GivenFile> FilesOf(const index::Index& index, const Places& places) {
  std::vector<evidence::GivenFile> files;
  for (const index::ManifestSegment& segment : index.manifest().segments) {
    const fs::path path = index::SegmentPath(places.segments, segment.id);
    files.push_back({.name = path.filename().string(), .path = path});
  }
  // Last: it is what makes the segments an index.
  files.push_back({.name = std::string(kSharedManifest), .path = places.manifest});
  return files;
}

// From the shared store, if it has the index.
void Bring(const Places& places, const evidence::Surroundings& around) {
  const std::string name = places.manifest.filename().string();
  const auto target = [&places](const std::string& file) {
    return file == kSharedManifest ? places.manifest : places.segments / file;
  };
  // Without it the index is built.
  (void)around.shared->Bring(evidence::RecordKind::kIndex, name, target, around.cancelled);
}

void Give(const index::Index& index, const Places& places, const evidence::Pin& pin,
          const evidence::Surroundings& around, std::vector<Finding>& findings) {
  const Status given =
      around.shared->Give(evidence::RecordKind::kIndex, places.manifest.filename().string(),
                          FilesOf(index, places), around.cancelled);
  if (given.ok()) return;
  findings.push_back(
      AboutSource(pin, Severity::kWarning, "store/unavailable",
                  "its index was not copied to the shared store: " + given.error().message,
                  given.error().hint));
}

// Builds, or takes what another machine has built.
Result<index::Index> BuildShared(const evidence::Pin& pin, const Places& places,
                                 const evidence::Surroundings& around,
                                 std::vector<Finding>& findings) {
  const std::string name = places.manifest.filename().string();
  const evidence::SharedStore& store = *around.shared;
  const Result<std::optional<SharedClaim>> claim = store.Claim(
      evidence::RecordKind::kIndex, name,
      [&] { return store.Has(evidence::RecordKind::kIndex, name); }, around.cancelled);
  if (!claim.ok() && claim.error().kind == ErrorKind::kCancelled) return claim.error();
  Bring(places, around);
  Result<index::Index> index = index::Index::Open(places.manifest, places.segments, pin.name);
  if (index.ok()) return index;
  SIBYL_TRY(Build(pin, places, around));
  index = index::Index::Open(places.manifest, places.segments, pin.name);
  if (index.ok()) Give(*index, places, pin, around, findings);
  return index;
}

// Opens, or builds and opens; reports if an existing index was unusable.
Result<index::Index> OpenOrBuild(const evidence::Pin& pin, const evidence::Surroundings& around,
                                 std::vector<Finding>& findings) {
  // Indexes are named by their content, and another oracle may have made this one from bytes that
  // this oracle has not: 'verify' and 'source list' would call the same source missing.
  const evidence::Mirror mirror =
      around.store.MirrorOf(pin.kind, evidence::StoreOrigin(pin.origin, around.oracle));
  if (!around.shared && !mirror.Exists()) SIBYL_TRY(evidence::RestoreSource(pin, around));
  Places places = PlacesOf(pin, around.store.folder());
  Result<index::Index> index = index::Index::Open(places.manifest, places.segments, pin.name);
  if (index.ok()) return index;
  if (const fs::path cache = WritableCache(around.store.folder()); cache != around.store.folder()) {
    places = PlacesOf(pin, cache);
    index = index::Index::Open(places.manifest, places.segments, pin.name);
    if (index.ok()) return index;
  }
  if (index.error().kind != ErrorKind::kNotFound) {
    findings.push_back(
        AboutSource(pin, Severity::kNote, "index/rebuilt",
                    "its index was unusable and was rebuilt: " + index.error().message));
  }
  const Root root = SIBYL_TRY(Root::Create(places.root));
  for (const fs::path& folder :
       {places.segments, places.manifest.parent_path(), places.latest.parent_path()}) {
    SIBYL_TRY(root.MakeFolders(folder.lexically_relative(places.root)));
  }
  // Another process may be building the same index; after waiting it exists.
  const FileLock lock = SIBYL_TRY(FileLock::Take(places.lock, std::chrono::minutes(10)));
  index = index::Index::Open(places.manifest, places.segments, pin.name);
  if (index.ok()) return index;
  if (around.shared) return BuildShared(pin, places, around, findings);
  SIBYL_TRY(Build(pin, places, around));
  return index::Index::Open(places.manifest, places.segments, pin.name);
}

// The messages of the commits, indexed; built when they are first searched.
Result<index::Index> OpenMessages(const evidence::Pin& pin, const evidence::History& history,
                                  const evidence::Surroundings& around) {
  const Places places = PlacesOf(pin, WritableCache(around.store.folder()));
  const fs::path folder = places.root / "histories";
  const fs::path manifest = folder / Sha256(fmt::format("{}\n{}\n{}\n{}", history.file.tip().Hex(),
                                                        history.file.commit_count(),
                                                        evidence::kHistoryVersion, kMessageRules))
                                         .substr(0, 40);
  Result<index::Index> index = index::Index::Open(manifest, places.segments, pin.name);
  if (index.ok()) return index;
  const Root root = SIBYL_TRY(Root::Create(places.root));
  for (const fs::path& made : {places.segments, folder, places.lock.parent_path()}) {
    SIBYL_TRY(root.MakeFolders(made.lexically_relative(places.root)));
  }
  const FileLock lock = SIBYL_TRY(FileLock::Take(places.lock, std::chrono::minutes(10)));
  index = index::Index::Open(manifest, places.segments, pin.name);
  if (index.ok()) return index;
  if (around.progress) {
    around.progress(fmt::format("indexing the history of {} ({})", pin.name,
                                Count(history.file.commit_count(), "commit")));
  }
  CommitDocuments documents(history);
  // Without an earlier index: the numbers of passages are those of the commits.
  SIBYL_TRY(index::BuildIndex(documents, {.segment_folder = places.segments,
                                          .manifest = manifest,
                                          .fingerprint = std::string(kMessageRules)}));
  return index::Index::Open(manifest, places.segments, pin.name);
}

Status AttachHistory(const evidence::Pin& pin, const evidence::Surroundings& around,
                     index::Index& index) {
  evidence::History history = SIBYL_TRY(evidence::OpenHistoryOf(pin, around));
  index::Index messages = SIBYL_TRY(OpenMessages(pin, history, around));
  index::HistoryField field =
      SIBYL_TRY(index::HistoryField::Make(std::move(messages), std::move(history)));
  index.set_history(std::make_shared<const index::HistoryField>(std::move(field)));
  return {};
}

// Empty if no pin has a history: then nothing is learned.
std::string VectorKey(const evidence::Lock& lock) {
  std::string key(kVectorRules);
  bool has_history = false;
  for (const evidence::Pin& pin : lock.pins) {
    has_history = has_history || pin.history > 0;
    key += fmt::format("\n{}\n{}\n{}\n{}", pin.name, KeyOf(pin),
                       pin.commit ? pin.commit->Hex() : std::string(), pin.history);
  }
  return has_history ? Sha256(key).substr(0, 40) : std::string();
}

// Vectors are learned from all pins, whichever are searched.
Status AttachVectors(const evidence::Lock& lock, const evidence::Surroundings& around,
                     SourceIndexes& indexes) {
  const std::string key = VectorKey(lock);
  if (key.empty() || indexes.sources.empty()) return {};
  const VectorPlaces places{.root = WritableCache(around.store.folder()) / "index", .key = key};
  const bool has_all =
      std::all_of(lock.pins.begin(), lock.pins.end(), [&indexes](const evidence::Pin& pin) {
        const auto place = indexes.places.find(pin.name);
        return place != indexes.places.end() &&
               (pin.history == 0 || indexes.sources[place->second].index->history() != nullptr);
      });
  const bool is_chosen = indexes.pinned < lock.pins.size();
  // What is missing has a finding already.
  if (!has_all && !is_chosen) return {};
  return AttachVectors(
      places, around, has_all, [&] { return OpenSourceIndexes(lock, around, {}); }, indexes);
}

// Sources that cannot be searched for one reason: a clone of an oracle has none of them.
Finding Unsearchable(const std::vector<SourceFailure>& sources, std::size_t pins) {
  const Error& error = sources[0].error;
  return {.severity = Severity::kError,
          .code = "source/unsearchable",
          .message = pins == 1 ? fmt::format("{}: {}", sources[0].name, error.message)
                               : fmt::format("{} of {} sources: {} ({})", sources.size(), pins,
                                             error.message, SomeNames(sources)),
          .hint = error.hint,
          .place = {.file = std::string(evidence::kLockFile)}};
}

Error NothingPinned(const evidence::Surroundings& around) {
  const Result<evidence::SourceList> list = evidence::ListSources(around);
  const bool is_declared = list.ok() && !list->sources.empty();
  return Error{.kind = ErrorKind::kUsage,
               .message = "this oracle has no pinned sources",
               .hint = is_declared
                           ? "'sibyl source sync' fetches and pins those that sibyl.toml declares"
                           : "pin one with 'sibyl source add ORIGIN'"};
}

Result<std::vector<evidence::Pin>> ChoosePins(const evidence::Lock& lock,
                                              const evidence::Surroundings& around,
                                              const std::vector<std::string>& names) {
  if (lock.pins.empty()) return NothingPinned(around);
  if (names.empty()) return lock.pins;
  std::vector<evidence::Pin> chosen;
  for (const std::string& name : names) {
    const evidence::Pin* pin = lock.Find(name);
    if (pin == nullptr) {
      std::vector<std::string> known;
      for (const evidence::Pin& other : lock.pins) known.push_back(other.name);
      const std::optional<std::string> nearest = NearestName(name, known);
      return Error{.kind = ErrorKind::kUsage,
                   .message = fmt::format("no source is named '{}'", name),
                   .hint = nearest ? fmt::format("did you mean '{}'?", *nearest)
                                   : "'sibyl source list' shows them"};
    }
    chosen.push_back(*pin);
  }
  return chosen;
}

}  // namespace

std::vector<const index::Index*> SourceIndexes::Borrow() const {
  std::vector<const index::Index*> indexes;
  for (const SourceIndex& source : sources) indexes.push_back(source.index.get());
  return indexes;
}

const evidence::Pin* SourceIndexes::FindPin(std::string_view name) const {
  const auto place = places.find(name);
  return place == places.end() ? nullptr : &sources[place->second].pin;
}

Result<SourceIndexes> OpenSourceIndexes(const evidence::Lock& lock,
                                        const evidence::Surroundings& around,
                                        const std::vector<std::string>& names) {
  const std::vector<evidence::Pin> pins = SIBYL_TRY(ChoosePins(lock, around, names));
  SourceIndexes indexes;
  indexes.pinned = pins.size();
  if (around.shared_trouble) {
    indexes.findings.push_back(
        {.severity = Severity::kWarning,
         .code = "store/unavailable",
         .message = around.shared_trouble->message + "; this machine's cache is used alone",
         .hint = around.shared_trouble->hint});
  }
  std::vector<SourceFailure> not_here;
  std::vector<SourceFailure> failed;
  for (const evidence::Pin& pin : pins) {
    Result<index::Index> index = OpenOrBuild(pin, around, indexes.findings);
    if (!index.ok()) {
      if (index.error().kind == ErrorKind::kCancelled) return std::move(index).error();
      if (index.error().cause == ErrorCause::kOffline) {
        not_here.push_back({.name = pin.name, .error = evidence::NotInCache()});
      } else {
        failed.push_back({.name = pin.name, .error = index.error()});
      }
      continue;
    }
    if (pin.history > 0) {
      const Status attached = AttachHistory(pin, around, *index);
      if (!attached.ok() && attached.error().kind == ErrorKind::kCancelled) {
        return attached.error();
      }
      if (!attached.ok()) {
        indexes.findings.push_back(
            AboutSource(pin, Severity::kWarning, "history/absent",
                        "it is searched without its history: " + attached.error().message,
                        "'sibyl verify --restore' fetches it"));
      }
    }
    indexes.places.emplace(pin.name, indexes.sources.size());
    indexes.sources.push_back(
        {.pin = pin, .index = std::make_unique<index::Index>(std::move(*index))});
  }
  if (const Status attached = AttachVectors(lock, around, indexes); !attached.ok()) {
    if (attached.error().kind == ErrorKind::kCancelled) return attached.error();
    indexes.findings.push_back(
        {.severity = Severity::kNote,
         .code = "vectors/absent",
         .message = "searched without the vectors of words: " + attached.error().message,
         .hint = "'sibyl verify --restore' fetches what is missing"});
  }
  for (const std::vector<SourceFailure>& same : SameReasons(std::move(failed))) {
    indexes.findings.push_back(Unsearchable(same, same.size() == 1 ? 1 : pins.size()));
  }
  indexes.absent = not_here.size();
  if (!not_here.empty()) indexes.findings.push_back(Unsearchable(not_here, pins.size()));
  return indexes;
}

std::vector<Rule> SourceIndexRules() {
  return {{.code = "index/rebuilt", .meaning = "a damaged or outdated index was rebuilt"},
          {.code = "history/absent",
           .meaning = "a pinned history could not be used, so the order of hits may differ"},
          {.code = "vectors/absent",
           .meaning = "the vectors of words could not be learned, so the order of hits may differ"},
          {.code = "source/unsearchable", .meaning = "a pinned source could not be searched"},
          {.code = "store/unavailable",
           .meaning = "the shared store could not be used; nothing else is affected"}};
}

}  // namespace sibyl::oracle
