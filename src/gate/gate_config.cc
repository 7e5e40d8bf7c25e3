// SPDX-License-Identifier: Apache-2.0
#include "gate/gate_config.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/toml_file.h"

namespace sibyl::gate {
namespace {

Error Complain(const toml::node& node, const std::string& file, std::string what,
               std::string hint) {
  return Error{
      .kind = ErrorKind::kUsage,
      .message = "reading [gate]: " + std::move(what),
      .hint = std::move(hint),
      .place = Place{
          .file = file, .line = node.source().begin.line, .column = node.source().begin.column}};
}

}  // namespace

Result<GateConfig> ParseGateConfig(std::string_view text, const std::string& file) {
  const toml::table root = SIBYL_TRY(ParseToml(text, file));
  GateConfig config;
  const toml::node* node = root.get("gate");
  if (node == nullptr) return config;
  const toml::table* table = node->as_table();
  if (table == nullptr) return Complain(*node, file, "it is not a table", "write [gate]");
  for (const auto& [key, value] : *table) {
    if (key.str() != "max_undecided") {
      return Complain(value, file, fmt::format("unknown key '{}'", key.str()),
                      "the only key is max_undecided");
    }
    const std::optional<double> share = value.value<double>();
    if (!share || !(*share >= 0 && *share <= 1)) {
      return Complain(value, file, "max_undecided is not a number from 0 to 1",
                      "0.6 lets six of ten statements be undecided");
    }
    config.max_undecided = *share;
  }
  return config;
}

}  // namespace sibyl::gate
