// SPDX-License-Identifier: Apache-2.0
// Compilers and parsers that are asked about blocks of code, each in the
// sandbox. Part of verify/code_check.
#pragma once

#include <chrono>
#include <string_view>

#include "verify/code_check.h"

namespace sibyl::verify {

/// Whether a tool is asked about the language at all.
bool HasTool(BlockLanguage language);

struct ToolQuestion {
  BlockLanguage language = BlockLanguage::kUnknown;
  Completeness completeness = Completeness::kFragment;
  std::string_view code;
  std::chrono::milliseconds time{20'000};
};

/// A tool that is missing, crashed or ran into a limit is "not decidable", with
/// its name. Only what it says of the block itself is believed: neither the text
/// nor the errors of what a block includes get into the message.
CodeResult AskTool(const ToolQuestion& question);

/// A line that stands for others: "...", "// ...".
bool HasPlaceholderLine(std::string_view code);

/// False for an #include that names a place instead of a header ("/etc/passwd",
/// "../x", a macro): a compiler would read it and tell.
bool HasPlainIncludes(std::string_view code);

}  // namespace sibyl::verify
