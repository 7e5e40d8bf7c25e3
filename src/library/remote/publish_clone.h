// SPDX-License-Identifier: Apache-2.0
// The clone that a publication is made in, in a temporary folder.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/files/root.h"
#include "base/files/temporary_folder.h"
#include "base/process/subprocess.h"
#include "base/result.h"
#include "library/remote/push.h"

namespace sibyl::library {

/// Runs git in the working copy: no hooks, no prompts, time for a network.
Result<Outcome> RunGitIn(const GitRepository& repository, std::vector<std::string> arguments);
/// Its output, without line ends; an Error with git's message if it fails.
Result<std::string> AskGitIn(const GitRepository& repository,
                             const std::vector<std::string>& arguments);

class PublishClone {
 public:
  /// With the newest commit of the remote's branch checked out.
  static Result<PublishClone> Make(const PushTarget& target);

  std::filesystem::path oracle() const { return oracle_; }
  /// Of the working copy, and of the remote.
  const std::string& base() const { return base_; }
  const std::string& tip() const { return tip_; }
  bool has_moved() const { return base_ != tip_; }
  const GitRepository& repository() const { return repository_; }

  /// A file of the oracle at a commit; nothing if it is not there.
  Result<std::optional<std::string>> At(const std::string& commit, const std::string& path) const;
  /// Pages of the oracle that the remote has removed since.
  Result<std::vector<std::string>> RemovedPages() const;

  enum class Pushed { kYes, kRemoteHasMoved };
  Result<Pushed> Push(const PushTarget& target) const;

 private:
  PublishClone() = default;
  Status Initialise(const PushTarget& target);
  Status CopySettings(const PushTarget& target) const;
  Status Fetch(const PushTarget& target);
  Status CheckAncestry(const PushTarget& target);

  std::unique_ptr<TemporaryFolder> folder_ = std::make_unique<TemporaryFolder>();
  GitRepository repository_;
  std::filesystem::path oracle_;
  std::string inside_;  // the oracle in the repository, with a '/' at the end
  std::string base_;
  std::string tip_;
};

/// The local branch of the clone that is pushed.
constexpr std::string_view kPublishBranch = "refs/heads/publish";

}  // namespace sibyl::library
