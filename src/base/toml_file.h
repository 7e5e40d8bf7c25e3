// SPDX-License-Identifier: Apache-2.0
// A TOML file that people wrote, as a tree. toml++ throws, and no exception
// leaves this function; included only by the readers of sibyl.toml.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/toml_text.h"

namespace sibyl {

/// kUsage with the place for what is no TOML. `file` is the name in complaints.
Result<toml::table> ParseToml(std::string_view text, const std::string& file);

}  // namespace sibyl
