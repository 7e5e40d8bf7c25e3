// SPDX-License-Identifier: Apache-2.0
// Adding, listing, moving and removing sources: sibyl.toml and sibyl.lock.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/nearest_name.h"
#include "base/strings.h"
#include "evidence/evidence.h"
#include "evidence/oracle_files.h"
#include "evidence/pages/pages.h"
#include "evidence/shared/shared_source.h"
#include "git/origin.h"

namespace sibyl::evidence {
namespace {

constexpr std::size_t kExamples = 20;

Error UnknownSource(std::string_view name, const SourceConfig& config) {
  std::vector<std::string> names;
  for (const SourceSpec& spec : config.sources) names.push_back(spec.name);
  const std::optional<std::string> near = NearestName(name, names);
  return Error{.kind = ErrorKind::kNotFound,
               .message = fmt::format("no source is named '{}'", name),
               .hint = near            ? fmt::format("did you mean '{}'?", *near)
                       : names.empty() ? "sibyl.toml declares no sources"
                                       : "sibyl.toml declares " + Join(names, ", ")};
}

Result<SourceConfig> ReadConfig(const Surroundings& around) {
  return ParseSourceConfig(SIBYL_TRY(ReadConfigText(around)), std::string(kConfigFile));
}

TreeChanges Compare(const Snapshot& before, const Snapshot& after) {
  TreeChanges changes;
  const auto note = [&changes](char mark, const std::string& path, std::size_t& count) {
    ++count;
    if (changes.examples.size() < kExamples) {
      changes.examples.push_back(fmt::format("{} {}", mark, path));
    }
  };
  auto old_file = before.files().begin();
  auto new_file = after.files().begin();
  while (old_file != before.files().end() || new_file != after.files().end()) {
    const bool old_first = new_file == after.files().end() ||
                           (old_file != before.files().end() && old_file->path < new_file->path);
    if (old_first) {
      note('-', old_file->path, changes.removed);
      ++old_file;
    } else if (old_file == before.files().end() || new_file->path < old_file->path) {
      note('+', new_file->path, changes.added);
      ++new_file;
    } else {
      if (old_file->blob != new_file->blob) note('~', new_file->path, changes.changed);
      ++old_file;
      ++new_file;
    }
  }
  return changes;
}

std::optional<TreeChanges> ChangesSince(const Pin& before, const Pin& pin,
                                        const Surroundings& around) {
  const Result<Snapshot> old_files = OpenSnapshot(before, around);
  const Result<Snapshot> new_files = OpenSnapshot(pin, around);
  if (!old_files.ok() || !new_files.ok()) return std::nullopt;
  return Compare(*old_files, *new_files);
}

bool Agrees(const SourceSpec& spec, const Pin& pin) {
  std::unordered_set<std::string_view> pinned;
  for (const PageRecord& page : pin.pages) pinned.insert(page.url);
  const auto is_pinned = [&pinned](const std::string& url) {
    return pinned.contains(PageAddress(url));
  };
  return spec.kind == pin.kind && git::WithoutCredentials(spec.origin) == pin.origin &&
         spec.ref == pin.ref && FilterOf(spec) == pin.filter &&
         spec.has_history == (pin.history > 0) &&
         std::all_of(spec.urls.begin(), spec.urls.end(), is_pinned);
}

// A problem with one source is reported for its table in sibyl.toml, and does
// not prevent fetching the others.
Error OfOneSource(const SourceSpec& spec, Error error) {
  if (error.kind == ErrorKind::kUsage) error.kind = ErrorKind::kUnavailable;
  if (!error.place) error.place = Place{.file = std::string(kConfigFile), .line = spec.line};
  return error;
}

SourceSpec SpecOf(const Pin& pin) {
  return {.name = pin.name,
          .kind = pin.kind,
          .origin = pin.origin,
          .ref = pin.ref,
          .filter = pin.filter,
          .has_history = pin.history > 0};
}

// A shared store that is full or gone costs the other machines a fetch, not this one its
// source.
void Share(const Pin& pin, const Surroundings& around, std::vector<Finding>& findings) {
  const Status given = GiveSource(pin, around);
  if (given.ok()) return;
  findings.push_back({.severity = Severity::kWarning,
                      .code = "store/unavailable",
                      .message = fmt::format("{}: not copied to the shared store: {}", pin.name,
                                             given.error().message),
                      .hint = given.error().hint,
                      .place = {.file = std::string(kLockFile)}});
}

// From the shared store, or into it once another machine has fetched it.
bool IsBrought(const Pin& pin, const Surroundings& around) {
  const Result<bool> brought = BringSource(pin, around);
  return brought.ok() && *brought;
}

Status FetchPinned(const Pin& pin, const Surroundings& around) {
  if (pin.kind == SourceKind::kPage) return RestorePages(pin, around);
  SourceSpec spec = SpecOf(pin);
  spec.has_history = false;  // RestoreHistory brings it
  const bool is_remote = pin.kind == SourceKind::kGit && !git::IsLocalOrigin(pin.origin);
  const bool is_mirrored =
      is_remote && around.mirror_of && !SIBYL_TRY(around.mirror_of(pin.origin)).empty();
  if (is_remote && !is_mirrored && around.network == Network::kForbidden) return NotInCache();
  // The ref has moved on, perhaps; its history still leads to the commit.
  Result<Fetched> fetched = FetchSource(spec, around);
  if (pin.kind == SourceKind::kGit && !OpenSnapshot(pin, around).ok()) {
    spec.ref = pin.commit->Hex();
    fetched = FetchSource(spec, around);
  }
  if (OpenSnapshot(pin, around).ok()) return {};
  if (!fetched.ok()) return std::move(fetched).error();
  return Error{
      .kind = ErrorKind::kNotFound,
      .message = fmt::format("restoring {}: its origin no longer has the pinned content", pin.name),
      .hint = fmt::format("'sibyl source sync {}' moves the pin", pin.name)};
}

}  // namespace

Error NotInCache() {
  return Error{
      .kind = ErrorKind::kUnavailable,
      .message =
          "the pinned content is not in the cache, and this command does not use the network",
      .hint =
          "'sibyl verify --restore' fetches what is pinned; 'sibyl source sync' fetches what is "
          "current and moves the pins",
      .cause = ErrorCause::kOffline};
}

Result<SourceChange> AddSource(const SourceSpec& spec, const Surroundings& around) {
  if (!IsSourceName(spec.name)) {
    return Error{
        .kind = ErrorKind::kUsage,
        .message = fmt::format("adding a source: '{}' is not a valid source name", spec.name),
        .hint = "use up to 64 letters, digits, '.', '_' and '-'"};
  }
  const FileLock turn = SIBYL_TRY(LockOracle(around));
  const std::string text = SIBYL_TRY(ReadConfigText(around));
  const std::string edited = SIBYL_TRY(AppendSource(text, spec));
  Lock lock = SIBYL_TRY(ReadLock(around));
  Fetched fetched = SIBYL_TRY(FetchSource(spec, around));
  Share(fetched.pin, around, fetched.findings);
  lock.Put(fetched.pin);
  // The declaration first: a declaration without a pin is a normal state,
  // resolved by sync.
  SIBYL_TRY(WriteConfigText(edited, around));
  SIBYL_TRY(WriteLock(lock, around));
  return SourceChange{.pin = std::move(fetched.pin),
                      .findings = std::move(fetched.findings),
                      .pages = std::move(fetched.pages)};
}

Result<SourceList> ListSources(const Surroundings& around) {
  SourceConfig config = SIBYL_TRY(ReadConfig(around));
  const Lock lock = SIBYL_TRY(ReadLock(around));
  SourceList list;
  list.findings = std::move(config.findings);
  for (const SourceSpec& spec : config.sources) {
    SourceState state{.spec = spec};
    if (const Pin* pin = lock.Find(spec.name)) {
      state.pin = *pin;
      state.agrees = Agrees(spec, *pin);
      const Mirror mirror =
          around.store.MirrorOf(pin->kind, StoreOrigin(pin->origin, around.oracle));
      const auto objects = mirror.Open();
      state.present = objects.ok() && pin->tree && (*objects)->Contains(*pin->tree);
    }
    list.sources.push_back(std::move(state));
  }
  std::unordered_set<std::string_view> declared;
  for (const SourceSpec& spec : config.sources) declared.insert(spec.name);
  for (const Pin& pin : lock.pins) {
    if (!declared.contains(pin.name)) list.orphans.push_back(pin);
  }
  return list;
}

Result<std::vector<SourceSpec>> SourcesToSync(const std::vector<std::string>& names,
                                              const Surroundings& around) {
  SourceConfig config = SIBYL_TRY(ReadConfig(around));
  if (names.empty()) {
    const Lock lock = SIBYL_TRY(ReadLock(around));
    std::erase_if(config.sources, [&lock](const SourceSpec& spec) {
      const bool is_collector = spec.kind == SourceKind::kPage && spec.urls.empty();
      return is_collector && lock.Find(spec.name) == nullptr;
    });
    return std::move(config.sources);
  }
  std::vector<SourceSpec> specs;
  for (const std::string& name : names) {
    const SourceSpec* spec = config.Find(name);
    if (spec == nullptr) return UnknownSource(name, config);
    specs.push_back(*spec);
  }
  return specs;
}

Result<SourceChange> SyncSource(const SourceSpec& spec, const Surroundings& around) {
  const FileLock turn = SIBYL_TRY(LockOracle(around));
  Lock lock = SIBYL_TRY(ReadLock(around));
  const Pin* pinned = lock.Find(spec.name);
  // What did not move since it was pinned is not transferred again.
  if (around.shared && pinned != nullptr && !OpenSnapshot(*pinned, around).ok()) {
    (void)IsBrought(*pinned, around);
  }
  Result<Fetched> found = FetchSource(spec, around, pinned);
  if (!found.ok()) return OfOneSource(spec, std::move(found).error());
  Fetched fetched = std::move(found).value();
  Share(fetched.pin, around, fetched.findings);
  SourceChange change{.findings = std::move(fetched.findings), .pages = std::move(fetched.pages)};
  if (const Pin* before = lock.Find(spec.name)) {
    change.before = *before;
    // A folder that did not change keeps its date, and the lock its bytes.
    if (spec.kind != SourceKind::kGit && before->tree == fetched.pin.tree) {
      fetched.pin.date = before->date;
    }
    change.changes = ChangesSince(*before, fetched.pin, around);
  }
  change.pin = fetched.pin;
  lock.Put(std::move(fetched.pin));
  SIBYL_TRY(WriteLock(lock, around));
  return change;
}

Status RestoreSource(const Pin& pin, const Surroundings& around) {
  if (OpenSnapshot(pin, around).ok()) return {};
  if (!around.shared) return FetchPinned(pin, around);
  // A store that cannot be written has no claims, and still gives what it has.
  const Result<std::optional<SharedClaim>> claim = ClaimSource(pin, around);
  if (!claim.ok() && claim.error().kind == ErrorKind::kCancelled) return claim.error();
  // Pages come as snapshots, of which RestorePages makes the tree.
  const bool is_brought = IsBrought(pin, around);
  if (is_brought && OpenSnapshot(pin, around).ok()) return {};
  SIBYL_TRY(FetchPinned(pin, around));
  std::vector<Finding> findings;
  Share(pin, around, findings);
  if (!findings.empty() && around.progress) around.progress(findings.front().message);
  return {};
}

Status ForgetSource(std::string_view name, const Surroundings& around) {
  const FileLock turn = SIBYL_TRY(LockOracle(around));
  const std::string text = SIBYL_TRY(ReadConfigText(around));
  Lock lock = SIBYL_TRY(ReadLock(around));
  const SourceConfig config = SIBYL_TRY(ParseSourceConfig(text, std::string(kConfigFile)));
  const bool declared = config.Find(name) != nullptr;
  const bool pinned = lock.Remove(name);
  if (!declared && !pinned) return UnknownSource(name, config);
  if (declared) {
    const std::string edited = SIBYL_TRY(RemoveSource(text, name));
    SIBYL_TRY(WriteConfigText(edited, around));
  }
  return pinned ? WriteLock(lock, around) : Status();
}

Result<Snapshot> OpenSnapshot(const Pin& pin, const Surroundings& around) {
  const Error absent{
      .kind = ErrorKind::kNotFound,
      .message = fmt::format("opening {}: the pinned content is not in the store", pin.name),
      .hint = fmt::format("'sibyl source sync {}' fetches it", pin.name)};
  const Mirror mirror = around.store.MirrorOf(pin.kind, StoreOrigin(pin.origin, around.oracle));
  if (!pin.tree || !mirror.Exists()) return absent;
  const std::shared_ptr<const git::ObjectDatabase> objects = SIBYL_TRY(mirror.Open());
  if (!objects->Contains(*pin.tree)) return absent;
  Result<Snapshot> listed =
      Snapshot::List(objects, *pin.tree, pin.filter, {.cancelled = around.cancelled});
  if (!listed.ok()) return While("opening " + pin.name, std::move(listed).error());
  Snapshot snapshot = std::move(listed).value();
  snapshot.set_notes(SIBYL_TRY(mirror.ReadNotes()));
  return snapshot;
}

}  // namespace sibyl::evidence
