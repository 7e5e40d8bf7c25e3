// SPDX-License-Identifier: Apache-2.0
#include "library/remote/push.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "base/files/file_lock.h"
#include "base/strings.h"
#include "base/terminal.h"
#include "library/commit_message.h"
#include "library/drop.h"
#include "library/plan_folder.h"
#include "library/remote/publish_clone.h"
#include "plan/plan.h"

namespace sibyl::library {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestFile = std::size_t{64} << 20;
// The files that pages are checked against.
constexpr std::array<std::string_view, 3> kInputs = {"sibyl.toml", "sibyl.lock", "sibyl.facts"};
constexpr std::string_view kLabFolder = "_labs";

std::optional<std::string> TextIn(const Root& oracle, const std::string& path) {
  Result<std::string> text = oracle.Read(path, {.max_bytes = kLongestFile});
  if (!text.ok()) return std::nullopt;
  return *std::move(text);
}

Error Conflict(std::string what) {
  return {.kind = ErrorKind::kUsage,
          .message = std::move(what),
          .hint = "nothing was pushed; git pull, and run it again: unchanged parts are kept"};
}

class Pusher {
 public:
  Pusher(const Publication& publication, const PublishOptions& options, const UserState& state,
         PushTarget target)
      : publication_(publication), options_(options), state_(state), target_(std::move(target)) {}

  Result<Published> Run() {
    constexpr int kMostTries = 20;  // others push too
    for (int tried = 0; tried < kMostTries; ++tried) {
      std::optional<Published> published = SIBYL_TRY(TryOnce());
      if (published) return *std::move(published);
    }
    return Error{
        .kind = ErrorKind::kUnavailable,
        .message = fmt::format("{} moved {} times while publishing", target_.remote, kMostTries),
        .hint = "run it again: what was written is kept"};
  }

 private:
  // Nothing: the remote has moved meanwhile.
  Result<std::optional<Published>> TryOnce() {
    const PublishClone clone = SIBYL_TRY(PublishClone::Make(target_));
    const OwnFolder own = SIBYL_TRY(OwnFolder::Open(clone.oracle(), state_));
    std::optional<Published> earlier = SIBYL_TRY(FindPushed(clone, own.oracle()));
    if (earlier) {
      SIBYL_TRY(FollowRemote(clone, *earlier));
      return earlier;
    }
    SIBYL_TRY(CheckPages(clone, own.oracle()));
    SIBYL_TRY(BringInputs(clone, own.oracle()));
    const PublishOptions options{
        .own = own, .clock = options_.clock, .patience = options_.patience, .disk = options_.disk};
    Result<Published> published = Publish(publication_, options);
    if (!published.ok()) {
      const bool is_conflict = clone.has_moved() && published.error().kind == ErrorKind::kUsage;
      if (!is_conflict) return std::move(published).error();
      return Conflict(fmt::format("{} has changed since and conflicts: {}", target_.remote,
                                  published.error().message));
    }
    const PublishClone::Pushed pushed = SIBYL_TRY(clone.Push(target_));
    if (pushed == PublishClone::Pushed::kRemoteHasMoved) return std::optional<Published>();
    SIBYL_TRY(FollowRemote(clone, *published));
    return std::optional(*std::move(published));
  }

  Result<std::optional<Published>> FindPushed(const PublishClone& clone, const Root& there) const;
  Status CheckPages(const PublishClone& clone, const Root& there) const;
  Status BringInputs(const PublishClone& clone, const Root& there) const;
  Status Bring(const PublishClone& clone, const Root& there, const std::string& path) const;
  Status BringLabs(const Root& there) const;
  Status FollowRemote(const PublishClone& clone, Published& published) const;
  Result<std::vector<std::string>> InTheWay(const PublishClone& clone,
                                            const Published& published) const;
  Status PutBack(const std::string& path) const;

