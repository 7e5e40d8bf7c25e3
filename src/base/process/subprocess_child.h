// SPDX-License-Identifier: Apache-2.0
// A child process between fork and exec. Part of base/process/subprocess.h.
//
// A child of a process with threads may only make calls that are safe in a
// signal handler: another thread may have held malloc's lock at the fork.
// Hence plain pointers that the parent prepared, and nothing that allocates.
#pragma once

#include <sys/types.h>

#include <optional>

#include "base/process/subprocess.h"
#include "base/result.h"

namespace sibyl {

struct ChildPlan {
  const char* program = nullptr;
  char* const* arguments = nullptr;
  char* const* environment = nullptr;
  const char* folder = nullptr;  ///< Null: stay.
  int input = -1;
  int output = -1;
  int errors = -1;
  int failure = -1;  ///< Reports that exec failed; closes on success.
  pid_t parent = 0;
  SubprocessLimits limits;
};

enum class ChildStep { kSetUp, kFolder, kExec };

struct ChildFailure {
  ChildStep step = ChildStep::kSetUp;
  int code = 0;  ///< An errno value.
};

/// Forks; the child leads a new process group and runs the program.
Result<pid_t> StartChild(const ChildPlan& plan);

/// Waits until exec has succeeded (nothing) or failed.
std::optional<ChildFailure> ReadChildFailure(int descriptor);

}  // namespace sibyl
