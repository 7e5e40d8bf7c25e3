// SPDX-License-Identifier: Apache-2.0
// What the command line offers: the engine's operations with their renderers,
// and commands that exist only here (servers, help, completions, version).
// Those are rows of the same type, so that parsing, help and completions need
// no exceptions for them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/operation.h"

namespace sibyl::interface {

struct Rendered;
struct RenderOptions;

struct Command {
  const engine::Operation* operation = nullptr;
  Rendered (*render)(const engine::Outcome&, const RenderOptions&) = nullptr;
};

/// In the order of help: the engine's table, then our own.
const std::vector<Command>& Commands();

const Command* FindCommand(std::string_view name);

/// The commands whose name starts with the word `group`: for "plan": "plan
/// show" and others.
std::vector<const Command*> CommandsIn(std::string_view group);

/// The error for an unknown command `first` or `first second`, with the nearest
/// name.
Error UnknownOperation(std::string_view first, std::string_view second);

/// The operation with this tool name: "claim_part" is "part claim". Null if
/// there is none.
const engine::Operation* FindToolOperation(std::string_view tool);

/// `text` with the names of tools that have a '_' in them replaced by the commands that
/// do the same: "claim_part" by "'sibyl part claim'".
std::string WithCommands(std::string_view text);

/// Options of all commands, as a row that is never run.
const engine::Operation& GlobalOptions();

}  // namespace sibyl::interface
