// SPDX-License-Identifier: Apache-2.0
#include "git/fetch.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "git/fetch_resume.h"
#include "git/git_program.h"
#include "git/origin.h"

namespace sibyl::git {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kLongestListing{5};

std::optional<ListedRef> Choose(const std::vector<ListedRef>& refs, std::string_view wanted) {
  const std::string name(wanted.empty() ? "HEAD" : wanted);
  for (const std::string& candidate :
       {name, "refs/" + name, "refs/tags/" + name, "refs/heads/" + name}) {
    for (const ListedRef& ref : refs) {
      if (ref.name == candidate) return ref;
    }
  }
  return std::nullopt;
}

/// One fetch into one mirror.
class GitFetch {
 public:
  GitFetch(const fs::path& mirror, const std::string& url, const FetchOptions& options)
      : mirror_(mirror), remote_(url, options), resumption_(mirror, remote_) {}

  Result<ObjectId> Go(std::string_view ref) {
    const WantedCommit wanted = SIBYL_TRY(remote_.Persist([&] { return LookUp(ref); }));
    std::optional<ObjectId> commit = SIBYL_TRY(Commit(wanted.commit.Hex()));
    if (!commit) {
      SIBYL_TRY(remote_.Persist([&] { return Bring(wanted); }));
      // By its name: the branch may have moved since it was looked up.
      commit = SIBYL_TRY(Commit(wanted.local));
      if (!commit) commit = SIBYL_TRY(Commit(wanted.tip.Hex()));
      if (!commit) return UnknownRef(ref);
    }
    SIBYL_TRY(NoteBoundary(*commit));
    resumption_.Drop();
    return *commit;
  }

 private:
  Result<WantedCommit> LookUp(std::string_view ref) {
    if (const std::optional<ObjectId> id = ObjectId::FromHex(ref)) {
      return WantedCommit{.source = id->Hex(),
                          .local = "refs/remotes/origin/commits/" + id->Hex(),
                          .tip = *id,
                          .commit = *id};
    }
    const std::string name(ref.empty() ? "HEAD" : ref);
    const std::string listed =
        SIBYL_TRY(remote_.Run({.repository = mirror_,
                               .arguments = {"ls-remote", "--", remote_.url(), name, name + "^{}"},
                               .time = kLongestListing}));
    const std::vector<ListedRef> refs = ParseRefs(listed);
    const std::optional<ListedRef> found = Choose(refs, ref);
    if (!found) return UnknownRef(ref);
    // What a tag points at stands beside it.
    const std::optional<ListedRef> peeled = Choose(refs, found->name + "^{}");
    return WantedCommit{.source = found->name,
                        .local = "refs/remotes/origin/" + found->name,
                        .tip = found->id,
                        .commit = peeled ? peeled->id : found->id};
  }

  Status Bring(const WantedCommit& wanted) {
    SIBYL_TRY(resumption_.Rescue());
    if (resumption_.HasSome()) {
      Status resumed = resumption_.Complete(wanted);
      if (resumed.ok() || remote_.trouble() != GitTrouble::kRefused) return resumed;
      // This server gives no single objects: what was rescued is of no use.
      resumption_.Drop();
    }
    Status alone = Fetch(fmt::format("+{}:{}", wanted.source, wanted.local), {"--depth=1"});
    const bool is_refused =
        !alone.ok() && alone.error().kind != ErrorKind::kCancelled &&
        (remote_.trouble() == GitTrouble::kRefused || remote_.trouble() == GitTrouble::kOther);
    if (!is_refused || !ObjectId::FromHex(wanted.source)) return alone;
    // Most servers give any commit they have; some only what a name leads to, and
    // then everything is fetched to see whether it is there.
    std::vector<std::string> whole;
    std::error_code ignored;
    if (fs::exists(mirror_ / "shallow", ignored)) whole.emplace_back("--unshallow");
    return Fetch("+refs/*:refs/remotes/origin/*", std::move(whole));
  }

  Status Fetch(const std::string& refspec, std::vector<std::string> how) {
    std::vector<std::string> arguments = {"fetch",      "--no-tags", "--no-write-fetch-head",
                                          "--progress", "--force",   "--recurse-submodules=no"};
    arguments.insert(arguments.end(), how.begin(), how.end());
    arguments.insert(arguments.end(), {"--", remote_.url(), refspec});
    SIBYL_TRY(remote_.Run({.repository = mirror_, .arguments = arguments, .time = kLongestFetch}));
    return {};
  }

  // The commit that a name leads to here, with all that it needs: a pack is
  // installed only when it is whole.
  Result<std::optional<ObjectId>> Commit(const std::string& name) {
    const Outcome parsed =
        SIBYL_TRY(RunGit({.repository = mirror_,
                          .arguments = {"rev-parse", "--quiet", "--verify", name + "^{commit}"}},
                         remote_.options()));
    if (!parsed.succeeded()) return std::optional<ObjectId>();
    return ObjectId::FromHex(Trim(parsed.output));
  }

  // A git that was killed after it had installed its pack has not noted that the
  // history ends here.
  Status NoteBoundary(const ObjectId& commit) {
    const Outcome walked = SIBYL_TRY(
        RunGit({.repository = mirror_, .arguments = {"rev-list", "--max-count=2", commit.Hex()}},
               remote_.options()));
    return walked.succeeded() ? Status() : resumption_.AddShallow(commit);
  }

  Error UnknownRef(std::string_view wanted) const {
    const std::string address = WithoutCredentials(remote_.url());
    if (wanted.empty()) {
      return Error{.kind = ErrorKind::kNotFound,
                   .message = fmt::format("fetching {}: the repository is empty", address)};
    }
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("fetching {}: unknown ref '{}'", address, wanted),
                 .hint = fmt::format("'git ls-remote {}' shows the names", address)};
  }

  const fs::path& mirror_;
  GitRemote remote_;
  FetchResumption resumption_;
};

}  // namespace

Result<ObjectId> FetchCommit(const fs::path& mirror, const std::string& url, std::string_view ref,
                             const FetchOptions& options) {
  if (options.network == Network::kForbidden) {
    return Error{
        .kind = ErrorKind::kUnavailable,
        .message = fmt::format("fetching {}: this command does not use the network",
                               WithoutCredentials(url)),
        .hint = "'sibyl source sync' fetches, unless --offline or SIBYL_OFFLINE forbids it",
        .cause = ErrorCause::kOffline};
  }
  if (HasCredentials(url)) return CredentialsRefused(url);
  if (url.starts_with('-') || ref.starts_with('-')) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("fetching {}: it begins with '-'", url)};
  }
  if (!FindProgram("git")) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("fetching {}: no such program in PATH: git",
                                        WithoutCredentials(url)),
                 .hint = "install git, or put the folder that holds it into PATH"};
  }
  return GitFetch(mirror, url, options).Go(ref);
}

}  // namespace sibyl::git
