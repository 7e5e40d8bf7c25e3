// SPDX-License-Identifier: Apache-2.0
// The JSON of an answer, the same on the command line and on every server.
#pragma once

#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "engine/outcome.h"

namespace sibyl::interface {

/// Raised when a member changes its meaning or goes away; new members do not
/// raise it.
inline constexpr int kJsonVersion = 1;

/// version, operation, holds, the members of the outcome's data, findings.
Json AnswerAsJson(std::string_view operation, engine::Outcome outcome);

/// version, operation (null if it was not recognised) and error: kind, message,
/// hint and, if there is a place, file, line and column.
Json ErrorAsJson(std::string_view operation, const Error& error);

Json FindingAsJson(const Finding& finding);

/// "not_found": what the caller may do about it.
std::string_view ErrorKindName(ErrorKind kind);

}  // namespace sibyl::interface
