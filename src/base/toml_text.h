// SPDX-License-Identifier: Apache-2.0
// The TOML values that sibyl writes: basic strings and lists of them. Files
// that people write are parsed with a full TOML parser (toml_file.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl {

/// A longer file is refused.
inline constexpr std::size_t kMaxTomlBytes = std::size_t{4} << 20;

/// In double quotes; control characters escaped.
std::string TomlString(std::string_view text);

/// ["a", "b"]
std::string TomlStrings(const std::vector<std::string>& texts);

/// Reads a basic string from the front of `rest` and moves past it. Supports
/// exactly the escapes that TomlString writes.
std::optional<std::string> ReadTomlString(std::string_view& rest);

/// Reads a list of strings.
std::optional<std::vector<std::string>> ReadTomlStrings(std::string_view& rest);

}  // namespace sibyl
