// SPDX-License-Identifier: Apache-2.0
#include "interface/lsp/json_members.h"

#include <algorithm>
#include <cstdint>

namespace sibyl::interface::lsp {

const Json& Member(const Json& json, std::string_view name) {
  static const Json nothing = nullptr;
  if (!json.is_object()) return nothing;
  const auto found = json.find(name);
  return found == json.end() ? nothing : *found;
}

std::optional<std::size_t> Natural(const Json& json, std::string_view name) {
  constexpr std::int64_t kMost = 0x7fffffff;
  const Json& member = Member(json, name);
  if (!member.is_number_integer()) return std::nullopt;
  if (member.is_number_unsigned() && member.get<std::uint64_t>() > kMost) return std::nullopt;
  const auto number = member.get<std::int64_t>();
  if (number < 0 || number > kMost) return std::nullopt;
  return static_cast<std::size_t>(number);
}

std::string Text(const Json& json, std::string_view name) {
  const Json& member = Member(json, name);
  return member.is_string() ? member.get<std::string>() : std::string();
}

bool HasText(const Json& list, std::string_view text) {
  return list.is_array() && std::any_of(list.begin(), list.end(), [&](const Json& item) {
           return item.is_string() && item.get_ref<const std::string&>() == text;
         });
}

}  // namespace sibyl::interface::lsp
