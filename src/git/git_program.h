// SPDX-License-Identifier: Apache-2.0
// Runs the git program: it can fetch one commit without its history, uses the
// user's credential helpers, and reports progress. fetch.h fetches with it.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/process/subprocess.h"
#include "base/result.h"
#include "git/fetch.h"
#include "git/object_id.h"

namespace sibyl::git {

/// One run of git in a mirror (base/process/git_command.h). Only the protocols
/// http, https, ssh and git, no hooks, and no password prompts.
struct GitRun {
  const std::filesystem::path& repository;
  std::vector<std::string> arguments;
  std::string input = {};                 ///< What it reads.
  std::filesystem::path input_file = {};  ///< Instead of `input`.
  std::chrono::milliseconds time = std::chrono::minutes(1);
  std::optional<std::size_t> file_bytes = {};  ///< Of any one file that git writes.
};

/// Reports git's progress to `options.progress`, and stops it when
/// `options.cancelled` is true, even while it prints nothing.
Result<Outcome> RunGit(const GitRun& run, const FetchOptions& options);

/// Why git failed.
enum class GitTrouble {
  kHere,     ///< Something on this machine: a full disk.
  kBreak,    ///< The transfer broke, or the server is in trouble: later may work.
  kRefused,  ///< The server refuses the request.
  kOther,    ///< The server is unreachable, or requires a login.
};

/// Runs git for one server. Remembers why it failed the last time.
class GitRemote {
 public:
  /// Both are borrowed.
  GitRemote(const std::string& url, const FetchOptions& options) : url_(url), options_(options) {}

  const std::string& url() const { return url_; }
  const FetchOptions& options() const { return options_; }

  /// git's output. An error has git's message, without a password from the URL;
  /// trouble() then classifies it.
  Result<std::string> Run(const GitRun& run);

  /// Calls attempt() again after a break, as often as the options have pauses.
  template <typename Attempt>
  auto Persist(const Attempt& attempt) -> decltype(attempt()) {
    for (const std::chrono::milliseconds pause : options_.pauses) {
      ForgetTrouble();
      auto done = attempt();
      if (done.ok() || trouble_ != GitTrouble::kBreak) return done;
      if (Status paused = Pause(pause); !paused.ok()) return std::move(paused).error();
    }
    ForgetTrouble();
    return attempt();
  }

  /// The cause of the last failed run; kHere if no run failed, so that the error is ours.
  GitTrouble trouble() const { return trouble_; }
  void ForgetTrouble() { trouble_ = GitTrouble::kHere; }
  void SetTrouble(GitTrouble trouble) { trouble_ = trouble; }

 private:
  Status Pause(std::chrono::milliseconds pause) const;

  const std::string& url_;
  const FetchOptions& options_;
  GitTrouble trouble_ = GitTrouble::kHere;
};

/// The name of the remote in FetchWithoutFiles; refspecs follow it. Not "origin":
/// users may have settings for remotes of that name.
inline constexpr std::string_view kPartialRemote = "sibyl-partial";

/// "fetch" and its options, to fetch without files, as in git's partial clones: of
/// the history, commits and trees. `negotiation` says what git tells the server of
/// the objects that are here: "default", or "noop" for nothing.
std::vector<std::string> FetchWithoutFiles(const std::string& url, std::string_view negotiation);

/// git's progress.
struct GitProgress {
  int percent = 0;
  std::string objects;  ///< "450/1000"
  std::string amount;   ///< "1.20 MiB | 2.00 MiB/s"; may be empty.

  bool operator==(const GitProgress&) const = default;
};

/// Out of a line such as "Receiving objects:  45% (450/1000), 1.20 MiB | 2.00 MiB/s".
std::optional<GitProgress> ParseGitProgress(std::string_view line);

/// A line of `git ls-remote`.
struct ListedRef {
  ObjectId id;
  std::string name;
};
std::vector<ListedRef> ParseRefs(std::string_view output);

}  // namespace sibyl::git
