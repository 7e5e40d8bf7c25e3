// SPDX-License-Identifier: Apache-2.0
// Parses the command line according to the table of commands. Why we use no
// library for this: docs/decisions/0004-own-argument-parser.md.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "engine/arguments.h"
#include "interface/cli/commands.h"

namespace sibyl::interface {

/// A command that exists, with arguments that fit its row.
struct CommandLine {
  const engine::Operation* command = nullptr;
  engine::Arguments arguments;
  engine::Arguments globals;
};

/// `words` are the program's arguments without its own name. -h and --help
/// anywhere become the command `help`, --version becomes `version`, whatever
/// else is wrong with the command line.
Result<CommandLine> ParseCommandLine(std::span<const std::string_view> words);

/// True if the answer or error should be JSON. Looks only at the words, so that
/// it works if they cannot be parsed.
bool WantsJson(std::span<const std::string_view> words);

}  // namespace sibyl::interface
