// SPDX-License-Identifier: Apache-2.0
// The scripts of RUN, split as a shell does, and what of them is executed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "inspect/docker/dockerfile.h"

namespace sibyl::inspect {

struct ShellToken {
  std::string_view raw;      ///< In the script.
  std::string text = {};     ///< A word without its quotes; empty for operators.
  bool is_operator = false;  ///< && || ; | & ( ) and the end of a line.
};

/// Words and operators, without comments. "$(...)" is a part of its word.
std::vector<ShellToken> ShellTokens(std::string_view script);

/// What an instruction executes: Script() without the text that echo and printf print, and without
/// here-documents that other programs than a shell read. `bash -c "x"` and ["bash", "-c", "x"] are
/// x. For other instructions than RUN, the same as Script().
std::string ExecutedScript(const DockerInstruction& at);

}  // namespace sibyl::inspect
