// SPDX-License-Identifier: Apache-2.0
// Members of messages, which may lack them or have others in their place.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"

namespace sibyl::interface::lsp {

/// Null if `json` is not an object or has no such member. The reference lasts as
/// long as `json`.
const Json& Member(const Json& json, std::string_view name);

/// Members of members.
template <typename... Names>
const Json& Member(const Json& json, std::string_view first, Names... rest) {
  return Member(Member(json, first), rest...);
}

/// Nothing unless it is a whole number from 0 to 2^31 - 1.
std::optional<std::size_t> Natural(const Json& json, std::string_view name);

/// Empty if it is not a text.
std::string Text(const Json& json, std::string_view name);

/// Whether a list of texts has this one.
bool HasText(const Json& list, std::string_view text);

inline bool IsTrue(const Json& json) { return json.is_boolean() && json.get<bool>(); }

}  // namespace sibyl::interface::lsp
