// SPDX-License-Identifier: Apache-2.0
// Members of an answer for a page. A member that is missing or of another type
// is empty: pages are also made from answers of other versions.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/json.h"

namespace sibyl::interface {

inline std::string_view JsonText(const Json& json, const char* name) {
  if (!json.is_object()) return {};
  const auto member = json.find(name);
  if (member == json.end() || !member->is_string()) return {};
  return member->get_ref<const std::string&>();
}

inline std::uint64_t JsonNumber(const Json& json, const char* name) {
  if (!json.is_object()) return 0;
  const auto member = json.find(name);
  return member != json.end() && member->is_number_integer() && *member >= 0
             ? member->get<std::uint64_t>()
             : 0;
}

inline bool JsonFlag(const Json& json, const char* name) {
  if (!json.is_object()) return false;
  const auto member = json.find(name);
  return member != json.end() && member->is_boolean() && member->get<bool>();
}

/// An empty array if there is none.
inline const Json& JsonList(const Json& json, const char* name) {
  static const Json empty = Json::array();
  if (!json.is_object()) return empty;
  const auto member = json.find(name);
  return member != json.end() && member->is_array() ? *member : empty;
}

/// An empty object if there is none.
inline const Json& JsonObject(const Json& json, const char* name) {
  static const Json empty = Json::object();
  if (!json.is_object()) return empty;
  const auto member = json.find(name);
  return member != json.end() && member->is_object() ? *member : empty;
}

}  // namespace sibyl::interface
