// SPDX-License-Identifier: Apache-2.0
#include "net/url.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/ascii.h"
#include "base/numbers.h"
#include "base/percent.h"
#include "base/strings.h"
#include "base/userinfo.h"
#include "base/utf8.h"

namespace sibyl::net {
namespace {

constexpr std::size_t kMaxHostBytes = 253;
constexpr std::size_t kMostShown = 120;

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

Error Wrong(std::string_view text, std::string_view what, std::string_view hint = {}) {
  std::string shown = WithoutUserinfo(text).substr(0, kMostShown);
  for (char& c : shown) {
    if (IsControl(c)) c = '?';
  }
  return Error{
      .kind = ErrorKind::kUsage,
      .message = fmt::format("reading the address '{}': {}", ReplaceInvalidUtf8(shown), what),
      .hint = std::string(hint)};
}

// Characters that must be encoded in a path or a query.
std::string Encoded(std::string_view text) {
  return EncodePercent(text, [](char c) {
    return static_cast<unsigned char>(c) < 0x80 &&
           std::string_view(" \"<>\\^`{|}").find(c) == std::string_view::npos;
  });
}

bool IsDot(std::string_view segment) {
  return segment == "." || EqualsIgnoringCase(segment, "%2e");
}

bool IsDoubleDot(std::string_view segment) {
  return segment == ".." || EqualsIgnoringCase(segment, ".%2e") ||
         EqualsIgnoringCase(segment, "%2e.") || EqualsIgnoringCase(segment, "%2e%2e");
}

// RFC 3986, 5.2.4, and with dots written as %2e, as browsers do it.
std::string WithoutDots(std::string_view path) {
  std::vector<std::string_view> kept;
  if (path.starts_with('/')) path.remove_prefix(1);
  while (true) {
    const std::size_t slash = path.find('/');
    const std::string_view segment = path.substr(0, slash);
    const bool is_last = slash == std::string_view::npos;
    if (IsDoubleDot(segment)) {
      if (!kept.empty()) kept.pop_back();
      if (is_last) kept.emplace_back();
    } else if (IsDot(segment)) {
      if (is_last) kept.emplace_back();
    } else {
      kept.push_back(segment);
    }
    if (is_last) break;
    path.remove_prefix(slash + 1);
  }
  std::string joined;
  for (const std::string_view segment : kept) joined.append("/").append(segment);
  return joined.empty() ? "/" : joined;
}

std::uint16_t DefaultPort(std::string_view scheme) { return scheme == "https" ? 443 : 80; }

// Empty for a valid host, otherwise what is wrong with it.
std::string_view WhyNoHost(std::string_view host) {
  if (host.empty()) return "it has no host";
  if (host.size() > kMaxHostBytes) return "the host is too long";
  if (host.front() == '[') {
    const std::string_view inside = host.substr(1, host.size() - 2);
    const bool is_v6 = host.back() == ']' && inside.find(':') != std::string_view::npos &&
                       inside.find_first_not_of("0123456789abcdef:.") == std::string_view::npos;
    return is_v6 ? "" : "the text in brackets is not an IPv6 address";
  }
  if (FindInvalidUtf8(host)) return "the host is not UTF-8";
  for (const char c : host) {
    const bool is_fine = IsAlphanumeric(c) || c == '-' || c == '.' || c == '_' ||
                         static_cast<unsigned char>(c) >= 0x80;
    if (!is_fine) return "the host contains an invalid character";
  }
  if (host.front() == '.' || host.back() == '.' || host.find("..") != std::string_view::npos) {
    return "the host has an empty label";
  }
  return {};
}

// "host:port" into `url`, whose scheme is set; nothing, or what is wrong.
std::string_view ReadAuthority(std::string_view authority, Url& url) {
  if (authority.find('@') != std::string_view::npos) {
    return "it contains a user name or password";
  }
  std::string_view host = authority;
  std::string_view port;
  const std::size_t bracket = authority.rfind(']');
  const std::size_t colon = authority.rfind(':');
  if (colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket)) {
    host = authority.substr(0, colon);
    port = authority.substr(colon + 1);
  }
  // "host." is the same name, fully qualified; one spelling for all checks.
  if (host.size() > 1 && host.ends_with('.')) host.remove_suffix(1);
  url.host = LowerCase(host);
  if (const std::string_view why = WhyNoHost(url.host); !why.empty()) return why;
  if (port.empty()) return {};
  const std::optional<std::uint16_t> number = ParseNumber<std::uint16_t>(port);
  if (!number || *number == 0) return "invalid port";
  if (*number != DefaultPort(url.scheme)) url.port = *number;
  return {};
}

// "/path?query#fragment" into `url`.
void ReadTarget(std::string_view target, Url& url) {
  const std::size_t hash = target.find('#');
  if (hash != std::string_view::npos) url.fragment = Encoded(target.substr(hash + 1));
  target = target.substr(0, hash);
  const std::size_t mark = target.find('?');
  if (mark != std::string_view::npos) url.query = Encoded(target.substr(mark + 1));
  url.path = WithoutDots(Encoded(target.substr(0, mark)));
}

// The scheme of "scheme:rest", lower case; empty when there is none.
std::string SchemeOf(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) return {};
  const std::string_view scheme = text.substr(0, colon);
  const bool is_scheme = std::all_of(scheme.begin(), scheme.end(), [](char c) {
    return IsAlphanumeric(c) || c == '+' || c == '-' || c == '.';
  });
  return is_scheme && !(scheme[0] >= '0' && scheme[0] <= '9') ? LowerCase(scheme) : std::string();
}

