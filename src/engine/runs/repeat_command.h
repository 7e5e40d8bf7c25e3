// SPDX-License-Identifier: Apache-2.0
// The command line that repeats a call of an operation; for hints.
#pragma once

#include <string>
#include <string_view>

#include "engine/arguments.h"
#include "expansion/planned_work.h"
#include "oracle/context.h"

namespace sibyl::engine {

/// "sibyl expand", with -C if the oracle is not the one that the working folder is in.
std::string CommandBegin(const oracle::Context& context, std::string_view operation);

/// Of `expand`: all options that were given, except -j, --restart and --dry-run.
expansion::ExpandCommand RepeatExpand(const oracle::Context& context, const Arguments& arguments);

}  // namespace sibyl::engine
