// SPDX-License-Identifier: Apache-2.0
// For tests: a repository that the git program made, so that our readers are
// held against git itself and not against our own idea of it.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files/files.h"
#include "base/process/subprocess.h"
#include "base/strings.h"

namespace sibyl::git {

class TestGit {
 public:
  explicit TestGit(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::filesystem::create_directories(folder_);
    Run({"init", "-q", "-b", "main"});
  }

  const std::filesystem::path& folder() const { return folder_; }

  /// The trimmed output of git; fails the test if git fails.
  std::string Run(std::vector<std::string> arguments) const {
    const Command command{.program = "git",
                          .arguments = std::move(arguments),
                          .folder = folder_,
                          .environment = {{"GIT_CONFIG_GLOBAL", "/dev/null"},
                                          {"GIT_CONFIG_SYSTEM", "/dev/null"},
                                          {"GIT_AUTHOR_NAME", "a"},
                                          {"GIT_AUTHOR_EMAIL", "a@example.org"},
                                          {"GIT_COMMITTER_NAME", "c"},
                                          {"GIT_COMMITTER_EMAIL", "c@example.org"},
                                          {"GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z"},
                                          {"GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z"}}};
    const Result<Outcome> outcome = RunProgram(command);
    EXPECT_TRUE(outcome.ok() && outcome->succeeded())
        << (outcome.ok() ? outcome->errors : outcome.error().message);
    return outcome.ok() ? std::string(Trim(outcome->output)) : std::string();
  }

  void Write(const std::string& path, std::string_view text) const {
    std::filesystem::create_directories((folder_ / path).parent_path());
    std::ofstream file(folder_ / path, std::ios::binary);
    file << text;
    EXPECT_TRUE(file.flush().good()) << path;
  }

  /// Commits everything; the commit's id.
  std::string Commit(const std::string& message = "change") const {
    Run({"add", "-A", "-f"});
    Run({"commit", "-q", "--allow-empty", "-m", message});
    return Run({"rev-parse", "HEAD"});
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace sibyl::git
