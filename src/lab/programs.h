// SPDX-License-Identifier: Apache-2.0
// The lab programs of this machine, and how they are run: as processes of their
// own, within limits. They may crash without harm.
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
};

/// The programs "lab_*" of the folders, sorted; of two with one name the first.
std::vector<Program> FindPrograms(const std::vector<std::filesystem::path>& folders);

/// What the program says of itself: question, variants, cases. Needs no GPU.
Result<std::string> AskForDescription(const Program& program);

struct LabOptions {
  std::vector<std::string> arguments;  ///< "--quick", "--variant", …
  std::chrono::milliseconds time{600'000};
  std::stop_token stop;
};

struct LabOutput {
  std::string lines;  ///< What it printed, as far as it got.
  std::string talk;
  bool had_failures = false;  ///< Some answer was wrong.
};

/// kUnavailable when there is no GPU that it can use, or when it crashed or ran
/// too long, with its last words; what it had printed by then is lost with it.
Result<LabOutput> RunLab(const Program& program, const LabOptions& options);

}  // namespace sibyl::lab
