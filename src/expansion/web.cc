// SPDX-License-Identifier: Apache-2.0
#include "expansion/web.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/files/root.h"
#include "base/process/environment.h"
#include "base/strings.h"
#include "evidence/evidence.h"
#include "oracle/consent.h"
#include "oracle/oracle.h"
#include "oracle/outside_settings.h"
#include "research/page_filter.h"

namespace sibyl::expansion {
namespace {

// What can become text; a film cannot.
const std::vector<std::string> kPageTypes = {
    "text/*",          "application/xhtml+xml",    "application/xml",         "application/json",
    "application/pdf", "application/x-ipynb+json", "application/octet-stream"};

net::Allowance AllowanceOf(const research::WebConfig& config, const WebOptions& options) {
  const auto bytes = static_cast<std::uint64_t>(options.max_mb.value_or(config.max_mb)) << 20;
  return {
      .requests = static_cast<std::uint64_t>(options.max_requests.value_or(config.max_requests)),
      .bytes = bytes,
      .time = std::chrono::minutes(options.max_minutes.value_or(config.max_minutes))};
}

net::ClientOptions OptionsOf(const oracle::Context& context, const research::WebConfig& config,
                             std::vector<std::string> allow, net::Budget& budget) {
  std::filesystem::path ca_file = config.ca_file;
  if (!ca_file.empty() && context.oracle) ca_file = *context.oracle / ca_file;
  return {.clock = context.clock,
          .network = context.network,
          .allow = std::move(allow),
          .proxy = config.proxy,
          .ca_file = ca_file,
          .budget = &budget};
}

std::string HostWithPort(const net::Url& url) {
  return fmt::format("{}:{}", url.host, url.PortNumber());
}

// Hosts of pages at private addresses that are in the files and that the user
// agreed to.
void AllowPages(const std::vector<oracle::OutsideSetting>& settings,
                const oracle::Consents& consents, std::vector<std::string>& allow) {
  for (const oracle::OutsideSetting& setting : settings) {
    const bool is_page = setting.name.starts_with("source ") && setting.name.ends_with(" page");
    const Result<net::Url> url = net::ParseUrl(setting.value);
    if (is_page && url.ok() && consents.Covers(setting)) allow.push_back(HostWithPort(*url));
  }
}

std::vector<std::string> Joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

Result<research::WebConfig> ReadWebConfig(const oracle::Context& context) {
  if (!context.oracle) return research::WebConfig();
  const Root oracle = SIBYL_TRY(Root::Open(*context.oracle));
  Result<std::string> text = oracle.Read(evidence::kConfigFile);
  if (!text.ok()) {
    if (text.error().kind == ErrorKind::kNotFound) return research::WebConfig();
    return std::move(text).error();
  }
  return research::ParseWebConfig(*text, std::string(evidence::kConfigFile));
}

Web::Web(const oracle::Context& context, research::WebConfig config, const WebOptions& options,
         Agreed agreed)
    : config_(std::move(config)),
      agreed_(std::move(agreed)),
      budget_(AllowanceOf(config_, options)),
      client_(OptionsOf(context, config_, Joined(agreed_.allow, options.allow), budget_)),
      visitor_(client_, {.interval = std::chrono::milliseconds(config_.interval_ms),
                         .at_once = static_cast<int>(config_.at_once)}) {}

Result<Web::Agreed> Web::FindAgreed(const oracle::Context& context,
                                    const research::WebConfig& config) {
  Agreed agreed;
  // Without the network or an oracle there is nothing to agree to.
  if (context.network == Network::kForbidden || !oracle::RequireOracle(context).ok()) return agreed;
  const std::string permitted = EnvironmentVariable("SIBYL_WEB_ALLOW").value_or("");
  const std::vector<oracle::OutsideSetting> settings = oracle::OutsideSettingsOf(config);
  for (const oracle::OutsideSetting& setting : settings) {
    const Status allowed = oracle::RequireConsent(context, setting);
    const Result<net::Url> url = net::ParseUrl(setting.value);
    if (setting.name == "web proxy" || setting.name == "web ca_file") {
      if (!allowed.ok() && agreed.web.ok()) agreed.web = allowed;
    } else if (setting.name == "web url") {
      agreed.searxng = allowed;
    } else if (setting.name == "web command") {
      agreed.command = allowed.ok();
    }
    if (!allowed.ok()) continue;
    // The environment may name less than the file: one port of a host.
    std::vector<std::string> hosts;
    if (setting.name == "web allow") hosts = {setting.value};
    if ((setting.name == "web proxy" || setting.name == "web url") && url.ok()) {
      hosts = {HostWithPort(*url)};
    }
    if (setting.is_from_environment) hosts = research::PermittedHosts(hosts, permitted);
    agreed.allow = Joined(std::move(agreed.allow), hosts);
  }
  const oracle::Consents consents = SIBYL_TRY(oracle::Consents::Read(context));
  AllowPages(SIBYL_TRY(oracle::PageSettings(context)), consents, agreed.allow);
  return agreed;
}

Result<std::unique_ptr<Web>> Web::Open(const oracle::Context& context, const WebOptions& options) {
  research::WebConfig config = SIBYL_TRY(ReadWebConfig(context));
  Agreed agreed = SIBYL_TRY(FindAgreed(context, config));
  return std::unique_ptr<Web>(new Web(context, std::move(config), options, std::move(agreed)));
}

Result<std::vector<std::unique_ptr<research::Provider>>> Web::Providers() {
  SIBYL_TRY(Status(agreed_.web));
  const research::ProviderOptions options{.client = client_,
                                          .url = config_.url,
                                          .zone = config_.zone,
                                          .command = config_.command,
                                          .command_is_agreed = agreed_.command,
                                          .variable = EnvironmentVariable};
  std::vector<std::string> names = config_.providers;
  if (names.empty()) {
    names = research::UsableProviders(options);
    if (names.empty()) {
      return Error{.kind = ErrorKind::kUsage,
                   .message = "searching the web: no provider is configured",
                   .hint =
                       "add provider = \"searxng\" and url = \"https://…\" to the [web] table of "
                       "sibyl.toml, or set BRAVE_API_KEY, TAVILY_API_KEY, EXA_API_KEY, "
                       "SERPER_API_KEY or BRIGHTDATA_API_KEY"};
    }
    names.resize(1);
  }
  std::vector<std::unique_ptr<research::Provider>> providers;
  providers.reserve(names.size());
  for (const std::string& name : names) {
    if (name == "searxng") SIBYL_TRY(Status(agreed_.searxng));
    providers.push_back(SIBYL_TRY(research::MakeProvider(name, options)));
  }
  return providers;
}

// Of redirects too: hosts that are not allowed stay so.
Status Web::CheckHost(const net::Url& url) const {
  const bool is_allowed =
      config_.hosts.empty() ||
      std::any_of(config_.hosts.begin(), config_.hosts.end(),
                  [&](const std::string& pattern) { return research::FitsHost(url, pattern); });
  if (is_allowed) return {};
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("the [web] table allows only pages of {}, not '{}'",
                                      Join(config_.hosts, ", "), url.host),
               .hint = "add its host to hosts in the [web] table of sibyl.toml"};
}

Result<evidence::PageResponse> Web::Fetch(const evidence::PageRequest& asked,
                                          const std::stop_token& stop) {
  SIBYL_TRY(Status(agreed_.web));
  net::Request request;
  request.url = SIBYL_TRY(net::ParseUrl(asked.url));
  request.admit = [this](const net::Url& url) -> Result<std::unique_ptr<net::Pass>> {
    SIBYL_TRY(CheckHost(url));
    return std::unique_ptr<net::Pass>();
  };
  request.headers = {{"Accept", "text/html, text/*;q=0.9, application/pdf;q=0.8, */*;q=0.5"},
                     {"Accept-Language", "en"}};
  request.validators = {.etag = asked.etag, .last_modified = asked.last_modified};
  request.types = kPageTypes;
  request.stop = stop;
  net::Response response = SIBYL_TRY(visitor_.Visit(std::move(request)));
  evidence::PageResponse page{.status = response.status,
                              .url = response.url.Text(),
                              .headers = {},
                              .body = std::move(response.body),
                              .may_be_cut = response.ended_with_connection};
  page.headers.reserve(response.headers.fields().size());
  for (const net::Header& header : response.headers.fields()) {
    page.headers.emplace_back(header.name, header.value);
  }
  return page;
}

evidence::PageFetcher Web::PageFetcher(std::stop_token stop) {
  return [this, stop = std::move(stop)](const evidence::PageRequest& asked) {
    return Fetch(asked, stop);
  };
}

}  // namespace sibyl::expansion
