// SPDX-License-Identifier: Apache-2.0
// Parses a TOML file. toml++ throws; no exception leaves this function.
// Included only by the readers of sibyl.toml.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/toml_text.h"

namespace sibyl {

/// kUsage with the place if it is not valid TOML. `file` is the name in
/// messages.
Result<toml::table> ParseToml(std::string_view text, const std::string& file);

}  // namespace sibyl
