// SPDX-License-Identifier: Apache-2.0
#include "library/remote/publish_clone.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <system_error>
#include <utility>

#include "base/files/files.h"
#include "base/one_line.h"
#include "base/strings.h"
#include "base/terminal.h"

namespace sibyl::library {
namespace {

namespace fs = std::filesystem;

Error GitFailed(const std::vector<std::string>& arguments, const Outcome& outcome) {
  const std::string said = Harmless(OneLine(outcome.errors));
  return {.kind = ErrorKind::kUnavailable,
          .message = fmt::format("git {}: {}", arguments.empty() ? "" : arguments.front(),
                                 said.empty() ? Describe(outcome) : said),
          .hint =
              "nothing was pushed; fix what git reports and run it again: what was written is "
              "kept"};
}

// The keys of the working copy's configuration that the clone gets too. The
// others, such as hooks and filters, have no business there.
bool IsCopied(std::string_view key) {
  constexpr std::array<std::string_view, 4> kSections = {"user.", "credential.", "http.", "url."};
  constexpr std::array<std::string_view, 4> kKeys = {"commit.gpgsign", "gpg.format",
                                                     "core.sshcommand", "ssh.variant"};
  return std::any_of(kSections.begin(), kSections.end(),
                     [key](std::string_view section) { return key.starts_with(section); }) ||
         std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

}  // namespace

Result<Outcome> RunGitIn(const GitRepository& repository, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0", "-c",
                                       "submodule.recurse=false"});
  Command command = GitCommand(repository, repository.work_tree, arguments);
  command.limits.time = std::chrono::minutes(10);
  command.environment["LC_ALL"] = "C";
  command.environment["GIT_TERMINAL_PROMPT"] = "0";
  return RunProgram(command);
}

Result<std::string> AskGitIn(const GitRepository& repository,
                             const std::vector<std::string>& arguments) {
  const Outcome outcome = SIBYL_TRY(RunGitIn(repository, arguments));
  if (!outcome.succeeded()) return GitFailed(arguments, outcome);
  return std::string(Trim(outcome.output));
}

Result<PublishClone> PublishClone::Make(const PushTarget& target) {
  PublishClone clone;
  SIBYL_TRY(clone.Initialise(target));
  SIBYL_TRY(clone.CopySettings(target));
  SIBYL_TRY(clone.Fetch(target));
  SIBYL_TRY(clone.CheckAncestry(target));
  SIBYL_TRY(AskGitIn(clone.repository_, {"checkout", "--quiet", "-B", "publish", clone.tip_}));
  // A link in the remote's tree could lead elsewhere.
  std::error_code error;
  clone.oracle_ = fs::canonical(clone.repository_.work_tree / target.folder, error);
  const fs::path inside = clone.oracle_.lexically_relative(clone.repository_.work_tree);
  if (error || inside.empty() || *inside.begin() == "..") {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("the remote's newest commit has no folder {}",
                                        target.folder.empty() ? "for the oracle" : target.folder),
                 .hint = "git pull, and run it again"};
  }
  clone.inside_ = target.folder.empty() ? "" : target.folder + "/";
  return clone;
}

// It has the name of the working copy, since SKILL.md may name it. Objects of the
// working copy need not be fetched again.
Status PublishClone::Initialise(const PushTarget& target) {
  std::error_code error;
  const fs::path place =
      fs::canonical(folder_->path(), error) / target.repository.work_tree.filename();
  Command init = GitCommand(
      {"init", "--quiet", "--template=", "--initial-branch=publish", "--", place.string()});
  const Outcome made = SIBYL_TRY(RunProgram(init));
  if (!made.succeeded()) return GitFailed({"init"}, made);
  repository_ = {.git_dir = place / ".git", .work_tree = place};
  const std::string common =
      SIBYL_TRY(AskGitIn(target.repository, {"rev-parse", "--git-common-dir"}));
  const fs::path objects = fs::canonical(target.repository.work_tree / common / "objects", error);
  const bool can_be_named = !error && objects.string().find_first_of("\n\"#") == std::string::npos;
  if (!can_be_named) return {};
  fs::create_directories(repository_.git_dir / "objects/info", error);
  return WriteFileAtomically(repository_.git_dir / "objects/info/alternates",
                             objects.string() + "\n");
}

