// SPDX-License-Identifier: Apache-2.0
// Optional values in answers: null, not an empty string.
#pragma once

#include <optional>
#include <string>

#include "base/json.h"

namespace sibyl::engine {

inline Json TextOrNull(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

template <class T>
Json ValueOrNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace sibyl::engine
