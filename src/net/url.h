// SPDX-License-Identifier: Apache-2.0
// A web address, parsed strictly, so that the checked address is the requested
// one. If our parser and libcurl's could disagree about the host, the
// difference would be exploitable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sibyl::net {

inline constexpr std::size_t kMaxUrlBytes = 8192;

struct Url {
  std::string scheme;                 ///< "http" or "https"; nothing else is supported.
  std::string host;                   ///< Lower case; IPv6 in brackets; other scripts as given.
  std::optional<std::uint16_t> port;  ///< Only where it is not the scheme's own.
  std::string path = "/";             ///< From '/', without "." and "..".
  std::optional<std::string> query;   ///< Without '?'.
  std::string fragment;               ///< Without '#'; never sent.

  std::uint16_t PortNumber() const;
  /// "host" or "host:8080": the name in lists of allowed hosts.
  std::string HostAndPort() const;
  /// "https://host:8080": scope of what is meant only for this server.
  std::string Origin() const;
  /// The request target, "/path?query".
  std::string Target() const;
  /// The address as it is sent and shown, without the fragment.
  std::string Text() const;

  bool operator==(const Url&) const = default;
};

/// kUsage for anything but an absolute http or https address of at most
/// kMaxUrlBytes, and for one with a user name or a password: credentials do not
/// belong in lock files and messages. Characters that are not allowed in a path
/// or a query are percent-encoded; control characters are refused.
Result<Url> ParseUrl(std::string_view text);

/// Resolves `reference` (absolute or relative, as in a Location header or a link) on the page
/// at `base`.
Result<Url> ResolveUrl(const Url& base, std::string_view reference);

}  // namespace sibyl::net
