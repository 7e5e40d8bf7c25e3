// SPDX-License-Identifier: Apache-2.0
#include "git/fetch_history.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "git/fetch_resume.h"
#include "git/git_program.h"
#include "git/origin.h"

namespace sibyl::git {
namespace {

constexpr std::size_t kMostPackBytes = std::size_t{4} << 30;

/// One fetch into one repository.
class HistoryFetch {
 public:
  HistoryFetch(const std::filesystem::path& repository, const std::string& url,
               const FetchOptions& options)
      : repository_(repository), remote_(url, options) {}

  Status Go(const ObjectId& commit) {
    if (SIBYL_TRY(HasCommit(commit))) return {};
    if (remote_.options().progress) remote_.options().progress("fetching the history");
    const std::string id = commit.Hex();
    Status alone =
        remote_.Persist([&] { return Fetch(fmt::format("+{}:refs/history/{}", id, id)); });
    if (alone.ok()) return {};
    if (alone.error().kind == ErrorKind::kCancelled ||
        (remote_.trouble() != GitTrouble::kRefused && remote_.trouble() != GitTrouble::kOther)) {
      return alone;
    }
    // A server that gives only what a name leads to.
    Status named = remote_.Persist([&] { return Fetch("+refs/heads/*:refs/history/heads/*"); });
    if (!named.ok()) return alone;
    if (SIBYL_TRY(HasCommit(commit))) return {};
    return alone;
  }

 private:
  Status Fetch(const std::string& refspec) {
    std::vector<std::string> arguments = FetchWithoutFiles(remote_.url(), "default");
    arguments.insert(arguments.end(), {"--", std::string(kPartialRemote), refspec});
    SIBYL_TRY(remote_.Run({.repository = repository_,
                           .arguments = arguments,
                           .time = kLongestFetch,
                           .file_bytes = kMostPackBytes}));
    return {};
  }

  Result<bool> HasCommit(const ObjectId& commit) const {
    const Outcome parsed = SIBYL_TRY(
        RunGit({.repository = repository_,
                .arguments = {"rev-parse", "--quiet", "--verify", commit.Hex() + "^{commit}"}},
               remote_.options()));
    return parsed.succeeded();
  }

  const std::filesystem::path& repository_;
  GitRemote remote_;
};

}  // namespace

Status FetchHistory(const std::filesystem::path& repository, const std::string& url,
                    const ObjectId& commit, const FetchOptions& options) {
  if (options.network == Network::kForbidden) {
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = fmt::format("fetching the history of {}: this command does not use "
                                        "the network",
                                        WithoutCredentials(url)),
                 .hint = "'sibyl source sync' fetches it",
                 .cause = ErrorCause::kOffline};
  }
  return HistoryFetch(repository, url, options).Go(commit);
}

}  // namespace sibyl::git