Status PublishClone::CopySettings(const PushTarget& target) const {
  SIBYL_TRY(AskGitIn(repository_, {"config", "core.hooksPath", "/dev/null"}));
  const Outcome listed =
      SIBYL_TRY(RunGitIn(target.repository, {"config", "--local", "--null", "--list"}));
  if (!listed.succeeded()) return GitFailed({"config"}, listed);
  std::string_view rest = listed.output;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    const std::string_view entry = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t line = entry.find('\n');
    if (line == std::string_view::npos || !IsCopied(entry.substr(0, line))) continue;
    SIBYL_TRY(AskGitIn(repository_, {"config", "--add", std::string(entry.substr(0, line)),
                                     std::string(entry.substr(line + 1))}));
  }
  return {};
}

Status PublishClone::Fetch(const PushTarget& target) {
  const std::vector<std::string> fetch = {"fetch",
                                          "--quiet",
                                          "--no-tags",
                                          "--no-recurse-submodules",
                                          "--",
                                          target.fetch_url,
                                          fmt::format("+{}:refs/heads/incoming", target.branch)};
  const Outcome fetched = SIBYL_TRY(RunGitIn(repository_, fetch));
  if (!fetched.succeeded()) return GitFailed(fetch, fetched);
  tip_ = SIBYL_TRY(AskGitIn(repository_, {"rev-parse", "--verify", "refs/heads/incoming"}));
  base_ = SIBYL_TRY(AskGitIn(target.repository, {"rev-parse", "--verify", "HEAD"}));
  return {};
}

// Commits that only the working copy has are not ours to push.
Status PublishClone::CheckAncestry(const PushTarget& target) {
  const Outcome asked =
      SIBYL_TRY(RunGitIn(repository_, {"merge-base", "--is-ancestor", base_, tip_}));
  if (asked.succeeded()) return {};
  return Error{
      .kind = ErrorKind::kUsage,
      .message = fmt::format("the working copy has commits that {} does not have", target.remote),
      .hint = "push or rebase them first, then run it again: what was written is kept"};
}

Result<std::optional<std::string>> PublishClone::At(const std::string& commit,
                                                    const std::string& path) const {
  const std::string name = fmt::format("{}:{}{}", commit, inside_, path);
  const Outcome exists = SIBYL_TRY(RunGitIn(repository_, {"cat-file", "-e", name}));
  if (!exists.succeeded()) return std::optional<std::string>();
  const Outcome shown = SIBYL_TRY(RunGitIn(repository_, {"cat-file", "blob", name}));
  if (!shown.succeeded()) return std::optional<std::string>();
  return std::optional(shown.output);
}

Result<std::vector<std::string>> PublishClone::RemovedPages() const {
  const Outcome listed =
      SIBYL_TRY(RunGitIn(repository_, {"diff", "--name-only", "-z", "--no-renames", "--no-ext-diff",
                                       "--diff-filter=D", base_, tip_, "--", "*.md"}));
  if (!listed.succeeded()) return GitFailed({"diff"}, listed);
  std::vector<std::string> pages;
  for (std::string_view rest = listed.output; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    pages.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return pages;
}

Result<PublishClone::Pushed> PublishClone::Push(const PushTarget& target) const {
  const std::vector<std::string> push = {"push",
                                         "--quiet",
                                         "--porcelain",
                                         "--no-verify",
                                         "--recurse-submodules=no",
                                         "--",
                                         target.push_url,
                                         fmt::format("{}:{}", kPublishBranch, target.branch)};
  const Outcome pushed = SIBYL_TRY(RunGitIn(repository_, push));
  if (pushed.succeeded()) return Pushed::kYes;
  const std::string said = pushed.output + pushed.errors;
  for (const std::string_view sign : {"fetch first", "non-fast-forward", "failed to update ref",
                                      "cannot lock ref", "incorrect old value"}) {
    if (Contains(said, sign)) return Pushed::kRemoteHasMoved;
  }
  return GitFailed(push, pushed);
}

}  // namespace sibyl::library
