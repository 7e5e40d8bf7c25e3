// SPDX-License-Identifier: Apache-2.0
#include "model/model_config.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "base/toml_table_reader.h"

namespace sibyl::model {
namespace {

struct TextKey {
  std::string_view name;
  std::string ModelConfig::*member;
};
constexpr std::array<TextKey, 4> kTexts = {{{"api", &ModelConfig::api},
                                            {"url", &ModelConfig::url},
                                            {"name", &ModelConfig::name},
                                            {"judge", &ModelConfig::judge}}};

struct NumberKey {
  std::string_view name;
  std::int64_t ModelConfig::*member;
  std::int64_t largest;
};
constexpr std::array<NumberKey, 7> kNumbers = {
    {{"max_minutes", &ModelConfig::max_minutes, 100'000},
     {"request_seconds", &ModelConfig::request_seconds, 86'400},
     {"idle_seconds", &ModelConfig::idle_seconds, 86'400},
     {"tries", &ModelConfig::tries, 20},
     {"at_once", &ModelConfig::at_once, 256},
     {"parts_at_once", &ModelConfig::parts_at_once, 100'000},
     {"tokens_per_hour", &ModelConfig::tokens_per_hour, 1'000'000'000'000}}};

/// Reads the table key by key.
class ModelReader {
 public:
  explicit ModelReader(const TomlTableReader& reader) : reader_(reader) {}

  Result<ModelConfig> Read(const toml::table& table) {
    for (const auto& [key, node] : table) {
      SIBYL_TRY(ReadKey(key.str(), node));
      if (key.str() == "url") config_.url_line = node.source().begin.line;
    }
    if (config_.api != "openai" && config_.api != "anthropic") {
      return reader_.Complain(table, fmt::format("unknown api '{}'", config_.api),
                              "use openai, which most servers support, or anthropic");
    }
    return std::move(config_);
  }

 private:
  Status ReadKey(std::string_view key, const toml::node& node) {
    for (const TextKey& known : kTexts) {
      if (key != known.name) continue;
      config_.*known.member = SIBYL_TRY(reader_.Text(key, node));
      return {};
    }
    for (const NumberKey& known : kNumbers) {
      if (key != known.name) continue;
      config_.*known.member = SIBYL_TRY(reader_.Number(key, node, 1, known.largest));
      return {};
    }
    if (key == "max_tokens") {
      config_.max_tokens = node.value_exact<std::int64_t>();
      if (!config_.max_tokens || *config_.max_tokens < 0) {
        return reader_.Complain(node, "max_tokens is not a valid number of tokens");
      }
      return {};
    }
    if (key == "input_price") return Amount(key, node, config_.input_price);
    if (key == "output_price") return Amount(key, node, config_.output_price);
    if (key == "max_cost") return Amount(key, node, config_.max_cost.emplace());
    NoteUnknown(key, node);
    return {};
  }

  Status Amount(std::string_view key, const toml::node& node, double& amount) const {
    const std::optional<double> value = node.value<double>();  // 3 is as good as 3.0
    if (!value || !std::isfinite(*value) || *value < 0) {
      return reader_.Complain(node, fmt::format("{} is not an amount", key));
    }
    amount = *value;
    return {};
  }

  void NoteUnknown(std::string_view key, const toml::node& node) {
    std::vector<std::string> known = {"max_tokens", "max_cost", "input_price", "output_price"};
    for (const TextKey& text : kTexts) known.emplace_back(text.name);
    for (const NumberKey& number : kNumbers) known.emplace_back(number.name);
    config_.findings.push_back(reader_.UnknownKey("model/unknown-key", key, node, known));
  }

  const TomlTableReader& reader_;
  ModelConfig config_;
};

}  // namespace

Result<ModelConfig> ParseModelConfig(std::string_view text, const std::string& file) {
  const toml::table root = SIBYL_TRY(ParseToml(text, file));
  const TomlTableReader reader(file, "[model]");
  const toml::table* table = SIBYL_TRY(reader.Find(root, "model"));
  if (table == nullptr) return ModelConfig();
  return ModelReader(reader).Read(*table);
}

}  // namespace sibyl::model
