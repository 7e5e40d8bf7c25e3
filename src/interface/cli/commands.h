// SPDX-License-Identifier: Apache-2.0
// The commands of the command line: the engine's operations with their renderers, and commands
// that exist only here (servers, help, completions, version). The latter are rows of the same
// type, so that parsing, help and completions need no exceptions for them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/operation.h"

namespace sibyl::interface {

/// In the order of help: the engine's table, then our own.
const std::vector<const engine::Operation*>& Commands();

const engine::Operation* FindCommand(std::string_view name);

/// The commands whose name starts with the word `group`: "plan" has three.
std::vector<const engine::Operation*> CommandsIn(std::string_view group);

/// The error for an unknown command `first` or `first second`, with the nearest
/// name.
Error UnknownOperation(std::string_view first, std::string_view second);

/// Whether a global option is a format for findings, which some commands do not have.
bool IsReport(const engine::Parameter& parameter);

/// Options that every command takes, as a row that is never run.
const engine::Operation& GlobalOptions();

}  // namespace sibyl::interface
