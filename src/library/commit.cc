// SPDX-License-Identifier: Apache-2.0
#include "library/commit.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "base/process/git_command.h"
#include "base/strings.h"
#include "base/terminal.h"
#include "library/carry_out.h"
#include "library/commit_message.h"

namespace sibyl::library {
namespace {

std::vector<std::string> SplitZeros(std::string_view text) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    if (end > 0) pieces.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return pieces;
}

// git's output for a message: the end has the reason.
std::string Words(const Outcome& outcome) {
  std::string said(Trim(outcome.errors));
  const std::string_view printed = Trim(outcome.output);
  if (!printed.empty()) said += (said.empty() ? "" : "\n") + std::string(printed);
  constexpr std::size_t kMost = 2'000;
  if (said.size() > kMost) said = "…" + said.substr(said.size() - kMost);
  if (said.empty()) said = Describe(outcome);
  std::string harmless;
  for (const std::string_view line : SplitLines(said)) {
    harmless += (harmless.empty() ? "" : "\n") + Harmless(line);
  }
  return harmless;
}

class Git {
 public:
  Git(GitRepository repository, const PublishOptions& options, Disk& disk)
      : repository_(std::move(repository)), options_(options), disk_(disk) {}

  const GitRepository& repository() const { return repository_; }

  Result<Outcome> Run(std::vector<std::string> arguments,
                      const std::map<std::string, std::string>& environment = {}) {
    // Our paths are names, not patterns; quiet about files we did not ask for.
    arguments.insert(arguments.begin(), "--literal-pathspecs");
    return disk_.RunGit(repository_, options_.oracle(), arguments, environment);
  }

  /// Its output; an Error with git's message if it fails.
  Result<std::string> Ask(std::vector<std::string> arguments) {
    const std::string what = arguments.front();
    const Outcome outcome = SIBYL_TRY(Run(std::move(arguments)));
    if (!outcome.succeeded()) return Refused("git " + what, outcome);
    return outcome.output;
  }

  static Error Refused(std::string_view doing, const Outcome& outcome) {
    return Error{
        .kind = ErrorKind::kUnavailable,
        .message = fmt::format("{}: {}", doing, Words(outcome)),
        .hint =
            "the files are in place and only the commit is missing; fix what git reports and run "
            "it again"};
  }

