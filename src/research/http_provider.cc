// SPDX-License-Identifier: Apache-2.0
// Providers with an HTTP API. Their differences are rows of a table: the
// address, the key, the form of a query, the field names of the response.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "base/percent.h"
#include "base/strings.h"
#include "research/answer_reader.h"
#include "research/providers.h"

namespace sibyl::research {
namespace {

constexpr std::uint64_t kMaxAnswerBytes = std::uint64_t{4} << 20;
constexpr std::size_t kMaxQueryBytes = 400;
constexpr std::size_t kMaxQueryWords = 50;
constexpr std::size_t kMostSites = 5;

struct Asking {
  const Query& query;
  const ProviderOptions& options;
  std::string key;
  std::string zone;
};

struct Row {
  std::string_view name;
  const char* key_variable;  ///< nullptr: it wants none.
  std::string_view endpoint;
  void (*put)(const Asking&, net::Request&);
  AnswerShape shape;
  std::string_view refusal;  ///< What a 403 usually means here.
};

// Words until the limits that the strictest provider has.
std::string Bounded(std::string_view text) {
  std::string bounded;
  std::size_t words = 0;
  while (words < kMaxQueryWords) {
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos) break;
    text.remove_prefix(start);
    const std::size_t end = std::min(text.find_first_of(" \t\r\n"), text.size());
    if (bounded.size() + end + 1 > kMaxQueryBytes) break;
    if (!bounded.empty()) bounded += ' ';
    bounded += text.substr(0, end);
    text.remove_prefix(end);
    ++words;
  }
  return bounded;
}

// "warp (site:a OR site:b)", for providers that support it; many hosts are
// filtered afterwards.
std::string WithSites(const Query& query) {
  std::string text = Bounded(query.text);
  if (query.hosts.empty() || query.hosts.size() > kMostSites) return text;
  std::vector<std::string> sites;
  for (std::string_view host : query.hosts) {
    if (host.starts_with("*.")) host.remove_prefix(2);
    sites.push_back("site:" + std::string(host));
  }
  return text + (sites.size() == 1 ? " " + sites[0] : " (" + Join(sites, " OR ") + ")");
}

std::vector<std::string> Domains(const Query& query) {
  std::vector<std::string> domains;
  for (std::string_view host : query.hosts) {
    if (host.starts_with("*.")) host.remove_prefix(2);
    host = host.substr(0, host.find('/'));
    domains.emplace_back(host);
  }
  return domains;
}

void Post(net::Request& request, const Json& body) {
  request.method = net::Method::kPost;
  request.body = FormatJson(body, JsonLayout::kCompact);
}

void PutSearxng(const Asking& asking, net::Request& request) {
  if (!request.url.path.ends_with("/search")) {
    request.url.path += request.url.path.ends_with('/') ? "search" : "/search";
  }
  request.url.query = "q=" + EncodeUrlValue(WithSites(asking.query)) + "&format=json";
}

void PutBrave(const Asking& asking, net::Request& request) {
  request.url.query =
      fmt::format("q={}&count={}&text_decorations=false", EncodeUrlValue(WithSites(asking.query)),
                  std::min<std::size_t>(asking.query.limit, 20));
  request.credentials = {{"X-Subscription-Token", asking.key}};
}

void PutTavily(const Asking& asking, net::Request& request) {
  Json body = {{"query", Bounded(asking.query.text)},
               {"max_results", std::min<std::size_t>(asking.query.limit, 20)}};
  if (!asking.query.hosts.empty()) body["include_domains"] = Domains(asking.query);
  Post(request, body);
  request.credentials = {{"Authorization", "Bearer " + asking.key}};
}

void PutExa(const Asking& asking, net::Request& request) {
  Json body = {{"query", Bounded(asking.query.text)},
               {"numResults", std::min<std::size_t>(asking.query.limit, 25)}};
  if (!asking.query.hosts.empty()) body["includeDomains"] = Domains(asking.query);
  Post(request, body);
  request.credentials = {{"x-api-key", asking.key}};
}

void PutSerper(const Asking& asking, net::Request& request) {
  Post(request,
       {{"q", WithSites(asking.query)}, {"num", std::min<std::size_t>(asking.query.limit, 20)}});
  request.credentials = {{"X-API-KEY", asking.key}};
}

void PutBrightData(const Asking& asking, net::Request& request) {
  Post(request, {{"zone", asking.zone},
                 {"url", fmt::format("https://www.google.com/search?q={}&num={}&brd_json=1",
                                     EncodeUrlValue(WithSites(asking.query)),
                                     std::min<std::size_t>(asking.query.limit, 20))},
                 {"format", "raw"}});
  request.credentials = {{"Authorization", "Bearer " + asking.key}};
}

constexpr Row kRows[] = {
    {.name = "searxng",
     .key_variable = nullptr,
     .endpoint = "",
     .put = PutSearxng,
     .shape = {.list = "results", .snippet = "content", .published = "publishedDate"},
     .refusal = "add json to search.formats in its settings.yml"},
    {.name = "brave",
     .key_variable = "BRAVE_API_KEY",
     .endpoint = "https://api.search.brave.com/res/v1/web/search",
     .put = PutBrave,
     .shape = {.list = "web/results", .snippet = "description", .published = "page_age"},
     .refusal = "the key in BRAVE_API_KEY is not accepted"},
    {.name = "tavily",
     .key_variable = "TAVILY_API_KEY",
     .endpoint = "https://api.tavily.com/search",
     .put = PutTavily,
     .shape = {.list = "results", .snippet = "content", .published = "published_date"},
     .refusal = "the key in TAVILY_API_KEY is not accepted"},
    {.name = "exa",
     .key_variable = "EXA_API_KEY",
     .endpoint = "https://api.exa.ai/search",
     .put = PutExa,
     .shape = {.list = "results", .snippet = "text", .published = "publishedDate"},
     .refusal = "the key in EXA_API_KEY is not accepted"},
    {.name = "serper",
     .key_variable = "SERPER_API_KEY",
     .endpoint = "https://google.serper.dev/search",
     .put = PutSerper,
     .shape = {.list = "organic", .url = "link", .published = "date"},
     .refusal = "the key in SERPER_API_KEY is not accepted"},
    {.name = "brightdata",
     .key_variable = "BRIGHTDATA_API_KEY",
     .endpoint = "https://api.brightdata.com/request",
     .put = PutBrightData,
     .shape = {.list = "organic", .url = "link", .snippet = "description"},
     .refusal = "the key in BRIGHTDATA_API_KEY or the zone is not accepted"},
};

const Row* FindRow(std::string_view name) {
  const auto* found = std::find_if(std::begin(kRows), std::end(kRows),
                                   [name](const Row& row) { return row.name == name; });
  return found == std::end(kRows) ? nullptr : found;
}

Error Refused(const Row& row, int status) {
  if (status == 401 || status == 403) {
    return Error{
        .kind = ErrorKind::kUsage,
        .message = fmt::format("searching with {}: status {}: {}", row.name, status, row.refusal)};
  }
  if (status == 402) {
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = fmt::format("searching with {}: payment required (402)", row.name)};
  }
  if (status == 429) {
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = fmt::format("searching with {}: rate limit reached (429)", row.name),
                 .hint = "wait, or configure another provider in the [web] table"};
  }
  return Error{.kind = ErrorKind::kUnavailable,
               .message = fmt::format("searching with {}: status {}", row.name, status)};
}

