// SPDX-License-Identifier: Apache-2.0
#include "oracle/outside_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include "base/files/root_links.h"
#include "base/json.h"
#include "base/process/environment.h"
#include "base/strings.h"
#include "base/userinfo.h"
#include "evidence/evidence.h"
#include "evidence/origins/local_origin.h"
#include "git/origin.h"
#include "oracle/oracle.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;
using evidence::SourceKind;
using evidence::SourceSpec;

Place PlaceOf(const SourceSpec& spec) {
  // A pin has no line: it is a table of sibyl.lock.
  const std::string_view file = spec.line > 0 ? evidence::kConfigFile : evidence::kLockFile;
  return {.file = std::string(file), .line = spec.line};
}

OutsideSetting SettingOf(const SourceSpec& spec, std::string value, std::string_view effect) {
  return {.name = fmt::format("source {} {}", spec.name, evidence::SourceKindName(spec.kind)),
          .value = std::move(value),
          .target = {},
          .effect = fmt::format("source '{}' {}", spec.name, effect),
          .place = PlaceOf(spec)};
}

OutsideSetting RefusedSetting(const SourceSpec& spec, std::string_view why) {
  OutsideSetting setting = SettingOf(spec, spec.origin, why);
  setting.is_refused = true;
  return setting;
}

enum class Whereabouts { kInside, kPrivate, kOutside };

// The private folders of git and sibyl in the oracle.
Whereabouts WhereaboutsOf(const fs::path& path, const fs::path& oracle) {
  const fs::path relative = path.lexically_relative(oracle);
  if (relative.empty() || *relative.begin() == "..") return Whereabouts::kOutside;
  return IsPrivatePath(relative) ? Whereabouts::kPrivate : Whereabouts::kInside;
}

std::string_view EndOfEffect(Whereabouts where) {
  switch (where) {
    case Whereabouts::kInside:
      return ", which can refer to other repositories on this machine";
    case Whereabouts::kPrivate:
      return ", a private folder of git or sibyl in this oracle";
    case Whereabouts::kOutside:
      break;
  }
  return ", outside this oracle";
}

std::optional<OutsideSetting> LocalSetting(const fs::path& oracle, const SourceSpec& spec) {
  const bool is_git = spec.kind == SourceKind::kGit;
  const std::string what = fmt::format("reads the {} {}",
                                       is_git                             ? "git repository"
                                       : spec.kind == SourceKind::kFolder ? "folder"
                                                                          : "file",
                                       spec.origin);
  // The same check as before reading: a link out of the oracle, or a private
  // folder.
  const Result<evidence::LocalPlace> place = evidence::FindLocalOrigin(spec.origin, oracle);
  if (!place.ok() && place.error().kind == ErrorKind::kUsage) {
    return RefusedSetting(spec, fmt::format("{}: {}", what, place.error().message));
  }
  const std::string target = evidence::StoreOrigin(spec.origin, oracle);
  std::error_code failure;
  const fs::path root = fs::weakly_canonical(oracle, failure);
  // A repository inside can still lead outside: by alternates, by commondir.
  const Whereabouts where = failure ? Whereabouts::kOutside : WhereaboutsOf(target, root);
  if (where == Whereabouts::kInside && !is_git) return std::nullopt;
  std::string effect = what;
  if (target != spec.origin) effect += fmt::format(" ({})", target);
  effect += EndOfEffect(where);
  OutsideSetting setting = SettingOf(spec, spec.origin, effect);
  setting.target = target;
  return setting;
}

OutsideSetting ProtocolSetting(const SourceSpec& spec) {
  const std::string address = git::WithoutCredentials(spec.origin);
  if (IsTransportHelper(spec.origin)) {
    return RefusedSetting(
        spec, fmt::format("names {}, which would make git start a program; this is never allowed",
                          address));
  }
  const bool is_plain_git = spec.origin.starts_with("git://");
  return SettingOf(spec, spec.origin,
                   fmt::format("connects to {} {}", address,
                               is_plain_git ? "without encryption" : "over ssh, with your keys"));
}

/// Judges each host once, however many pages it has.
class HostJudge {
 public:
  explicit HostJudge(const Context& context) : context_(context) {}

  // Nothing if it is not an http(s) address or its host is unknown: the fetch
  // reports that.
  std::vector<OutsideSetting> Of(const SourceSpec& spec, const std::string& address) {
    const Result<net::Url> url = net::ParseUrl(address);
    if (!url.ok()) return {};
    auto known = known_.find(url->host);
    if (known == known_.end()) {
      const Result<net::JudgedHost> judged = JudgeUrl(context_, *url);
      known = known_.emplace(url->host, judged.ok() ? *judged : net::JudgedHost()).first;
    }
    return OutsideSettingsOfUrl(spec, *url, known->second);
  }

