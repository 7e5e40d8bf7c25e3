// SPDX-License-Identifier: Apache-2.0
#include "research/web_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "base/toml_table_reader.h"

namespace sibyl::research {
namespace {

/// Reads the table key by key.
class WebReader {
 public:
  explicit WebReader(const TomlTableReader& reader) : reader_(reader) {}

  Result<WebConfig> Read(const toml::table& table) {
    for (const auto& [key, node] : table) {
      SIBYL_TRY(ReadKey(key.str(), node));
      config_.lines[std::string(key.str())] = node.source().begin.line;
    }
    return std::move(config_);
  }

 private:
  struct TextKey {
    std::string_view name;
    std::string WebConfig::*member;
  };
  struct ListKey {
    std::string_view name;
    std::vector<std::string> WebConfig::*member;
  };
  struct NumberKey {
    std::string_view name;
    std::int64_t WebConfig::*member;
    std::int64_t smallest;
    std::int64_t largest;
  };

  static constexpr std::array<TextKey, 4> kTexts = {{{"url", &WebConfig::url},
                                                     {"zone", &WebConfig::zone},
                                                     {"proxy", &WebConfig::proxy},
                                                     {"ca_file", &WebConfig::ca_file}}};
  static constexpr std::array<ListKey, 4> kLists = {{{"provider", &WebConfig::providers},
                                                     {"command", &WebConfig::command},
                                                     {"allow", &WebConfig::allow},
                                                     {"hosts", &WebConfig::hosts}}};
  static constexpr std::array<NumberKey, 6> kNumbers = {
      {{"interval_ms", &WebConfig::interval_ms, 0, 3'600'000},
       {"at_once", &WebConfig::at_once, 1, 64},
       {"results", &WebConfig::results, 1, 50},
       {"max_requests", &WebConfig::max_requests, 0, 1'000'000},
       {"max_mb", &WebConfig::max_mb, 0, 1'000'000},
       {"max_minutes", &WebConfig::max_minutes, 0, 100'000}}};

  Status ReadKey(std::string_view key, const toml::node& node) {
    if (key == "expand") {
      const std::optional<bool> value = node.value_exact<bool>();
      if (!value) return reader_.Complain(node, "expand is neither true nor false");
      config_.expand = *value;
      return {};
    }
    for (const TextKey& known : kTexts) {
      if (key == known.name) {
        config_.*known.member = SIBYL_TRY(reader_.Text(key, node));
        return {};
      }
    }
    for (const ListKey& known : kLists) {
      if (key == known.name) {
        config_.*known.member = SIBYL_TRY(reader_.Texts(key, node));
        return key == "provider" ? CheckProviders(node) : Status();
      }
    }
    for (const NumberKey& known : kNumbers) {
      if (key == known.name) {
        config_.*known.member = SIBYL_TRY(reader_.Number(key, node, known.smallest, known.largest));
        return {};
      }
    }
    NoteUnknown(key, node);
    return {};
  }

  Status CheckProviders(const toml::node& node) const {
    const std::vector<std::string> known = WebProviderNames();
    for (const std::string& name : config_.providers) {
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      return reader_.Complain(node, fmt::format("unknown search provider '{}'", name),
                              HintForUnknown(name, known));
    }
    return {};
  }

  void NoteUnknown(std::string_view key, const toml::node& node) {
    std::vector<std::string> known = {"expand"};
    for (const TextKey& text : kTexts) known.emplace_back(text.name);
    for (const ListKey& list : kLists) known.emplace_back(list.name);
    for (const NumberKey& number : kNumbers) known.emplace_back(number.name);
    config_.findings.push_back(reader_.UnknownKey("web/unknown-key", key, node, known));
  }

  const TomlTableReader& reader_;
  WebConfig config_;
};

// Without its port: "[::1]:80" and "x.lan:80" have one, "[::1]" and "x.lan" have not.
std::string_view HostOfEntry(std::string_view entry) {
  const std::size_t colon = entry.rfind(':');
  const bool has_port = colon != std::string_view::npos && colon + 1 < entry.size() &&
                        entry.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
  return has_port ? entry.substr(0, colon) : entry;
}

}  // namespace

std::vector<std::string> WebProviderNames() {
  return {"searxng", "brave", "tavily", "exa", "serper", "brightdata", "command"};
}

std::vector<std::string> PermittedHosts(const std::vector<std::string>& named,
                                        std::string_view permitted) {
  std::vector<std::string> hosts;
  while (!permitted.empty()) {
    const std::size_t end = std::min(permitted.find_first_of(", \t\n"), permitted.size());
    const std::string_view person = permitted.substr(0, end);
    permitted.remove_prefix(std::min(end + 1, permitted.size()));
    if (person.empty()) continue;
    for (const std::string& file : named) {
      if (EqualsIgnoringCase(file, person) || EqualsIgnoringCase(HostOfEntry(file), person)) {
        hosts.push_back(file);
      } else if (EqualsIgnoringCase(file, HostOfEntry(person))) {
        hosts.emplace_back(person);
      }
    }
  }
  return hosts;
}

Result<WebConfig> ParseWebConfig(std::string_view text, const std::string& file) {
  const toml::table root = SIBYL_TRY(ParseToml(text, file));
  const TomlTableReader reader(file, "[web]");
  const toml::table* table = SIBYL_TRY(reader.Find(root, "web"));
  if (table == nullptr) return WebConfig();
  return WebReader(reader).Read(*table);
}

}  // namespace sibyl::research