class HttpProvider : public Provider {
 public:
  HttpProvider(const Row& row, ProviderOptions options, net::Url url, std::string key,
               std::string zone)
      : row_(row),
        options_(std::move(options)),
        url_(std::move(url)),
        key_(std::move(key)),
        zone_(std::move(zone)) {}

  std::string_view name() const override { return row_.name; }

  // Neither the body of an answer nor the address of a request is ever part of
  // a message: both may repeat a key.
  Result<std::vector<Found>> Search(const Query& query, const std::stop_token& stop) override {
    net::Request request{.url = url_, .headers = {{"Accept", "application/json"}}};
    request.limits.body_bytes = kMaxAnswerBytes;
    request.limits.wire_bytes = kMaxAnswerBytes;
    request.limits.total = std::chrono::seconds(60);
    request.stop = stop;
    row_.put({.query = query, .options = options_, .key = key_, .zone = zone_}, request);
    const net::Response response = SIBYL_TRY(options_.client.Send(request));
    if (!response.Succeeded()) return Refused(row_, response.status);
    Result<Json> answer = ParseJson(response.body);
    if (!answer.ok() || !answer->is_object()) {
      return Error{.kind = ErrorKind::kCorrupt,
                   .message = fmt::format("searching with {}: the response is not a JSON object",
                                          row_.name)};
    }
    std::vector<Found> list = ReadAnswer(*answer, row_.shape, query.limit);
    for (Found& found : list) found.provider = row_.name;
    return list;
  }

