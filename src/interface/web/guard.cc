// SPDX-License-Identifier: Apache-2.0
#include "interface/web/guard.h"

#include <algorithm>
#include <optional>

#include "base/numbers.h"
#include "base/secret.h"
#include "base/strings.h"

namespace sibyl::interface {
namespace {

struct NamedPort {
  std::string name;
  std::optional<unsigned> port;
};

std::optional<NamedPort> SplitHost(std::string_view host) {
  NamedPort named;
  std::string_view rest;
  if (host.starts_with('[')) {
    const std::size_t end = host.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    named.name = LowerCase(host.substr(1, end - 1));
    rest = host.substr(end + 1);
  } else {
    const std::size_t colon = std::min(host.find(':'), host.size());
    named.name = LowerCase(host.substr(0, colon));
    rest = host.substr(colon);
  }
  if (rest.empty()) return named;
  const std::optional<unsigned> port = ParseNumber<unsigned>(rest.substr(1));
  if (rest[0] != ':' || !port) return std::nullopt;
  named.port = *port;
  return named;
}

bool IsLoopbackName(std::string_view name) {
  return name == "localhost" || name == "127.0.0.1" || name == "::1";
}

bool IsGivenName(std::string_view name, const GuardOptions& options) {
  return std::any_of(options.names.begin(), options.names.end(),
                     [&](const std::string& given) { return name == LowerCase(given); });
}

// An origin is a scheme, a host and a port; another port of this machine is
// another server. Ours are http with a name of ours and our port, and that
// which the request itself was sent to (`host`), since a port may be forwarded
// to us. https is only possible through a proxy, under a name from --host-name.
bool IsOurOrigin(std::string_view origin, std::string_view host, const GuardOptions& options) {
  const bool is_http = origin.starts_with("http://");
  if (!is_http && !origin.starts_with("https://")) return false;
  const std::string_view authority = origin.substr(origin.find("//") + 2);
  if (!IsOurHost(authority, options)) return false;
  const std::optional<NamedPort> theirs = SplitHost(authority);
  const std::optional<NamedPort> asked = SplitHost(host);
  if (!theirs || !asked) return false;
  const unsigned usual = is_http ? 80 : 443;
  const unsigned port = theirs->port.value_or(usual);
  if (!is_http && !IsGivenName(theirs->name, options)) return false;
  if (is_http && port == options.port) return true;
  return theirs->name == asked->name && port == asked->port.value_or(usual);
}

}  // namespace

bool IsOurHost(std::string_view host, const GuardOptions& options) {
  const std::optional<NamedPort> named = SplitHost(host);
  if (!named) return false;
  // A forwarded port is different and proves nothing; the name does.
  return IsLoopbackName(named->name) || named->name == LowerCase(options.address) ||
         IsGivenName(named->name, options);
}

Access AccessOf(const HttpRequest& request, const GuardOptions& options) {
  const bool takes_host = options.takes_any_host && options.reads_need_token;
  if (!takes_host && !IsOurHost(request.Header("host"), options)) return Access::kForbidden;
  if (request.Has("origin") &&
      !IsOurOrigin(request.Header("origin"), request.Header("host"), options)) {
    return Access::kForbidden;
  }
  // "none" means a typed address; programs send no such header.
  const std::string_view site = request.Header("sec-fetch-site");
  const bool is_ours = !request.Has("sec-fetch-site") || site == "same-origin" || site == "none";
  // A link in an issue or a wiki: the browser shows the page, and the other site cannot read it.
  const bool is_followed_link =
      (request.method == "GET" || request.method == "HEAD") && !request.Has("origin") &&
      (site == "cross-site" || site == "same-site") &&
      request.Header("sec-fetch-mode") == "navigate" &&
      request.Header("sec-fetch-dest") == "document" && !request.Has("authorization");
  if (!is_ours && !is_followed_link) return Access::kCrossSite;
  constexpr std::string_view kScheme = "bearer ";
  const std::string_view given = request.Header("authorization");
  if (given.empty()) return options.reads_need_token ? Access::kWrongToken : Access::kReads;
  if (!StartsWithIgnoringCase(given, kScheme)) return Access::kWrongToken;
  const bool is_right = EqualInConstantTime(Trim(given.substr(kScheme.size())), options.token);
  return is_right ? Access::kWrites : Access::kWrongToken;
}

}  // namespace sibyl::interface
