// SPDX-License-Identifier: Apache-2.0
// Compilers and parsers that are asked about blocks of code, each in the
// sandbox. Part of verify/code_check.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/result.h"
#include "code/code_check.h"

namespace sibyl::code {

/// Whether a tool is asked about the language at all.
bool HasTool(BlockLanguage language);

struct ToolQuestion {
  BlockLanguage language = BlockLanguage::kUnknown;
  Completeness completeness = Completeness::kFragment;
  std::string_view code;
  std::chrono::milliseconds time{20'000};
  std::string bubblewrap = "bwrap";
};

/// A tool that is missing, crashed or ran into a limit is "not decidable", with
/// its name. Only what it says of the block itself is believed. A block that
/// includes what the sandbox does not have (anything but the headers of the
/// system and of CUDA) is not decidable either, whether the file exists or not:
/// that is the compiler's own answer, for it cannot open it.
///
/// An Error means that there is no sandbox, and that no tool was run.
Result<CodeResult> AskTool(const ToolQuestion& question);

/// A line that stands for others: "...", "// ...".
bool HasPlaceholderLine(std::string_view code);

}  // namespace sibyl::code
