// SPDX-License-Identifier: Apache-2.0
// Runs the git program: it brings one commit without its history, knows people's
// credential helpers, and says how far it is. fetch.h fetches with it.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/process/subprocess.h"
#include "base/result.h"
#include "git/fetch.h"
#include "git/object_id.h"

namespace sibyl::git {

/// One run of git in a mirror of ours (base/process/git_command.h). Only http, https, ssh
/// and git are spoken, no hook is run, and nobody is asked for a password at the
/// terminal.
struct GitRun {
  const std::filesystem::path& repository;
  std::vector<std::string> arguments;
  std::string input = {};                 ///< What it reads.
  std::filesystem::path input_file = {};  ///< Instead of `input`.
  std::chrono::milliseconds time = std::chrono::minutes(1);
};

/// Tells `options.progress` how far git is, and ends it when `options.cancelled` says
/// so, also while it is silent.
Result<Outcome> RunGit(const GitRun& run, const FetchOptions& options);

/// What stood in the way of git.
enum class GitTrouble {
  kHere,     ///< Something on this machine: a full disk.
  kBreak,    ///< The transfer broke, or the server is in trouble: later may work.
  kRefused,  ///< The server does not give what was asked for.
  kOther,    ///< Nobody is there, or a login is wanted.
};

/// Git and one server. Remembers what stood in the way the last time.
class GitRemote {
 public:
  /// Both are borrowed.
  GitRemote(const std::string& url, const FetchOptions& options) : url_(url), options_(options) {}

  const std::string& url() const { return url_; }
  const FetchOptions& options() const { return options_; }

  /// What git printed. An error is git's own complaint, without a password that was in
  /// the URL; trouble() then says what to make of it.
  Result<std::string> Run(const GitRun& run);

  /// Of the last run that failed; kHere before any: then it was not git.
  GitTrouble trouble() const { return trouble_; }
  void ForgetTrouble() { trouble_ = GitTrouble::kHere; }
  void SetTrouble(GitTrouble trouble) { trouble_ = trouble; }

 private:
  const std::string& url_;
  const FetchOptions& options_;
  GitTrouble trouble_ = GitTrouble::kHere;
};

/// How far git says it is.
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
