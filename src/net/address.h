// SPDX-License-Identifier: Apache-2.0
// Addresses to which a page or a plan must not lead: this machine, private
// networks, a cloud's metadata service. Decided by the address that a socket is
// about to connect to, never by a name, which may resolve differently a moment
// later.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sibyl::net {

/// Why this address (4 or 16 bytes in network order) is refused: "loopback",
/// "private", "link-local", ...; empty for a public one. IPv6 forms that carry
/// an IPv4 address (mapped, NAT64, 6to4, Teredo) are judged by it too.
std::string_view WhyNotPublic(std::span<const std::uint8_t> address);

}  // namespace sibyl::net