 private:
  const Context& context_;
  std::map<std::string, net::JudgedHost> known_;
};

Result<std::vector<OutsideSetting>> OfSource(const Context& context, const SourceSpec& spec,
                                             HostJudge& judge) {
  std::vector<OutsideSetting> settings;
  if (spec.kind == SourceKind::kPage) {
    for (const std::string& url : spec.urls) {
      for (OutsideSetting& setting : judge.Of(spec, url)) settings.push_back(std::move(setting));
    }
    return settings;
  }
  const bool is_local = spec.kind != SourceKind::kGit ||
                        (git::IsLocalOrigin(spec.origin) && !IsTransportHelper(spec.origin));
  if (is_local) {
    const fs::path oracle = SIBYL_TRY(RequireOracle(context));
    if (auto setting = LocalSetting(oracle, spec)) settings.push_back(*std::move(setting));
    return settings;
  }
  if (IsHttpOrigin(spec.origin)) return judge.Of(spec, spec.origin);
  settings.push_back(ProtocolSetting(spec));
  return settings;
}

SourceSpec SpecOfPin(const evidence::Pin& pin) {
  SourceSpec spec{.name = pin.name, .kind = pin.kind, .origin = pin.origin, .ref = pin.ref};
  for (const evidence::PageRecord& page : pin.pages) spec.urls.push_back(page.url);
  return spec;
}

/// What the files of the oracle say.
struct OracleFiles {
  std::string config;               ///< sibyl.toml
  std::vector<SourceSpec> sources;  ///< Of sibyl.toml, then those of sibyl.lock.
};

Result<OracleFiles> ReadFiles(const Context& context) {
  const evidence::Surroundings around = SIBYL_TRY(EvidenceAround(context));
  OracleFiles files;
  const Root oracle = SIBYL_TRY(OpenOracle(context));
  files.config = SIBYL_TRY(oracle.Read(evidence::kConfigFile));
  files.sources =
      SIBYL_TRY(evidence::ParseSourceConfig(files.config, std::string(evidence::kConfigFile)))
          .sources;
  const evidence::Lock lock = SIBYL_TRY(evidence::ReadLock(around));
  for (const evidence::Pin& pin : lock.pins) {
    files.sources.push_back(SpecOfPin(pin));
  }
  return files;
}

/// Settings in the order in which they came, each once: most pins repeat a source.
class SettingList {
 public:
  void Add(std::vector<OutsideSetting> more) {
    for (OutsideSetting& setting : more) {
      if (!seen_.emplace(setting.name, setting.value, setting.target).second) continue;
      settings_.push_back(std::move(setting));
    }
  }

  std::vector<OutsideSetting> Take() && { return std::move(settings_); }

 private:
  std::vector<OutsideSetting> settings_;
  std::set<std::tuple<std::string, std::string, std::string>> seen_;
};

/// Collects the settings of the [web] table.
class WebSettings {
 public:
  explicit WebSettings(const research::WebConfig& config) : config_(config) {}

  std::vector<OutsideSetting> Collect() && {
    if (config_.expand) {
      Add("expand", "true", "searches the web in every 'sibyl expand', even without --web", false);
    }
    if (!config_.url.empty()) {
      const bool is_ours = EnvironmentVariable("SEARXNG_URL") == config_.url;
      Add("url", config_.url, fmt::format("sends search queries to {}", Shown(config_.url)),
          is_ours || IsInEnvironment(config_.url));
    }
    if (!config_.proxy.empty()) {
      Add("proxy", config_.proxy,
          fmt::format("sends every page request through {}", Shown(config_.proxy)),
          IsInEnvironment(config_.proxy));
    }
    if (!config_.ca_file.empty()) {
      Add("ca_file", config_.ca_file,
          fmt::format("trusts the certificates in {} instead of the system's", config_.ca_file),
          false);
    }
    const std::string permitted = EnvironmentVariable("SIBYL_WEB_ALLOW").value_or("");
    for (const std::string& host : config_.allow) {
      Add("allow", host, fmt::format("allows pages of {} at private addresses", host),
          !research::PermittedHosts({host}, permitted).empty());
    }
    if (!config_.command.empty()) {
      const bool is_ours = EnvironmentVariable("SIBYL_SEARCH_COMMAND") == config_.command.front();
      const std::string words = FormatJson(Json(config_.command), JsonLayout::kCompact);
      Add("command", words,
          fmt::format("runs the program {} for each search", WithoutUserinfo(words)), is_ours);
    }
    return std::move(settings_);
  }

 private:
  static std::string Shown(const std::string& url) { return git::WithoutCredentials(url); }

  static bool IsInEnvironment(const std::string& address) {
    const Result<net::Url> url = net::ParseUrl(address);
    return url.ok() && IsHostInEnvironment(*url);
  }

