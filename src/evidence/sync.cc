// SPDX-License-Identifier: Apache-2.0
#include "evidence/sync.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "evidence/copy_commit.h"
#include "evidence/folder_snapshot.h"
#include "evidence/history/history.h"
#include "evidence/origins/fetch_error.h"
#include "evidence/origins/local_origin.h"
#include "evidence/pages/pages.h"
#include "evidence/snapshot.h"
#include "git/fetch.h"
#include "git/fetch_history.h"
#include "git/object_reader.h"
#include "git/origin.h"
#include "git/repository.h"
#include "git/tree.h"

namespace sibyl::evidence {
namespace {

constexpr std::string_view kConfigName = "sibyl.toml";

struct FetchedCommit {
  git::ObjectId commit;
  git::CommitSummary summary;
  std::size_t history = 0;  // how many commits, if they are wanted
  bool is_history_cut = false;
};

Result<git::CommitSummary> ReadCommit(const git::ObjectDatabase& objects,
                                      const git::ObjectId& commit) {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{16} << 20;
  git::ObjectReader reader(objects);
  const git::ObjectView view = reader.ReadVerified(commit, kMaxBytes);
  const std::optional<git::CommitSummary> summary =
      view.ok() && view.type == git::ObjectType::kCommit ? git::ParseCommit(view.bytes)
                                                         : std::nullopt;
  if (summary) return *summary;
  return Error{.kind = ErrorKind::kCorrupt,
               .message = fmt::format("reading commit {}: it is damaged", commit.Hex())};
}

// `origin` is that of the source, or the user's copy of it.
Result<FetchedCommit> FetchLocal(const SourceSpec& spec, std::string_view origin,
                                 const Mirror& mirror, const Surroundings& around) {
  const LocalPlace place = SIBYL_TRY(FindLocalOrigin(origin, around.oracle));
  const git::Repository repository = SIBYL_TRY(git::Repository::Open(place.path, place.within));
  const git::ObjectId commit = SIBYL_TRY(repository.ResolveCommit(spec.ref));
  SIBYL_TRY(CopyCommit(
      repository, commit, mirror,
      {.filter = spec.filter, .threads = around.threads, .cancelled = around.cancelled}));
  FetchedCommit fetched;
  fetched.commit = commit;
  fetched.summary = SIBYL_TRY(ReadCommit(*repository.objects(), commit));
  if (!spec.has_history) return fetched;
  SIBYL_TRY(HistoryRepository(mirror).Create(spec.origin));
  fetched.history = SIBYL_TRY(RecordHistory({.objects = *repository.objects(),
                                             .commit = commit,
                                             .threads = around.threads,
                                             .cancelled = around.cancelled},
                                            mirror, CommitCopies::kMake));
  fetched.is_history_cut = repository.IsShallow();
  return fetched;
}

git::FetchOptions OptionsOf(const Admission& admission, const Surroundings& around) {
  return {.network = around.network,
          .git_settings = admission.git_settings,
          .progress = around.progress,
          .cancelled = around.cancelled};
}

Result<git::ObjectId> FetchAdmitted(const SourceSpec& spec, const Admission& admission,
                                    const Mirror& mirror, const Surroundings& around) {
  const std::string& url = admission.url.empty() ? spec.origin : admission.url;
  return git::FetchCommit(mirror.folder(), url, spec.ref, OptionsOf(admission, around));
}

Result<std::size_t> FetchRemoteHistory(const SourceSpec& spec, const Admission& admission,
                                       const Mirror& mirror, const Surroundings& around,
                                       const git::ObjectId& commit) {
  if (const Result<History> there = OpenHistory(mirror, commit); there.ok()) {
    return there->file.commit_count();
  }
  const Mirror repository = HistoryRepository(mirror);
  SIBYL_TRY(repository.Create(spec.origin));
  const std::string& url = admission.url.empty() ? spec.origin : admission.url;
  SIBYL_TRY(git::FetchHistory(repository.folder(), url, commit, OptionsOf(admission, around)));
  const std::shared_ptr<const git::ObjectDatabase> objects = SIBYL_TRY(repository.Open());
  if (around.progress) around.progress("reading the history");
  return RecordHistory({.objects = *objects,
                        .commit = commit,
                        .threads = around.threads,
                        .cancelled = around.cancelled},
                       mirror, CommitCopies::kNone);
}

// git does not follow redirects here: it would not check whether the new
// address is allowed.
Result<FetchedCommit> FetchRemote(const SourceSpec& spec, const Admission& admission,
                                  const Mirror& mirror, const Surroundings& around) {
  Admission used = admission;
  Result<git::ObjectId> fetched = FetchAdmitted(spec, used, mirror, around);
  const bool is_redirected = !fetched.ok() && fetched.error().cause == ErrorCause::kRedirected;
  if (is_redirected && around.follow_redirect) {
    Result<Admission> redirected = around.follow_redirect(admission.url);
    if (!redirected.ok()) {
      // A source that may not be fetched does not affect the others.
      Error refused = std::move(redirected).error();
      refused.kind = ErrorKind::kUnavailable;
      return refused;
    }
    used = *redirected;
    fetched = FetchAdmitted(spec, used, mirror, around);
  }
  const git::ObjectId commit = SIBYL_TRY(std::move(fetched));
  const std::shared_ptr<const git::ObjectDatabase> objects = SIBYL_TRY(mirror.Open());
  const git::CommitSummary summary = SIBYL_TRY(ReadCommit(*objects, commit));
  // A local one is checked before it is copied.
  SIBYL_TRY(CheckTreeSize(*objects, summary.tree, {.cancelled = around.cancelled}));
  FetchedCommit found{.commit = commit, .summary = summary};
  if (spec.has_history) {
    found.history = SIBYL_TRY(FetchRemoteHistory(spec, used, mirror, around, commit));
  }
  return found;
}

Status FetchGit(const SourceSpec& spec, const Admission& admission, const Mirror& mirror,
                const Surroundings& around, Fetched& fetched) {
  const std::string& from = admission.url.empty() ? spec.origin : admission.url;
  const FetchedCommit found = git::IsLocalOrigin(from)
                                  ? SIBYL_TRY(FetchLocal(spec, from, mirror, around))
                                  : SIBYL_TRY(FetchRemote(spec, admission, mirror, around));
  fetched.pin.commit = found.commit;
  fetched.pin.tree = found.summary.tree;
  fetched.pin.date = FormatUtc(Time(std::chrono::seconds(found.summary.time)));
  fetched.pin.history = found.history;
  if (found.is_history_cut) {
    fetched.findings.push_back(
        {.severity = Severity::kNote,
         .code = "history/shallow",
         .message = fmt::format("{}: its repository is a shallow clone, so its history has only {}",
                                spec.name, Count(found.history, "commit")),
         .hint = "'git fetch --unshallow' there, then 'sibyl source sync', has all of it"});
  }
  return {};
}

Result<FolderSnapshot> RecordSource(const SourceSpec& spec, const Mirror& mirror,
                                    const Surroundings& around) {
  const FolderOptions options{
      .filter = spec.filter, .threads = around.threads, .cancelled = around.cancelled};
  if (spec.kind == SourceKind::kFolder) {
    const Root folder = SIBYL_TRY(OpenOriginFolder(spec.origin, around.oracle));
    return RecordFolder(folder, mirror, options);
  }
  const OriginFile file = SIBYL_TRY(OpenOriginFile(spec.origin, around.oracle));
  return RecordFile(file.folder, file.name, mirror, options);
}

Status FetchFiles(const SourceSpec& spec, const Mirror& mirror, const Surroundings& around,
                  Fetched& fetched) {
  FolderSnapshot snapshot = SIBYL_TRY(RecordSource(spec, mirror, around));
  fetched.pin.tree = snapshot.tree;
  fetched.pin.date = FormatUtc(around.clock.WrittenNow());
  fetched.findings = std::move(snapshot.findings);
  return {};
}

Result<std::string> MirrorOf(const SourceSpec& spec, const Surroundings& around) {
  const bool may_have_one = spec.kind == SourceKind::kGit && around.mirror_of;
  return may_have_one ? around.mirror_of(spec.origin) : std::string();
}

// Whether the source may be used at all, before anything is touched for it.
Result<Admission> CheckSource(const SourceSpec& spec, const Surroundings& around) {
  if (spec.has_credentials) {
    return While("source " + spec.name, SourceCredentialsRefused(spec.origin, spec.kind));
  }
  if (!spec.mistake.empty()) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("source {}: {}", spec.name, spec.mistake)};
  }
  // What the user mirrors, the user agreed to.
  Admission copy;
  copy.url = SIBYL_TRY(MirrorOf(spec, around));
  const std::string& from = copy.url.empty() ? spec.origin : copy.url;
  const bool is_remote_git = spec.kind == SourceKind::kGit && !git::IsLocalOrigin(from);
  if (is_remote_git && around.network == Network::kForbidden) {
    return Error{
        .kind = ErrorKind::kUnavailable,
        .message = fmt::format("fetching {} needs the network, which --offline or SIBYL_OFFLINE "
                               "forbids",
                               spec.origin),
        .hint = "remove --offline, or unset SIBYL_OFFLINE"};
  }
  if (!copy.url.empty()) return copy;
  return around.admit ? around.admit(spec) : Admission();
}

}  // namespace

