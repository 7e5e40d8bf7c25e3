// SPDX-License-Identifier: Apache-2.0
#include "git/origin.h"

#include <fmt/format.h>

#include <cstddef>

#include "base/percent.h"
#include "base/strings.h"
#include "base/userinfo.h"

namespace sibyl::git {
namespace {

constexpr std::string_view kFileScheme = "file://";

std::size_t SchemeLength(std::string_view origin) {
  const std::size_t colon = origin.find("://");
  if (colon == std::string_view::npos || colon == 0) return 0;
  for (const char letter : origin.substr(0, colon)) {
    const bool fits = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                      (letter >= '0' && letter <= '9') || letter == '+' || letter == '.';
    if (!fits) return 0;
  }
  return colon + 3;
}

// "git@host:path": a colon before the first slash, and more than a drive letter.
bool IsScpAddress(std::string_view origin) {
  if (SchemeLength(origin) != 0) return false;
  const std::size_t colon = origin.find(':');
  return colon != std::string_view::npos && colon > 1 && origin.find('/') > colon;
}

std::string_view WithoutSuffixes(std::string_view origin) {
  while (origin.size() > 1 && origin.ends_with('/')) origin.remove_suffix(1);
  if (origin.size() > 4 && origin.ends_with(".git") && origin[origin.size() - 5] != '/') {
    origin.remove_suffix(4);
  }
  return origin;
}

// The host and everything after it, without a user.
std::string_view HostAndPath(std::string_view origin) {
  std::string_view rest = origin.substr(SchemeLength(origin));
  const std::size_t at = rest.substr(0, rest.find_first_of("/?#\\")).rfind('@');
  if (at != std::string_view::npos) rest.remove_prefix(at + 1);
  return rest;
}

}  // namespace

bool IsLocalOrigin(std::string_view origin) {
  if (origin.starts_with(kFileScheme)) return true;
  return SchemeLength(origin) == 0 && !IsScpAddress(origin);
}

std::string LocalPath(std::string_view origin) {
  if (!origin.starts_with(kFileScheme)) return std::string(origin);
  const std::string_view path = origin.substr(kFileScheme.size());
  return DecodePercent(path).value_or(std::string(path));
}

std::string WithoutCredentials(std::string_view origin) {
  std::string plain = WithoutUserinfo(origin);
  const std::size_t scheme = SchemeLength(plain);
  if (scheme == 0) return plain;
  return plain.substr(0, scheme) + std::string(HostAndPath(plain));
}

bool HasCredentials(std::string_view origin) { return HasUserinfo(origin); }

Error CredentialsRefused(std::string_view origin, LogIn log_in) {
  const std::string shown = WithoutCredentials(origin);
  const std::string_view instead =
      log_in == LogIn::kNever ? ": pages are fetched without logging in"
                              : " and let git log in: with a credential helper, ~/.netrc or ssh";
  return Error{
      .kind = ErrorKind::kUsage,
      .message = fmt::format("{} contains a user name or password", shown),
      .hint = fmt::format(
          "use {}{}; sibyl.toml is committed, and program arguments are visible to other users",
          shown, instead)};
}

std::string BrowseUrl(std::string_view origin) {
  if (IsLocalOrigin(origin)) return {};
  const std::string_view plain = WithoutSuffixes(origin);
  std::string rest(HostAndPath(plain));
  if (IsScpAddress(plain)) {
    const std::size_t colon = rest.find(':');
    if (colon != std::string::npos) rest[colon] = '/';
  } else if (!StartsWithIgnoringCase(origin, "http://") &&
             !StartsWithIgnoringCase(origin, "https://")) {
    // ssh://host:2222/… : the port is ssh's, not the web server's.
    const std::size_t slash = rest.find('/');
    const std::size_t colon = rest.substr(0, slash).find(':');
    if (colon != std::string::npos && slash != std::string::npos) rest.erase(colon, slash - colon);
  }
  return (StartsWithIgnoringCase(origin, "http://") ? "http://" : "https://") + rest;
}

bool SameOrigin(std::string_view a, std::string_view b) {
  if (IsLocalOrigin(a) != IsLocalOrigin(b)) return false;
  if (IsLocalOrigin(a)) return WithoutSuffixes(LocalPath(a)) == WithoutSuffixes(LocalPath(b));
  const std::string first = BrowseUrl(a);
  const std::string second = BrowseUrl(b);
  return HostAndPath(first) == HostAndPath(second);
}

std::string OriginName(std::string_view origin) {
  const std::string_view plain = WithoutSuffixes(origin);
  const std::size_t cut = plain.find_last_of("/:");
  return std::string(cut == std::string_view::npos ? plain : plain.substr(cut + 1));
}

}  // namespace sibyl::git
