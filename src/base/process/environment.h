// SPDX-License-Identifier: Apache-2.0
// The only place that reads environment variables.
#pragma once

#include <optional>
#include <string>

namespace sibyl {

/// nullopt if the variable is not set. Thread-safe, since no code here calls setenv.
std::optional<std::string> EnvironmentVariable(const char* name);

}  // namespace sibyl
