// SPDX-License-Identifier: Apache-2.0
#include "interface/web/guard.h"

#include <algorithm>
#include <charconv>
#include <optional>

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
  unsigned port = 0;
  const char* stop = rest.data() + rest.size();
  const bool is_port =
      rest[0] == ':' && rest.size() > 1 && std::from_chars(rest.data() + 1, stop, port).ptr == stop;
  if (!is_port) return std::nullopt;
  named.port = port;
  return named;
}

bool IsOurOrigin(std::string_view origin, const GuardOptions& options) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme)) return IsOurHost(origin.substr(scheme.size()), options);
  }
  return false;
}

}  // namespace

bool IsOurHost(std::string_view host, const GuardOptions& options) {
  const std::optional<NamedPort> named = SplitHost(host);
  if (!named) return false;
  // A port that is forwarded here is another one, and proves nothing by itself;
  // the name does.
  for (const std::string_view loopback : {"localhost", "127.0.0.1", "::1"}) {
    if (named->name == loopback) return true;
  }
  if (named->name == LowerCase(options.address)) return true;
  return std::any_of(options.names.begin(), options.names.end(),
                     [&](const std::string& name) { return named->name == LowerCase(name); });
}

Access AccessOf(const HttpRequest& request, const GuardOptions& options) {
  if (!IsOurHost(request.Header("host"), options)) return Access::kForbidden;
  if (request.Has("origin") && !IsOurOrigin(request.Header("origin"), options)) {
    return Access::kForbidden;
  }
  // "none" is a person who typed the address; programs send no such header.
  const std::string_view site = request.Header("sec-fetch-site");
  if (request.Has("sec-fetch-site") && site != "same-origin" && site != "none") {
    return Access::kCrossSite;
  }
  constexpr std::string_view kScheme = "bearer ";
  const std::string_view given = request.Header("authorization");
  if (given.empty()) return options.reads_need_token ? Access::kWrongToken : Access::kReads;
  if (!StartsWithIgnoringCase(given, kScheme)) return Access::kWrongToken;
  const bool is_right = EqualInConstantTime(Trim(given.substr(kScheme.size())), options.token);
  return is_right ? Access::kWrites : Access::kWrongToken;
}

}  // namespace sibyl::interface
