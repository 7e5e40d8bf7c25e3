// SPDX-License-Identifier: Apache-2.0
#include "net/host.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <span>

#include "base/free.h"
#include "base/strings.h"
#include "net/address.h"

namespace sibyl::net {
namespace {

using AddressList = std::unique_ptr<addrinfo, Free<::freeaddrinfo>>;

std::optional<HostAddress> AddressOf(const addrinfo& entry) {
  HostAddress address;
  if (entry.ai_family == AF_INET) {
    const auto* ip = reinterpret_cast<const sockaddr_in*>(entry.ai_addr);
    address.size = sizeof(ip->sin_addr);
    std::memcpy(address.bytes.data(), &ip->sin_addr, address.size);
    return address;
  }
  if (entry.ai_family == AF_INET6) {
    const auto* ip = reinterpret_cast<const sockaddr_in6*>(entry.ai_addr);
    address.size = sizeof(ip->sin6_addr);
    std::memcpy(address.bytes.data(), &ip->sin6_addr, address.size);
    return address;
  }
  return std::nullopt;
}

// AI_NUMERICHOST: only addresses, in every form that programs accept
// ("127.1", "0x7f000001"), and nothing is looked up.
std::vector<HostAddress> Addresses(const std::string& host, int flags) {
  addrinfo hints{};
  hints.ai_flags = flags;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host.c_str(), nullptr, &hints, &found) != 0) return {};
  const AddressList list(found);
  std::vector<HostAddress> addresses;
  for (const addrinfo* entry = found; entry != nullptr; entry = entry->ai_next) {
    if (const auto address = AddressOf(*entry)) addresses.push_back(*address);
  }
  return addresses;
}

bool IsLocalName(std::string_view host) {
  constexpr std::string_view kEndings[] = {".localhost", ".local",     ".internal",
                                           ".lan",       ".home.arpa", ".intranet"};
  if (host.find('.') == std::string_view::npos) return true;  // "localhost", "printer"
  return std::any_of(std::begin(kEndings), std::end(kEndings),
                     [host](std::string_view ending) { return host.ends_with(ending); });
}

std::string_view WhyAnyNotPublic(const std::vector<HostAddress>& addresses) {
  for (const HostAddress& address : addresses) {
    const auto why = WhyNotPublic(std::span(address.bytes.data(), address.size));
    if (!why.empty()) return why;
  }
  return {};
}

}  // namespace

std::string HostAddress::Text() const {
  std::array<char, INET6_ADDRSTRLEN> text{};
  ::inet_ntop(size == 4 ? AF_INET : AF_INET6, bytes.data(), text.data(), text.size());
  return text.data();
}

Result<std::vector<HostAddress>> ResolveHost(const std::string& host) {
  std::vector<HostAddress> addresses = Addresses(host, 0);
  if (!addresses.empty()) return addresses;
  return Error{.kind = ErrorKind::kNotFound,
               .message = fmt::format("cannot resolve '{}'", host),
               .hint = "check the name and the network connection"};
}

Result<JudgedHost> JudgeHost(std::string_view host, Network network, const HostResolver& resolve) {
  std::string name = LowerCase(host);
  if (name.starts_with('[') && name.ends_with(']')) name = name.substr(1, name.size() - 2);
  while (name.size() > 1 && name.ends_with('.')) name.pop_back();
  JudgedHost judged;
  judged.addresses = Addresses(name, AI_NUMERICHOST);
  judged.is_literal = !judged.addresses.empty();
  if (judged.is_literal) {
    judged.why_not_public = WhyAnyNotPublic(judged.addresses);
    return judged;
  }
  if (IsLocalName(name)) {
    judged.why_not_public = "a local name";
    return judged;
  }
  if (network == Network::kForbidden) return judged;
  judged.addresses = SIBYL_TRY(resolve(name));
  judged.why_not_public = WhyAnyNotPublic(judged.addresses);
  return judged;
}

}  // namespace sibyl::net
