// SPDX-License-Identifier: Apache-2.0
#include "base/toml_table_reader.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/nearest_name.h"

namespace sibyl {

Result<const toml::table*> TomlTableReader::Find(const toml::table& root,
                                                 std::string_view name) const {
  const toml::node* node = root.get(name);
  if (node == nullptr || node->is_table()) return node == nullptr ? nullptr : node->as_table();
  return Complain(*node, "it is not a table", fmt::format("write [{}] with one bracket", name));
}

Error TomlTableReader::Complain(const toml::node& node, std::string what, std::string hint) const {
  Place place = PlaceOf(node);
  place.column = node.source().begin.column;
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("reading {}: {}", subject_, what),
               .hint = std::move(hint),
               .place = std::move(place)};
}

Result<std::string> TomlTableReader::Text(std::string_view key, const toml::node& node) const {
  std::optional<std::string> text = node.value_exact<std::string>();
  if (!text || text->empty()) return Complain(node, fmt::format("{} is not a string", key));
  return *std::move(text);
}

Result<std::vector<std::string>> TomlTableReader::Texts(std::string_view key,
                                                        const toml::node& node) const {
  std::vector<std::string> texts;
  const toml::array* list = node.as_array();
  if (list == nullptr) {
    texts.push_back(SIBYL_TRY(Text(key, node)));
    return texts;
  }
  for (const toml::node& element : *list) texts.push_back(SIBYL_TRY(Text(key, element)));
  return texts;
}

Result<std::int64_t> TomlTableReader::Number(std::string_view key, const toml::node& node,
                                             std::int64_t smallest, std::int64_t largest) const {
  const std::optional<std::int64_t> number = node.value_exact<std::int64_t>();
  if (number && *number >= smallest && *number <= largest) return *number;
  return Complain(node, fmt::format("{} is not a number from {} to {}", key, smallest, largest));
}

Finding TomlTableReader::UnknownKey(std::string_view code, std::string_view key,
                                    const toml::node& node,
                                    std::span<const std::string> known) const {
  return Finding{.severity = Severity::kWarning,
                 .code = std::string(code),
                 .message = fmt::format("unknown key '{}' in {}", key, subject_),
                 .hint = HintForUnknown(key, known),
                 .place = PlaceOf(node)};
}

Place TomlTableReader::PlaceOf(const toml::node& node) const {
  return Place{.file = file_, .line = node.source().begin.line};
}

std::string HintForUnknown(std::string_view name, std::span<const std::string> known) {
  const std::optional<std::string> near = NearestName(name, known);
  return near ? fmt::format("did you mean '{}'?", *near)
              : fmt::format("known: {}", fmt::join(known, ", "));
}

}  // namespace sibyl
