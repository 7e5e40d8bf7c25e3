// SPDX-License-Identifier: Apache-2.0
// What the command line offers: the engine's operations with the way each is
// shown to people, and commands that make sense nowhere else (servers, help,
// completions, version). Those are rows of the same type, so that parsing,
// help and completions need no exceptions for them.
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

/// The commands whose name starts with the word `group`: "plan" has three.
std::vector<const Command*> CommandsIn(std::string_view group);

/// What to say when no command has the name `first` or `first second`; names
/// the nearest that exists.
Error UnknownOperation(std::string_view first, std::string_view second);

/// The operation that agents know by this name: "claim_part" is "part claim". Null when
/// there is none.
const engine::Operation* FindToolOperation(std::string_view tool);

/// `text` with the names of tools that have a '_' in them replaced by the commands that
/// do the same: "claim_part" by "'sibyl part claim'".
std::string WithCommands(std::string_view text);

/// Options that every command takes, as a row that is never run.
const engine::Operation& GlobalOptions();

}  // namespace sibyl::interface
