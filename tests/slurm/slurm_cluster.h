// SPDX-License-Identifier: Apache-2.0
// For tests: a cluster of one node from Debian's package slurm-wlm, in a temporary folder,
// on ports of its own. A job of the partition "urgent" preempts one of "main".
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/files/temporary_folder.h"
#include "base/process/subprocess.h"
#include "base/result.h"
#include "tests/ledger/team.h"

namespace sibyl {

class SlurmCluster {
 public:
  static constexpr int kProcessors = 4;

  /// An Error says why it cannot be started, for GTEST_SKIP.
  static Result<std::unique_ptr<SlurmCluster>> Start();
  SlurmCluster(const SlurmCluster&) = delete;
  SlurmCluster& operator=(const SlurmCluster&) = delete;
  /// Cancels all jobs first: their processes are not children of this one.
  ~SlurmCluster();

  /// Variables with which Slurm's programs find it.
  const std::map<std::string, std::string>& environment() const { return environment_; }
  /// The output of one of Slurm's programs, which must succeed.
  std::string Run(const std::string& program, std::vector<std::string> arguments) const;
  /// "12_0 RUNNING", … of all jobs in the queue of that name, sorted.
  std::vector<std::string> Queue(const std::string& name) const;
  std::string Logs() const;

 private:
  SlurmCluster() = default;
  Status Configure();
  Status WaitUntilIdle() const;

  TemporaryFolder folder_;
  std::map<std::string, std::string> environment_;
  std::unique_ptr<RunningProgram> controller_;
  std::unique_ptr<RunningProgram> node_;
};

}  // namespace sibyl
