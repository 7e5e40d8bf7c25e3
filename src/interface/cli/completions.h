// SPDX-License-Identifier: Apache-2.0
// Completion scripts, generated from the table. They are static: completing
// must not wait for a program to start, nor run one that was just replaced.
#pragma once

#include <string>
#include <vector>

#include "engine/operation.h"

namespace sibyl::interface {

std::string BashCompletions();
std::string ZshCompletions();
std::string FishCompletions();

/// "plan", "plan show", …: every prefix of an operation's name.
std::vector<std::string> OperationPrefixes();

/// The global options that take a value: their value is not an operation.
std::vector<std::string> GlobalOptionsWithValue();

/// "-o" and "--output", whichever it has.
std::vector<std::string> OptionNames(const engine::Parameter& parameter);

}  // namespace sibyl::interface
