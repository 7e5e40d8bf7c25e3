// SPDX-License-Identifier: Apache-2.0
// The settings of each target, and what their values may be.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/numbers.h"
#include "base/strings.h"
#include "launch/launch.h"
#include "launch/quote.h"

namespace sibyl::launch {
namespace {

struct KnownSetting {
  std::string_view name;
  std::string_view others;  ///< Allowed beside letters and digits; empty: any text.
};

constexpr std::string_view kWordCharacters = "._:/@+,-";
constexpr std::array<KnownSetting, 11> kOfSlurm = {{{"account", kWordCharacters},
                                                    {"constraint", "._:/@+,-&|[]()*"},
                                                    {"cpus", kWordCharacters},
                                                    {"gres", "._:/@+,-="},
                                                    {"mem", kWordCharacters},
                                                    {"nice", kWordCharacters},
                                                    {"partition", kWordCharacters},
                                                    {"qos", kWordCharacters},
                                                    {"time", kWordCharacters},
                                                    {"program", ""},
                                                    {"folder", ""}}};
constexpr std::array<KnownSetting, 14> kOfKubernetes = {{{"image", kWordCharacters},
                                                         {"repository", ""},
                                                         {"commit", ""},
                                                         {"path", ""},
                                                         {"namespace", "-"},
                                                         {"ledger-secret", ".-"},
                                                         {"model-secret", ".-"},
                                                         {"git-secret", ".-"},
                                                         {"store-claim", ".-"},
                                                         {"service-account", ".-"},
                                                         {"cpu", "."},
                                                         {"memory", "."},
                                                         {"user", "."},
                                                         {"program", ""}}};
constexpr std::array<KnownSetting, 3> kOfSsh = {
    {{"hosts", "._:@-,%"}, {"program", ""}, {"folder", ""}}};
constexpr std::array<KnownSetting, 3> kOfSystemd = {
    {{"memory", "%."}, {"program", ""}, {"folder", ""}}};

std::span<const KnownSetting> KnownFor(Target target) {
  switch (target) {
    case Target::kSlurm:
      return kOfSlurm;
    case Target::kKubernetes:
      return kOfKubernetes;
    case Target::kSsh:
      return kOfSsh;
    case Target::kSystemd:
      break;
  }
  return kOfSystemd;
}

std::string Known(Target target) {
  std::string names;
  for (const KnownSetting& setting : KnownFor(target)) {
    names += (names.empty() ? "" : ", ") + std::string(setting.name);
  }
  return names;
}

// "30", "1:30", "04:00:00", "2-12", "2-12:00:00".
bool IsSlurmTime(std::string_view text) {
  constexpr std::size_t kMostColons = 2;
  const std::string lower = LowerCase(text);
  if (lower == "unlimited" || lower == "infinite") return true;
  const auto is_number = [](std::string_view word) {
    return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    if (!is_number(text.substr(0, dash))) return false;
    text.remove_prefix(dash + 1);
  }
  std::size_t colons = 0;
  for (std::size_t at = text.find(':'); at != std::string_view::npos; at = text.find(':')) {
    if (!is_number(text.substr(0, at))) return false;
    text.remove_prefix(at + 1);
    ++colons;
  }
  return is_number(text) && colons <= kMostColons;
}

// A name of Kubernetes (RFC 1123).
bool IsKubernetesName(std::string_view text) {
  constexpr std::size_t kLongest = 63;
  const auto is_inner = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  };
  const auto is_outer = [](char c) { return c != '-' && c != '.'; };
  return !text.empty() && text.size() <= kLongest &&
         std::all_of(text.begin(), text.end(), is_inner) && is_outer(text.front()) &&
         is_outer(text.back());
}

// An amount in Kubernetes: "2", "0.5", "500m", "2Gi".
bool IsQuantity(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::string_view number = text.substr(0, end);
  const std::string_view unit = text.substr(end);
  constexpr std::array<std::string_view, 14> kUnits = {"",  "m",  "k",  "M",  "G",  "T",  "P",
                                                       "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  const bool is_number = !number.empty() && number.front() != '.' && number.back() != '.' &&
                         std::count(number.begin(), number.end(), '.') <= 1;
  return is_number && std::find(kUnits.begin(), kUnits.end(), unit) != kUnits.end();
}

// What the scheduler would refuse, or take for something else.
Status CheckMeaning(Target target, std::string_view name, std::string_view value) {
  const auto refuse = [&](std::string_view what, std::string hint) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("--set {}: {}", name, what),
                 .hint = std::move(hint)};
  };
  if (target == Target::kSlurm && name == "time" && !IsSlurmTime(value)) {
    return refuse(fmt::format("'{}' is not a time", value), "such as 30 (minutes) or 04:00:00");
  }
  if (target == Target::kSlurm && name == "cpus" &&
      ParseNumber<std::int64_t>(value).value_or(0) <= 0) {
    return refuse(fmt::format("'{}' is not a number of processors", value), "such as 4");
  }
  constexpr std::array<std::string_view, 6> kNames = {
      "namespace", "service-account", "git-secret", "ledger-secret", "model-secret", "store-claim"};
  const bool is_name = std::find(kNames.begin(), kNames.end(), name) != kNames.end();
  if (target == Target::kKubernetes && is_name && !IsKubernetesName(value)) {
    return refuse(fmt::format("'{}' is not a name in Kubernetes", value),
                  "up to 63 of a-z, 0-9, '-' and '.', such as sibyl-ledger");
  }
  const bool is_amount = name == "cpu" || name == "memory";
  if (target == Target::kKubernetes && is_amount && !IsQuantity(value)) {
    return refuse(fmt::format("'{}' is not an amount", value),
                  name == "cpu" ? "such as 2 or 500m" : "such as 512Mi or 2Gi");
  }
  if (target == Target::kKubernetes && name == "user" &&
      ParseNumber<std::int64_t>(value).value_or(0) <= 0) {
    return refuse(fmt::format("'{}' is not the number of a user", value), "such as 1000, not 0");
  }
  const bool is_path =
      value.starts_with('/') || value.starts_with('.') || value.starts_with("file:");
  if (target == Target::kKubernetes && name == "repository" && is_path) {
    return refuse("a folder of this machine, which pods do not have",
                  "an address such as https://git.example.org/oracle.git");
  }
  return {};
}

}  // namespace

Result<Settings> ReadSettings(Target target, const std::vector<std::string>& given) {
  Settings settings;
  for (const std::string& text : given) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const std::span<const KnownSetting> known = KnownFor(target);
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const KnownSetting& each) { return each.name == name; });
    if (equals == std::string::npos || found == known.end()) {
      return Error{.kind = ErrorKind::kUsage,
                   .message = equals == std::string::npos
                                  ? fmt::format("--set {}: not NAME=VALUE", text)
                                  : fmt::format("--set {}: unknown setting", name),
                   .hint = fmt::format("known here: {}", Known(target))};
    }
    const std::string value = text.substr(equals + 1);
    const std::string what = fmt::format("--set {}", name);
    SIBYL_TRY(found->others.empty() ? CheckText(what, value)
                                    : CheckWord(what, value, found->others));
    SIBYL_TRY(CheckMeaning(target, name, value));
    settings[name] = value;
  }
  return settings;
}

}  // namespace sibyl::launch
