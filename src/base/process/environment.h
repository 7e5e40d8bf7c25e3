// SPDX-License-Identifier: Apache-2.0
// The one place that reads environment variables.
#pragma once

#include <optional>
#include <string>

namespace sibyl {

/// Nothing when the variable is not set. Safe in threads as long as nobody
/// calls setenv, and nobody here does.
std::optional<std::string> EnvironmentVariable(const char* name);

}  // namespace sibyl