Result<Fetched> FetchSource(const SourceSpec& spec, const Surroundings& around, const Pin* before) {
  Result<Admission> admission = CheckSource(spec, around);
  if (!admission.ok()) return std::move(admission).error();
  if (spec.kind == SourceKind::kPage) {
    Result<FetchedPages> pages = FetchPages(spec, before, around);
    if (!pages.ok()) return NotFetched(spec.name, std::move(pages).error());
    return Fetched{.pin = std::move(pages->pin),
                   .findings = FindingsOfPages(pages->pages, kConfigName),
                   .pages = std::move(pages->pages)};
  }
  const std::string origin = StoreOrigin(spec.origin, around.oracle);
  const Mirror mirror = around.store.MirrorOf(spec.kind, origin);
  const FileLock lock = SIBYL_TRY(mirror.Lock());
  SIBYL_TRY(mirror.Create(origin));
  Fetched fetched;
  fetched.pin = Pin{.name = spec.name,
                    .kind = spec.kind,
                    .origin = git::WithoutCredentials(spec.origin),
                    .ref = spec.ref,
                    .filter = spec.filter};
  Status status = spec.kind == SourceKind::kGit
                      ? FetchGit(spec, *admission, mirror, around, fetched)
                      : FetchFiles(spec, mirror, around, fetched);
  if (!status.ok()) return NotFetched(spec.name, std::move(status).error());
  return fetched;
}

std::string FormatUtc(Time time) {
  // A commit may claim any date; the calendar below holds for four-digit years.
  constexpr Time kLast{std::chrono::seconds(253402300799)};
  const Time shown = std::clamp(time, Time{}, kLast);
  const auto day = std::chrono::floor<std::chrono::days>(shown);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(shown - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

}  // namespace sibyl::evidence