std::string_view WhyNoText(std::string_view text) {
  if (text.size() > kMaxUrlBytes) return "it is too long";
  if (std::any_of(text.begin(), text.end(), IsControl)) return "it contains a control character";
  return {};
}

}  // namespace

std::uint16_t Url::PortNumber() const { return port.value_or(DefaultPort(scheme)); }

std::string Url::HostAndPort() const { return port ? fmt::format("{}:{}", host, *port) : host; }

std::string Url::Origin() const { return fmt::format("{}://{}", scheme, HostAndPort()); }

std::string Url::Target() const { return query ? fmt::format("{}?{}", path, *query) : path; }

std::string Url::Text() const { return Origin() + Target(); }

Result<Url> ParseUrl(std::string_view text) {
  if (const std::string_view why = WhyNoText(text); !why.empty()) return Wrong(text, why);
  Url url{.scheme = SchemeOf(text)};
  if (url.scheme != "http" && url.scheme != "https") {
    return Wrong(text, "not an http or https address", "start it with https://");
  }
  std::string_view rest = text.substr(url.scheme.size() + 1);
  if (!rest.starts_with("//")) return Wrong(text, "'//' is missing after the scheme");
  rest.remove_prefix(2);
  const std::size_t end = std::min(rest.find_first_of("/?#\\"), rest.size());
  if (end < rest.size() && rest[end] == '\\') {
    return Wrong(text, "the host contains a backslash", "use '/'");
  }
  if (const std::string_view why = ReadAuthority(rest.substr(0, end), url); !why.empty()) {
    // Not the address itself: the password would be in the message.
    if (why.find("password") != std::string_view::npos) {
      return Error{.kind = ErrorKind::kUsage,
                   .message = fmt::format("reading an address: {}", why),
                   .hint = "remove it; keys come from the environment"};
    }
    return Wrong(text, why);
  }
  ReadTarget(rest.substr(end), url);
  return url;
}

Result<Url> ResolveUrl(const Url& base, std::string_view reference) {
  reference = Trim(reference);
  if (const std::string_view why = WhyNoText(reference); !why.empty()) return Wrong(reference, why);
  if (!SchemeOf(reference).empty()) return ParseUrl(reference);
  if (reference.starts_with("//")) return ParseUrl(base.scheme + ":" + std::string(reference));
  if (reference.starts_with('\\')) return Wrong(reference, "it starts with a backslash");
  Url url = base;
  url.fragment.clear();
  if (reference.empty()) return url;
  if (reference.front() == '#') {
    url.fragment = Encoded(reference.substr(1));
    return url;
  }
  url.query.reset();
  if (reference.front() == '/') {
    ReadTarget(reference, url);
  } else if (reference.front() == '?') {
    ReadTarget(base.path + std::string(reference), url);
  } else {
    ReadTarget(base.path.substr(0, base.path.rfind('/') + 1) + std::string(reference), url);
  }
  if (url.Text().size() > kMaxUrlBytes) return Wrong(reference, "it is too long");
  return url;
}

}  // namespace sibyl::net
