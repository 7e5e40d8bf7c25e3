// SPDX-License-Identifier: Apache-2.0
// Runs compilers and parsers on code blocks, in the sandbox. Part of
// code/code_check.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/result.h"
#include "code/code_check.h"

namespace sibyl::code {

/// Whether there is a tool for the language.
bool HasTool(BlockLanguage language);

struct ToolQuestion {
  BlockLanguage language = BlockLanguage::kUnknown;
  Completeness completeness = Completeness::kFragment;
  std::string_view code;
  std::chrono::milliseconds time{20'000};
  std::string bubblewrap = "bwrap";
};

/// If a tool is missing, crashes or hits a limit, the block is undecidable,
/// with the tool's name. Only errors in the block itself count. A block that
/// includes a file that is not in the sandbox (anything but the headers of the
/// system and of CUDA) is undecidable too, whether the file exists or not,
/// since the compiler cannot open it.
///
/// An Error means that there is no sandbox and no tool was run.
Result<CodeResult> AskTool(const ToolQuestion& question);

/// A line that represents omitted lines: "...", "// ...".
bool HasPlaceholderLine(std::string_view code);

}  // namespace sibyl::code
