// SPDX-License-Identifier: Apache-2.0
// The lab programs of this machine, and how they are run: as separate
// processes, within limits. They may crash without harm.
#pragma once

#include <chrono>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sibyl::lab {

struct Program {
  std::string name;  ///< "texture" of lab_texture.
  std::filesystem::path path;
  /// What runs it, if it is a script of the installation: python3.
  std::filesystem::path interpreter = {};
};

/// The programs "lab_*" of the folders, sorted; of two with one name the first.
std::vector<Program> FindPrograms(const std::vector<std::filesystem::path>& folders);

/// The program's description: question, variants, cases. Needs no GPU.
Result<std::string> AskForDescription(const Program& program);

struct LabOptions {
  std::vector<std::string> arguments;  ///< "--quick", "--variant", …
  std::chrono::milliseconds time{600'000};
  std::stop_token stop;
};

struct LabOutput {
  std::string lines;  ///< Its output so far.
  std::string talk;
  bool had_failures = false;     ///< Some answer was wrong.
  bool ran_out_of_time = false;  ///< `lines` are what it had printed until then.
};

/// kUnavailable if there is no usable GPU, or if it crashed, with the end of its
/// stderr, or if it ran out of time before it printed a line.
Result<LabOutput> RunLab(const Program& program, const LabOptions& options);

}  // namespace sibyl::lab
