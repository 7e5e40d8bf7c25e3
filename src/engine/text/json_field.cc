// SPDX-License-Identifier: Apache-2.0
#include "engine/text/json_field.h"

#include "base/terminal.h"
#include "base/utf8.h"

namespace sibyl::engine {

std::string TextOf(const Json& value) {
  return value.is_string() ? Harmless(ReplaceInvalidUtf8(value.get<std::string>())) : std::string();
}

std::string Text(const Json& json, const char* name) {
  const auto member = json.find(name);
  return member != json.end() ? TextOf(*member) : std::string();
}

std::uint64_t Number(const Json& json, const char* name) {
  const auto member = json.find(name);
  return member != json.end() && member->is_number() ? member->get<std::uint64_t>() : 0;
}

}  // namespace sibyl::engine
