// SPDX-License-Identifier: Apache-2.0
// The configuration of one user, which people edit: $XDG_CONFIG_HOME/sibyl.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.h"

namespace sibyl {

inline constexpr std::string_view kUserConfigFile = "config.toml";

/// $XDG_CONFIG_HOME/sibyl, or ~/.config/sibyl. kUsage without a home.
Result<std::filesystem::path> UserConfigFolder();

}  // namespace sibyl