 private:
  const Row& row_;
  ProviderOptions options_;
  net::Url url_;
  std::string key_;
  std::string zone_;
};

std::string Variable(const ProviderOptions& options, const char* name) {
  return options.variable ? options.variable(name).value_or("") : std::string();
}

Result<net::Url> EndpointOf(const Row& row, const ProviderOptions& options) {
  if (!options.endpoint.empty()) return net::ParseUrl(options.endpoint);
  if (row.name != "searxng") return net::ParseUrl(row.endpoint);
  const std::string url = options.url.empty() ? Variable(options, "SEARXNG_URL") : options.url;
  if (!url.empty()) return net::ParseUrl(url);
  return Error{.kind = ErrorKind::kUsage,
               .message = "searching with searxng: its url is not set",
               .hint = "add url = \"https://…\" to the [web] table, or set SEARXNG_URL"};
}

// sibyl.toml may come from someone else's oracle: its program is run only if
// the user agreed to it, or the user's environment names it too.
Status CheckCommand(const ProviderOptions& options) {
  if (options.command.empty()) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "searching with a local command: none is configured",
                 .hint = "add command = [\"PROGRAM\", …] to the [web] table"};
  }
  const std::string& program = options.command.front();
  if (options.command_is_agreed || Variable(options, "SIBYL_SEARCH_COMMAND") == program) return {};
  return Error{
      .kind = ErrorKind::kUsage,
      .message = fmt::format(
          "'{}' was not run: it is named in sibyl.toml, and you have not agreed to it", program),
      .hint = fmt::format(
          "if you expect this, agree with 'sibyl trust', or export SIBYL_SEARCH_COMMAND={}",
          program)};
}

}  // namespace

Result<std::unique_ptr<Provider>> MakeProvider(std::string_view name,
                                               const ProviderOptions& options) {
  if (name == "command") {
    if (options.client.network() == Network::kForbidden) {
      return Error{.kind = ErrorKind::kUnavailable,
                   .message =
                       "searching with a local command: the network is forbidden (--offline or "
                       "SIBYL_OFFLINE)",
                   .cause = ErrorCause::kOffline};
    }
    SIBYL_TRY(CheckCommand(options));
    return MakeCommandProvider(options.command);
  }
  const Row* row = FindRow(name);
  if (row == nullptr) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("unknown search provider '{}'", name)};
  }
  net::Url url = SIBYL_TRY(EndpointOf(*row, options));
  std::string key;
  if (row->key_variable != nullptr) {
    key = Variable(options, row->key_variable);
    if (key.empty()) {
      return Error{
          .kind = ErrorKind::kUsage,
          .message = fmt::format("searching with {}: {} is not set", name, row->key_variable),
          .hint = fmt::format("export {}=…; keys are read only from the environment",
                              row->key_variable)};
    }
  }
  std::string zone = options.zone.empty() ? Variable(options, "BRIGHTDATA_ZONE") : options.zone;
  if (name == "brightdata" && zone.empty()) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "searching with brightdata: zone is not set",
                 .hint = "add zone = \"…\" to the [web] table"};
  }
  return std::unique_ptr<Provider>(std::make_unique<HttpProvider>(*row, options, std::move(url),
                                                                  std::move(key), std::move(zone)));
}

std::vector<std::string> UsableProviders(const ProviderOptions& options) {
  std::vector<std::string> names;
  if (CheckCommand(options).ok()) names.emplace_back("command");
  for (const Row& row : kRows) {
    if (MakeProvider(row.name, options).ok()) names.emplace_back(row.name);
  }
  return names;
}

}  // namespace sibyl::research
