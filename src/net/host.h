// SPDX-License-Identifier: Apache-2.0
// Checks a host before another program connects to it. Our own connections are
// checked when their socket is opened (transfer.cc); git opens its own, so its
// host is checked here first, and git is told to use the checked addresses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/network.h"
#include "base/result.h"

namespace sibyl::net {

/// An IPv4 or IPv6 address in network order.
struct HostAddress {
  std::array<std::uint8_t, 16> bytes{};
  std::size_t size = 0;  ///< 4 or 16.

  std::string Text() const;
};

/// All addresses of a name. kNotFound when it has none.
using HostResolver = std::function<Result<std::vector<HostAddress>>(const std::string& host)>;

/// Uses the system's resolver, which may use the network.
Result<std::vector<HostAddress>> ResolveHost(const std::string& host);

struct JudgedHost {
  /// "loopback", "private", "a local name", ...; empty for a public host.
  std::string why_not_public = {};
  bool is_literal = false;                  ///< The host is an address, not a name.
  std::vector<HostAddress> addresses = {};  ///< None if the name was not resolved.
};

/// `host` as in Url::host: an IPv6 address is in brackets. Every address of a
/// name must be public for the host to be public. Without the network a name is
/// judged by its form alone: "localhost", "*.local", "*.internal", "*.lan",
/// "*.home.arpa", and names without a dot. kNotFound when it has no address.
Result<JudgedHost> JudgeHost(std::string_view host, Network network,
                             const HostResolver& resolve = ResolveHost);

}  // namespace sibyl::net
