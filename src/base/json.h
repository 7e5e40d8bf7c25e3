// SPDX-License-Identifier: Apache-2.0
// JSON as we read and write it: members in the order they were written, bytes
// that are not UTF-8 replaced rather than thrown over, foreign text bounded.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sibyl {

using Json = nlohmann::ordered_json;

struct JsonLimits {
  std::size_t max_bytes = std::size_t{256} << 20;
  int max_depth = 100;
};

/// Parses untrusted text; never throws, and refuses input that is deeper or
/// longer than the limits.
Result<Json> ParseJson(std::string_view text, const JsonLimits& limits = {});

enum class JsonLayout { kCompact, kIndented };

/// Always valid UTF-8: a byte that is not becomes U+FFFD. Control characters are
/// escaped, DEL and C1 too.
std::string FormatJson(const Json& value, JsonLayout layout = JsonLayout::kIndented);

}  // namespace sibyl