  void Add(std::string_view key, std::string value, std::string_view effect, bool is_ours) {
    const auto line = config_.lines.find(key);
    settings_.push_back({.name = fmt::format("web {}", key),
                         .value = std::move(value),
                         .target = {},
                         .effect = fmt::format("[web] {} {}", key, effect),
                         .place = {.file = std::string(evidence::kConfigFile),
                                   .line = line == config_.lines.end() ? 0 : line->second},
                         .is_from_environment = is_ours});
  }

  const research::WebConfig& config_;
  std::vector<OutsideSetting> settings_;
};

bool HasProxyInEnvironment() {
  constexpr const char* kVariables[] = {"https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy",
                                        "ALL_PROXY"};
  return std::any_of(std::begin(kVariables), std::end(kVariables), [](const char* name) {
    return !EnvironmentVariable(name).value_or("").empty();
  });
}

}  // namespace

bool IsTransportHelper(std::string_view origin) {
  return origin.find("::") < origin.find('/') && !origin.starts_with('[');
}

bool IsHttpOrigin(std::string_view origin) {
  return StartsWithIgnoringCase(origin, "http://") || StartsWithIgnoringCase(origin, "https://");
}

bool IsHostInEnvironment(const net::Url& url) {
  const std::string permitted = EnvironmentVariable("SIBYL_WEB_ALLOW").value_or("");
  return !research::PermittedHosts({fmt::format("{}:{}", url.host, url.PortNumber())}, permitted)
              .empty();
}

Result<net::JudgedHost> JudgeUrl(const Context& context, const net::Url& url) {
  Result<net::JudgedHost> judged = net::JudgeHost(url.host, context.network);
  if (!judged.ok() && HasProxyInEnvironment()) return net::JudgedHost();
  return judged;
}

std::vector<OutsideSetting> OutsideSettingsOfUrl(const SourceSpec& spec, const net::Url& url,
                                                 const net::JudgedHost& judged) {
  if (judged.why_not_public.empty()) return {};
  const std::string& value = spec.kind == SourceKind::kGit ? spec.origin : url.Text();
  OutsideSetting setting =
      SettingOf(spec, value,
                fmt::format("connects to {}, which is not a public address ({})", url.Text(),
                            judged.why_not_public));
  setting.is_from_environment = IsHostInEnvironment(url);
  return {std::move(setting)};
}

Result<std::vector<OutsideSetting>> OutsideSettingsOf(const Context& context,
                                                      const SourceSpec& spec) {
  HostJudge judge(context);
  return OfSource(context, spec, judge);
}

std::vector<OutsideSetting> OutsideSettingsOf(const research::WebConfig& config) {
  return WebSettings(config).Collect();
}

std::vector<OutsideSetting> OutsideSettingsOf(const model::ModelConfig& config) {
  if (config.url.empty()) return {};
  return {{.name = "model url",
           .value = config.url,
           .target = {},
           .effect = fmt::format("[model] url sends passages of the sources, and your key if you "
                                 "have set one, to {} when a model writes",
                                 git::WithoutCredentials(config.url)),
           .place = {.file = std::string(evidence::kConfigFile), .line = config.url_line},
           .is_from_environment = EnvironmentVariable("SIBYL_MODEL_URL") == config.url}};
}

Result<std::vector<OutsideSetting>> PageSettings(const Context& context) {
  const OracleFiles files = SIBYL_TRY(ReadFiles(context));
  SettingList settings;
  for (const SourceSpec& spec : files.sources) {
    for (const std::string& address : spec.urls) {
      const Result<net::Url> url = net::ParseUrl(address);
      if (!url.ok()) continue;
      settings.Add(OutsideSettingsOfUrl(spec, *url, {.why_not_public = "unknown"}));
    }
  }
  return std::move(settings).Take();
}

Result<std::vector<OutsideSetting>> OutsideSettings(const Context& context) {
  const OracleFiles files = SIBYL_TRY(ReadFiles(context));
  const std::string name(evidence::kConfigFile);
  HostJudge judge(context);
  SettingList list;
  list.Add(OutsideSettingsOf(SIBYL_TRY(research::ParseWebConfig(files.config, name))));
  list.Add(OutsideSettingsOf(SIBYL_TRY(model::ParseModelConfig(files.config, name))));
  for (const SourceSpec& spec : files.sources) {
    list.Add(SIBYL_TRY(OfSource(context, spec, judge)));
  }
  std::vector<OutsideSetting> settings = std::move(list).Take();
  std::stable_sort(settings.begin(), settings.end(),
                   [](const OutsideSetting& a, const OutsideSetting& b) {
                     return std::pair(a.place.file == evidence::kLockFile, a.place.line) <
                            std::pair(b.place.file == evidence::kLockFile, b.place.line);
                   });
  return settings;
}

}  // namespace sibyl::oracle
