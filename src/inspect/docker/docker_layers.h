// SPDX-License-Identifier: Apache-2.0
// Finds layers that are rebuilt without need: missing or ineffective cache mounts, ARGs above
// instructions that do not use them; and builds that name no GPU architecture.
#pragma once

#include <string>
#include <string_view>

#include "inspect/artifact.h"
#include "inspect/docker/dockerfile.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/inspect_options.h"

namespace sibyl::inspect {

/// Limits how many bytes of scripts the checks of one Dockerfile may read: some compare every
/// instruction with every other.
class ScriptBudget {
 public:
  bool Spend(std::size_t bytes) {
    is_spent_ = is_spent_ || bytes > left_;
    if (!is_spent_) left_ -= bytes;
    return !is_spent_;
  }
  bool is_spent() const { return is_spent_; }
  static constexpr std::size_t kMost = std::size_t{256} << 20;

 private:
  std::size_t left_ = kMost;
  bool is_spent_ = false;
};

/// Stops when the budget is spent.
void CheckLayers(const Dockerfile& file, const InspectOptions& options, ScriptBudget& budget,
                 Artifact& artifact);

/// Whether a command compiles device code: nvcc, setup.py, CMake with CUDA, flash-attn.
bool CompilesCuda(const ShellCommand& command);

/// The package in a pip or uv command that installs CUDA's libraries ("torch"); empty if there
/// is none or it requests the CPU build.
std::string CudaWheelIn(std::string_view script);

}  // namespace sibyl::inspect