  const Publication& publication_;
  const PublishOptions& options_;
  const UserState& state_;
  PushTarget target_;
};

// Pages that are there byte for byte, and a plan that is not as it was: an
// earlier try was pushed, and ended before it could say so.
Result<std::optional<Published>> Pusher::FindPushed(const PublishClone& clone,
                                                    const Root& there) const {
  const bool is_plan_as_before = TextIn(there, publication_.plan) == publication_.plan_text;
  if (publication_.delivered.empty() || is_plan_as_before) {
    return std::optional<Published>();
  }
  Published published{.plan = publication_.plan,
                      .plan_now = publication_.plan,
                      .is_partial = publication_.is_partial};
  if (!there.IsFile(publication_.plan)) {
    const fs::path completed =
        fs::path("_ingest-auto/completed") / PlanFolderName(publication_.plan);
    published.plan_now = (completed / fs::path(publication_.plan).filename()).generic_string();
    if (!there.IsFile(published.plan_now)) return std::optional<Published>();
  }
  const plan::Plan plan = plan::Parse(publication_.plan, publication_.plan_text).plan;
  const std::string folder = DropFolder(published.plan_now);
  std::vector<std::string> names;
  if (const auto entries = there.List(folder); entries.ok()) {
    for (const RootEntry& entry : *entries) names.push_back(entry.name);
  }
  for (const DeliveredPart& delivered : publication_.delivered) {
    const draft::Draft& draft = delivered.file.draft();
    if (TextIn(there, draft.path) != draft.text) return std::optional<Published>();
    const plan::Part& part = plan.parts.at(delivered.part);
    published.files.push_back({.part = part.number,
                               .path = draft.path,
                               .drop = fmt::format("{}/{}", folder, NewestDrop(names, part)),
                               .lines = SplitLines(draft.text).size(),
                               .citations = delivered.file.citations(),
                               .points = draft::PointCount(draft),
                               .covered = draft::CoveredCount(draft)});
  }
  for (const FailedPart& failed : publication_.failed) {
    published.failed.push_back(
        {.part = plan.parts.at(failed.part).number, .reason = failed.reason});
  }
  const std::string path = (clone.oracle() / published.files.front().path).string();
  published.commit =
      SIBYL_TRY(AskGitIn(clone.repository(), {"log", "-1", "--format=%H", "--", path}));
  published.id = SIBYL_TRY(AskGitIn(
      clone.repository(),
      {"log", "-1", fmt::format("--format=%(trailers:key={},valueonly,separator=%x20)", kTrailer),
       published.commit}));
  return std::optional(std::move(published));
}

// Pages that are replaced must be those that were read here, and pages that are
// linked to must still be there.
Status Pusher::CheckPages(const PublishClone& clone, const Root& there) const {
  if (!clone.has_moved()) return {};
  const std::vector<std::string> removed = SIBYL_TRY(clone.RemovedPages());
  for (const DeliveredPart& delivered : publication_.delivered) {
    const draft::Draft& draft = delivered.file.draft();
    const bool is_replaced = delivered.existing == ExistingFile::kReplace;
    if (is_replaced && TextIn(there, draft.path) != TextIn(options_.oracle(), draft.path)) {
      return Conflict(fmt::format("{} has another version of {}", target_.remote, draft.path));
    }
    for (const std::string& page : removed) {
      const std::string name = fs::path(page).filename().string();
      if (!Contains(draft.text, name)) continue;
      return Conflict(
          fmt::format("{} has removed {}, to which {} may link", target_.remote, page, draft.path));
    }
  }
  return {};
}

Status Pusher::BringInputs(const PublishClone& clone, const Root& there) const {
  for (const std::string_view path : kInputs) SIBYL_TRY(Bring(clone, there, std::string(path)));
  SIBYL_TRY(Bring(clone, there, publication_.plan));
  return BringLabs(there);
}

// A file as it is here, if the remote has not changed it since.
Status Pusher::Bring(const PublishClone& clone, const Root& there, const std::string& path) const {
  const std::optional<std::string> here = TextIn(options_.oracle(), path);
  if (!here || here == TextIn(there, path)) return {};
  const std::optional<std::string> base = SIBYL_TRY(clone.At(clone.base(), path));
  if (SIBYL_TRY(clone.At(clone.tip(), path)) != base) {
    return Conflict(
        fmt::format("{} has another {} than the working copy, against which the pages "
                    "were checked",
                    target_.remote, path));
  }
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty()) SIBYL_TRY(there.MakeFolders(folder));
  return there.Write(path, *here);
}

// Kept runs are named by their content.
Status Pusher::BringLabs(const Root& there) const {
  const Result<std::vector<RootEntry>> entries = options_.oracle().List(kLabFolder);
  if (!entries.ok()) return {};
  for (const RootEntry& entry : *entries) {
    const std::string path = fmt::format("{}/{}", kLabFolder, entry.name);
    if (entry.kind != FileKind::kFile || there.Exists(path)) continue;
    const std::optional<std::string> text = TextIn(options_.oracle(), path);
    if (!text) continue;
    SIBYL_TRY(there.MakeFolders(kLabFolder));
    SIBYL_TRY(there.Write(path, *text));
  }
  return {};
}

