// SPDX-License-Identifier: Apache-2.0
// The only place that reads environment variables.
#pragma once

#include <optional>
#include <string>

namespace sibyl {

/// Nothing if the variable is not set. Thread-safe, since nothing here calls
/// setenv.
std::optional<std::string> EnvironmentVariable(const char* name);

}  // namespace sibyl
