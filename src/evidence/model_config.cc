// SPDX-License-Identifier: Apache-2.0
#include "evidence/model_config.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "evidence/toml_file.h"

namespace sibyl::evidence {
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
constexpr std::array<NumberKey, 5> kNumbers = {
    {{"max_minutes", &ModelConfig::max_minutes, 100'000},
     {"request_seconds", &ModelConfig::request_seconds, 86'400},
     {"idle_seconds", &ModelConfig::idle_seconds, 86'400},
     {"tries", &ModelConfig::tries, 20},
     {"at_once", &ModelConfig::at_once, 256}}};

/// Reads the table key by key, with the file's name in every complaint.
class ModelReader {
 public:
  explicit ModelReader(const std::string& file) : file_(file) {}

  Result<ModelConfig> Read(const toml::table& table) {
    for (const auto& [key, node] : table) {
      SIBYL_TRY(ReadKey(key.str(), node));
      if (key.str() == "url") config_.url_line = node.source().begin.line;
    }
    if (config_.api != "openai" && config_.api != "anthropic") {
      return Complain(table, fmt::format("'{}' is not an api", config_.api),
                      "openai, which most servers speak, or anthropic");
    }
    return std::move(config_);
  }

 private:
  Error Complain(const toml::node& node, std::string what, std::string hint = {}) const {
    return Error{
        .kind = ErrorKind::kUsage,
        .message = "reading [model]: " + std::move(what),
        .hint = std::move(hint),
        .place = Place{
            .file = file_, .line = node.source().begin.line, .column = node.source().begin.column}};
  }

  Status ReadKey(std::string_view key, const toml::node& node) {
    for (const TextKey& known : kTexts) {
      if (key != known.name) continue;
      std::optional<std::string> text = node.value_exact<std::string>();
      if (!text || text->empty()) return Complain(node, fmt::format("{} is not a text", key));
      config_.*known.member = *std::move(text);
      return {};
    }
    for (const NumberKey& known : kNumbers) {
      if (key != known.name) continue;
      const std::optional<std::int64_t> number = node.value_exact<std::int64_t>();
      if (!number || *number < 1 || *number > known.largest) {
        return Complain(node, fmt::format("{} is not a number from 1 to {}", key, known.largest));
      }
      config_.*known.member = *number;
      return {};
    }
    if (key == "max_tokens") {
      config_.max_tokens = node.value_exact<std::int64_t>();
      if (!config_.max_tokens || *config_.max_tokens < 0) {
        return Complain(node, "max_tokens is not a number of tokens");
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
      return Complain(node, fmt::format("{} is not an amount", key));
    }
    amount = *value;
    return {};
  }

  void NoteUnknown(std::string_view key, const toml::node& node) {
    std::vector<std::string_view> known = {"max_tokens", "max_cost", "input_price", "output_price"};
    for (const TextKey& text : kTexts) known.push_back(text.name);
    for (const NumberKey& number : kNumbers) known.push_back(number.name);
    config_.findings.push_back({.severity = Severity::kWarning,
                                .code = "model/unknown-key",
                                .message = fmt::format("unknown key '{}' in [model]", key),
                                .hint = fmt::format("known: {}", fmt::join(known, ", ")),
                                .place = {.file = file_, .line = node.source().begin.line}});
  }

  const std::string& file_;
  ModelConfig config_;
};

}  // namespace

Result<ModelConfig> ParseModelConfig(std::string_view text, const std::string& file) {
  const toml::table root = SIBYL_TRY(ParseToml(text, file));
  const toml::node* node = root.get("model");
  if (node == nullptr) return ModelConfig();
  const toml::table* table = node->as_table();
  if (table == nullptr) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "reading [model]: it is not a table",
                 .hint = "write [model] with one bracket",
                 .place = Place{.file = file, .line = node->source().begin.line}};
  }
  return ModelReader(file).Read(*table);
}

}  // namespace sibyl::evidence