// What the working copy gave to the commit comes back with it. Anything else that
// is in the way stays, and the working copy stays behind.
Status Pusher::FollowRemote(const PublishClone& clone, Published& published) const {
  const auto behind = [&](const std::string& why) {
    published.findings.push_back(
        {.severity = Severity::kNote,
         .code = "publish/behind",
         .message =
             fmt::format("pushed to {}; the working copy is behind it: {}", target_.remote, why),
         .hint = "git pull"});
  };
  const Result<std::string> fetched =
      AskGitIn(target_.repository,
               {"fetch", "--quiet", "--no-tags", "--", clone.repository().git_dir.string(),
                fmt::format("+{}:{}", kPublishBranch, target_.tracking)});
  if (!fetched.ok()) {
    behind(fetched.error().message);
    return {};
  }
  for (const std::string& path : SIBYL_TRY(InTheWay(clone, published))) SIBYL_TRY(PutBack(path));
  const Result<std::string> merged =
      AskGitIn(target_.repository, {"merge", "--quiet", "--ff-only", target_.tracking});
  if (!merged.ok()) behind(merged.error().message);
  return {};
}

// Files with changes that are not committed here and are in the new commit, so
// that they can be put back without losing a byte.
Result<std::vector<std::string>> Pusher::InTheWay(const PublishClone& clone,
                                                  const Published& published) const {
  std::vector<std::string> paths;
  const std::string newest(kPublishBranch);
  std::vector<std::string> inputs(kInputs.begin(), kInputs.end());
  if (const auto labs = options_.oracle().List(kLabFolder); labs.ok()) {
    for (const RootEntry& entry : *labs) {
      inputs.push_back(fmt::format("{}/{}", kLabFolder, entry.name));
    }
  }
  for (const std::string& path : inputs) {
    const std::optional<std::string> here = TextIn(options_.oracle(), path);
    if (!here || SIBYL_TRY(clone.At(clone.base(), path)) == here) continue;
    if (SIBYL_TRY(clone.At(newest, path)) == here) paths.push_back(path);
  }
  // The commit has the plan with its marks.
  const bool is_plan_as_read =
      TextIn(options_.oracle(), publication_.plan) == publication_.plan_text;
  const bool is_plan_committed =
      SIBYL_TRY(clone.At(clone.base(), publication_.plan)) == publication_.plan_text;
  if (is_plan_as_read && !is_plan_committed && SIBYL_TRY(clone.At(newest, published.plan_now))) {
    paths.push_back(publication_.plan);
  }
  return paths;
}

// To what HEAD has.
Status Pusher::PutBack(const std::string& path) const {
  const std::string inside = target_.folder.empty() ? path : target_.folder + "/" + path;
  const Outcome known =
      SIBYL_TRY(RunGitIn(target_.repository, {"cat-file", "-e", "HEAD:" + inside}));
  if (known.succeeded()) {
    SIBYL_TRY(AskGitIn(target_.repository,
                       {"--literal-pathspecs", "checkout", "--quiet", "HEAD", "--", inside}));
    return {};
  }
  return options_.oracle().Remove(path);
}

Status CheckClean(const PushTarget& target) {
  const std::string inside = target.folder.empty() ? "" : target.folder + "/";
  const std::string changed =
      SIBYL_TRY(AskGitIn(target.repository, {"status", "--porcelain", "--no-renames",
                                             "--untracked-files=all", "--ignore-submodules=all",
                                             "--", fmt::format(":(glob,top){}**/*.md", inside),
                                             fmt::format(":(exclude,top){}_ingest-auto", inside)}));
  if (changed.empty()) return {};
  const std::string first(SplitLines(changed).front());
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("publishing with --push: {} of the working copy is not "
                                      "committed",
                                      Harmless(Trim(std::string_view(first).substr(2)))),
               .hint =
                   "commit and push it, or stash it: a page is published beside those that "
                   "the remote has"};
}

Error NoUpstream(std::string_view branch) {
  return {.kind = ErrorKind::kUsage,
          .message = branch.empty() ? "publishing with --push: the working copy is on no branch"
                                    : fmt::format("publishing with --push: the branch {} has no "
                                                  "upstream",
                                                  branch),
          .hint = branch.empty() ? "git switch to the branch that is published"
                                 : fmt::format("git push -u origin {}", branch)};
}

