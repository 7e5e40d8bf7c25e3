// SPDX-License-Identifier: Apache-2.0
#include "interface/web/http_clients.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>

namespace sibyl::interface {
namespace {

std::size_t Half(std::size_t all) { return std::max<std::size_t>(1, all / 2); }
std::size_t ThreeQuarters(std::size_t all) { return std::max<std::size_t>(1, all - all / 4); }

std::size_t ShareOf(Caller caller, std::size_t all) {
  return caller == Caller::kWithToken ? ThreeQuarters(all) : Half(all);
}

std::size_t PlaceOf(Caller caller) { return static_cast<std::size_t>(caller); }

// An IPv4 address as IPv6 has it: ::ffff:192.0.2.7.
in6_addr AsSix(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET6) {
    sockaddr_in6 six{};
    std::memcpy(&six, &address, sizeof(six));
    return six.sin6_addr;
  }
  sockaddr_in four{};
  std::memcpy(&four, &address, sizeof(four));
  in6_addr mapped{};
  mapped.s6_addr[10] = mapped.s6_addr[11] = 0xff;
  std::memcpy(mapped.s6_addr + 12, &four.sin_addr, sizeof(four.sin_addr));
  return mapped;
}

bool IsThisMachine(const in6_addr& address) {
  constexpr std::uint8_t kLoopbackNetwork = 127;
  return IN6_IS_ADDR_LOOPBACK(&address) ||
         (IN6_IS_ADDR_V4MAPPED(&address) && address.s6_addr[12] == kLoopbackNetwork);
}

}  // namespace

const HttpClients::Use* HttpClients::Find(const std::string& client) const {
  const auto found = uses_.find(client);
  return found == uses_.end() ? nullptr : &found->second;
}

std::size_t HttpClients::ConnectionsOf(const std::string& client) const {
  const Use* use = Find(client);
  return use == nullptr ? 0 : use->connections;
}

bool HttpClients::HasMostConnections(const std::string& client) const {
  return ConnectionsOf(client) >= ThreeQuarters(limits_.connections);
}

void HttpClients::Connect(const std::string& client) {
  ++uses_[client].connections;
  ++connections_;
}

void HttpClients::Disconnect(const std::string& client) {
  --uses_[client].connections;
  --connections_;
  ForgetIfUnused(client);
}

bool HttpClients::HasShare(const std::string& client, Caller caller) const {
  const Use* use = Find(client);
  return use != nullptr &&
         use->admitted.at(PlaceOf(caller)) >= ShareOf(caller, limits_.connections);
}

bool HttpClients::MayAdmit(const std::string& client, Caller caller) const {
  const bool is_full = caller == Caller::kAnonymous &&
                       anonymous_.admitted.at(PlaceOf(caller)) >= Half(limits_.connections);
  return !is_full && !HasShare(client, caller);
}

void HttpClients::Admit(const std::string& client, Caller caller) {
  if (caller == Caller::kAnonymous) ++anonymous_.admitted.at(PlaceOf(caller));
  ++uses_[client].admitted.at(PlaceOf(caller));
}

void HttpClients::Dismiss(const std::string& client, Caller caller) {
  if (caller == Caller::kAnonymous) --anonymous_.admitted.at(PlaceOf(caller));
  --uses_[client].admitted.at(PlaceOf(caller));
  ForgetIfUnused(client);
}

bool HttpClients::MayRun(const std::string& client, Caller caller) const {
  if (running_ >= limits_.workers) return false;
  if (caller == Caller::kAnonymous &&
      anonymous_.running.at(PlaceOf(caller)) >= ThreeQuarters(limits_.workers)) {
    return false;
  }
  const Use* use = Find(client);
  return use == nullptr || use->running.at(PlaceOf(caller)) < ShareOf(caller, limits_.workers);
}

void HttpClients::Run(const std::string& client, Caller caller) {
  if (caller == Caller::kAnonymous) ++anonymous_.running.at(PlaceOf(caller));
  ++uses_[client].running.at(PlaceOf(caller));
  ++running_;
}

void HttpClients::Stop(const std::string& client, Caller caller) {
  if (caller == Caller::kAnonymous) --anonymous_.running.at(PlaceOf(caller));
  --uses_[client].running.at(PlaceOf(caller));
  --running_;
  ForgetIfUnused(client);
}

bool HttpClients::HasRoom(const std::string& client, Caller caller) const {
  if (buffered_ > limits_.buffered_bytes) return false;
  const std::size_t most = Half(limits_.buffered_bytes);
  const std::size_t place = PlaceOf(caller);
  if (caller == Caller::kAnonymous && anonymous_.buffered.at(place) > most) return false;
  const Use* use = Find(client);
  return use == nullptr || use->buffered.at(place) <= most;
}

void HttpClients::Buffer(const std::string& client, Caller caller, std::size_t before,
                         std::size_t now) {
  const auto change = [before, now](std::size_t& count) { count = count - before + now; };
  change(uses_[client].buffered.at(PlaceOf(caller)));
  if (caller == Caller::kAnonymous) change(anonymous_.buffered.at(PlaceOf(caller)));
  change(buffered_);
  ForgetIfUnused(client);
}

void HttpClients::ForgetIfUnused(const std::string& client) {
  const auto found = uses_.find(client);
  if (found == uses_.end()) return;
  const Use& use = found->second;
  const bool is_unused = use.connections == 0 && use.buffered[0] == 0 && use.buffered[1] == 0 &&
                         use.admitted[0] == 0 && use.admitted[1] == 0 && use.running[0] == 0 &&
                         use.running[1] == 0;
  if (is_unused) uses_.erase(found);
}

std::string ClientOf(const sockaddr_storage& peer, const sockaddr_storage& own) {
  in6_addr address = AsSix(peer);
  if (IsThisMachine(address) || IsThisMachine(AsSix(own))) return "127.0.0.1";
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (IN6_IS_ADDR_V4MAPPED(&address)) {
    ::inet_ntop(AF_INET, &address.s6_addr[12], text.data(), text.size());
    return text.data();
  }
  constexpr std::size_t kNetworkBytes = 8;
  std::fill(address.s6_addr + kNetworkBytes, address.s6_addr + 16, std::uint8_t{0});
  ::inet_ntop(AF_INET6, &address, text.data(), text.size());
  return text.data();
}

}  // namespace sibyl::interface