 private:
  GitRepository repository_;
  const PublishOptions& options_;
  Disk& disk_;
};

Finding NoGit(std::string message, std::string hint) {
  return {.severity = Severity::kNote,
          .code = "publish/no-git",
          .message = std::move(message),
          .hint = std::move(hint)};
}

// Why there is no repository to commit into.
Finding WhyNoRepository(const Root& oracle) {
  if (IsGitDir(oracle.path())) {
    return NoGit(
        "no commit was made: the oracle's folder is itself a bare git repository, which is not "
        "used",
        "sibyl commits only into a repository with a .git; 'git init' here gives it a history");
  }
  return NoGit("no commit was made: the oracle is not in a git repository",
               "'git init' here gives it a history");
}

// A git that outlived its parent, or one of the user's, ends on its own; if its
// lock stays longer than we wait, git reports it.
Status WaitForIndex(const Git& git, const PublishOptions& options) {
  const Root git_dir = SIBYL_TRY(Root::Open(git.repository().git_dir));
  const auto deadline = std::chrono::steady_clock::now() + options.patience;
  while (git_dir.Exists("index.lock") && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return {};
}

// The commit, if it exists: searched among the newest, since a kill was recent.
Result<std::string> FindCommit(Git& git, std::string_view id) {
  const std::string format =
      fmt::format("--format=%H %(trailers:key={},valueonly,separator=%x20)", kTrailer);
  const Outcome outcome = SIBYL_TRY(git.Run({"log", "-n", "300", format}));
  if (!outcome.succeeded()) return std::string();  // no commit at all yet
  for (const std::string_view line : SplitLines(outcome.output)) {
    const std::size_t space = std::min(line.find(' '), line.size());
    if (line.substr(space).find(id) != std::string_view::npos) {
      return std::string(line.substr(0, space));
    }
  }
  return std::string();
}

struct Paths {
  std::set<std::string> to_add;     // what the index does not have as it is
  std::set<std::string> to_commit;  // and what HEAD has and is gone
  std::vector<std::string> ignored;
};

std::vector<std::string> With(std::vector<std::string> arguments,
                              const std::set<std::string>& paths) {
  arguments.emplace_back("--");
  arguments.insert(arguments.end(), paths.begin(), paths.end());
  return arguments;
}

// git refuses to add what it is told to ignore; people do ignore their plans.
Status LeaveOutIgnored(Git& git, Paths& paths) {
  if (paths.to_add.empty()) return {};
  const std::string listed = SIBYL_TRY(git.Ask(
      With({"ls-files", "-z", "--others", "--ignored", "--exclude-standard"}, paths.to_add)));
  paths.ignored = SplitZeros(listed);
  for (const std::string& path : paths.ignored) paths.to_add.erase(path);
  return {};
}

Result<Paths> CollectPaths(Git& git, const Intent& intent, const Root& oracle) {
  Paths paths;
  for (const std::string& path : intent.paths) {
    if (oracle.Exists(path)) paths.to_add.insert(path);
  }
  for (const Step& step : intent.steps) {
    if (!IsMove(step.kind)) continue;
    // The folder may contain more than the plan; its tracked files move too.
    const std::string listed = SIBYL_TRY(git.Ask({"ls-files", "-z", "--", step.from}));
    const Outcome head =
        SIBYL_TRY(git.Run({"ls-tree", "-r", "-z", "--name-only", "HEAD", "--", step.from}));
    std::vector<std::string> known = SplitZeros(listed);
    for (const std::string& old : known) paths.to_add.insert(old);
    if (head.succeeded()) {
      for (std::string& old : SplitZeros(head.output)) known.push_back(std::move(old));
    }
    for (const std::string& old : known) {
      paths.to_commit.insert(old);
      const std::string now = step.path + old.substr(std::min(step.from.size(), old.size()));
      if (oracle.Exists(now)) paths.to_add.insert(now);
    }
  }
  SIBYL_TRY(LeaveOutIgnored(git, paths));
  paths.to_commit.insert(paths.to_add.begin(), paths.to_add.end());
  return paths;
}

Result<std::string> MakeCommit(Git& git, const Intent& intent, const PublishOptions& options,
                               const Paths& paths, Disk& disk) {
  if (!paths.to_add.empty()) {
    // By force, since git would also refuse what it knows in an ignored folder;
    // what it does not know there was left out.
    const Outcome added = SIBYL_TRY(git.Run(With({"add", "--all", "--force"}, paths.to_add)));
    if (!added.succeeded()) return Git::Refused("git add", added);
  }
  // Our signature covers the message in the intent, not the file beside it.
  const std::string message = fmt::format("{}/{}", StageOf(intent.published.id), kMessageFile);
  const Result<std::string> staged = options.oracle().Read(message);
  if (!staged.ok() || *staged != intent.message) {
    SIBYL_TRY(disk.Write(options.oracle(), message, intent.message));
  }
  const auto date = [](std::int64_t seconds) { return fmt::format("@{} +0000", seconds); };
  std::map<std::string, std::string> environment = {
      {"GIT_AUTHOR_DATE", date(intent.time)},
      {"GIT_COMMITTER_DATE", date(options.clock.WrittenNow().time_since_epoch().count())}};
  // A user who never told git a name gets a commit too.
  const Outcome identity = SIBYL_TRY(git.Run({"var", "GIT_AUTHOR_IDENT"}));
  if (!identity.succeeded()) {
    for (const std::string_view who : {"AUTHOR", "COMMITTER"}) {
      environment.emplace(fmt::format("GIT_{}_NAME", who), "sibyl");
      environment.emplace(fmt::format("GIT_{}_EMAIL", who), "sibyl@localhost");
    }
  }
  const Outcome committed = SIBYL_TRY(git.Run(
      With({"commit", "--quiet", "--only", "--file", options.oracle().Shown(message).string()},
           paths.to_commit),
      environment));
  if (!committed.succeeded()) return Git::Refused("git commit", committed);
  const std::string head = SIBYL_TRY(git.Ask({"rev-parse", "HEAD"}));
  return std::string(Trim(head));
}

}  // namespace

Result<Committed> CommitPublication(const Intent& intent, const PublishOptions& options,
                                    Disk& disk) {
  Committed committed;
  if (options.committing == Committing::kLeave) return committed;
  const auto repository = SIBYL_TRY(FindGitRepository(options.oracle().path()));
  if (!repository || !FindProgram("git")) {
    committed.findings.push_back(
        repository ? NoGit("no commit was made: git is not installed", "install git")
                   : WhyNoRepository(options.oracle()));
    return committed;
  }
  Git git(*repository, options, disk);
  SIBYL_TRY(WaitForIndex(git, options));
  committed.id = SIBYL_TRY(FindCommit(git, intent.published.id));
  if (!committed.id.empty()) return committed;
  const Paths paths = SIBYL_TRY(CollectPaths(git, intent, options.oracle()));
  if (!paths.ignored.empty()) {
    committed.findings.push_back(
        {.severity = Severity::kNote,
         .code = "publish/ignored",
         .message =
             fmt::format("git ignores {}, so the commit does not include {}",
                         Join(paths.ignored, ", "), paths.ignored.size() == 1 ? "it" : "them")});
  }
  if (paths.to_commit.empty()) return committed;
  const std::string changes = SIBYL_TRY(
      git.Ask(With({"status", "--porcelain", "-z", "--untracked-files=all"}, paths.to_commit)));
  if (changes.empty()) {
    committed.findings.push_back(
        {.severity = Severity::kNote,
         .code = "publish/committed-already",
         .message = "no commit was made: everything is already committed"});
    return committed;
  }
  committed.id = SIBYL_TRY(MakeCommit(git, intent, options, paths, disk));
  return committed;
}

std::vector<Finding> FindUncommitted(const Intent& intent, const PublishOptions& options,
                                     Disk& disk) {
  std::vector<Finding> findings;
  if (options.committing == Committing::kLeave) return findings;
  std::set<std::string> pages;
  for (const Step& step : intent.steps) {
    if (step.kind == StepKind::kBlock) pages.insert(step.path);
  }
  for (const std::string& path : intent.paths) {
    if (path.starts_with("sibyl.")) pages.insert(path);
  }
  if (pages.empty()) return findings;
  const auto repository = FindGitRepository(options.oracle().path());
  if (!repository.ok() || !*repository) return findings;  // CommitPublication reports it
  Git git(**repository, options, disk);
  const Result<Outcome> outcome =
      git.Run(With({"diff", "--name-only", "--relative", "-z", "HEAD"}, pages), {{"LC_ALL", "C"}});
  if (!outcome.ok() || !outcome->succeeded()) return findings;  // CommitPublication reports it
  for (std::string& path : SplitZeros(outcome->output)) {
    findings.push_back({.severity = Severity::kNote,
                        .code = "publish/uncommitted",
                        .message = fmt::format(
                            "{} had uncommitted changes of yours; they are in this commit", path),
                        .place = {.file = path}});
  }
  return findings;
}

}  // namespace sibyl::library