// "../oracle.git" is relative to the working copy, but not to the clone.
std::string AbsoluteUrl(const std::string& url, const fs::path& folder) {
  const std::size_t colon = url.find(':');
  const bool is_path = colon == std::string::npos || url.find('/') < colon;
  if (!is_path || fs::path(url).is_absolute()) return url;
  return (folder / url).lexically_normal().string();
}

Result<PushTarget> FindTarget(const PublishOptions& options) {
  const std::optional<GitRepository> repository =
      SIBYL_TRY(FindGitRepository(options.oracle().path()));
  if (!repository) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "publishing with --push: the oracle is not in a git repository"};
  }
  PushTarget target{.repository = *repository};
  const fs::path inside = options.oracle().path().lexically_relative(repository->work_tree);
  if (inside != ".") target.folder = inside.generic_string();
  const Outcome head =
      SIBYL_TRY(RunGitIn(*repository, {"symbolic-ref", "--quiet", "--short", "HEAD"}));
  const std::string branch(Trim(head.output));
  if (!head.succeeded()) return NoUpstream("");
  const auto setting = [&](std::string_view key) -> Result<std::string> {
    const Outcome outcome = SIBYL_TRY(
        RunGitIn(*repository, {"config", "--get", fmt::format("branch.{}.{}", branch, key)}));
    return outcome.succeeded() ? std::string(Trim(outcome.output)) : std::string();
  };
  target.remote = SIBYL_TRY(setting("remote"));
  target.branch = SIBYL_TRY(setting("merge"));
  if (target.remote.empty() || target.remote == "." || target.remote.starts_with("-") ||
      !target.branch.starts_with("refs/heads/")) {
    return NoUpstream(branch);
  }
  const Outcome tracking =
      SIBYL_TRY(RunGitIn(*repository, {"rev-parse", "--symbolic-full-name", "@{upstream}"}));
  target.tracking = std::string(Trim(tracking.output));
  if (!tracking.succeeded() || !target.tracking.starts_with("refs/remotes/")) {
    return NoUpstream(branch);
  }
  target.fetch_url =
      AbsoluteUrl(SIBYL_TRY(AskGitIn(*repository, {"remote", "get-url", target.remote})),
                  repository->work_tree);
  target.push_url =
      AbsoluteUrl(SIBYL_TRY(AskGitIn(*repository, {"remote", "get-url", "--push", target.remote})),
                  repository->work_tree);
  return target;
}

}  // namespace

Result<PushTarget> FindPushTarget(const PublishOptions& options) {
  PushTarget target = SIBYL_TRY(FindTarget(options));
  const std::string shallow =
      SIBYL_TRY(AskGitIn(target.repository, {"rev-parse", "--is-shallow-repository"}));
  if (shallow == "true") {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "publishing with --push: the working copy is a shallow clone",
                 .hint = "git fetch --unshallow"};
  }
  SIBYL_TRY(CheckClean(target));
  return target;
}

std::optional<Finding> FindPublishedElsewhere(const Published& published, const Root& oracle) {
  if (published.commit.empty()) return std::nullopt;
  const Result<std::optional<GitRepository>> repository = FindGitRepository(oracle.path());
  if (!repository.ok() || !*repository) return std::nullopt;
  const Result<Outcome> here =
      RunGitIn(**repository, {"merge-base", "--is-ancestor", published.commit, "HEAD"});
  if (here.ok() && here->succeeded()) return std::nullopt;
  constexpr std::size_t kDigits = 10;
  return Finding{
      .severity = Severity::kNote,
      .code = std::string(kElsewhereCode),
      .message = fmt::format("another process published this run as commit {}, which this working "
                             "copy does not have",
                             published.commit.substr(0, kDigits)),
      .hint = "git pull, once it has been pushed"};
}

Result<Published> PublishAndPush(const Publication& publication, const PublishOptions& options,
                                 const UserState& state) {
  Result<FileLock> turn = FileLock::Take(options.own.root().Shown("push.lock"), options.patience);
  if (!turn.ok()) return While("publishing", std::move(turn).error());
  PushTarget target = SIBYL_TRY(FindPushTarget(options));
  return Pusher(publication, options, state, std::move(target)).Run();
}

}  // namespace sibyl::library
