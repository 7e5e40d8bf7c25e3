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

bool HttpClients::MayAdmit(const std::string& client, Caller caller) const {
  const Use* use = Find(client);
  return use == nullptr || use->admitted.at(PlaceOf(caller)) < ShareOf(caller, limits_.connections);
}

void HttpClients::Admit(const std::string& client, Caller caller) {
  ++uses_[client].admitted.at(PlaceOf(caller));
}

void HttpClients::Dismiss(const std::string& client, Caller caller) {
  --uses_[client].admitted.at(PlaceOf(caller));
  ForgetIfUnused(client);
}

bool HttpClients::MayRun(const std::string& client, Caller caller) const {
  if (running_ >= limits_.workers) return false;
  const Use* use = Find(client);
  return use == nullptr || use->running.at(PlaceOf(caller)) < ShareOf(caller, limits_.workers);
}

void HttpClients::Run(const std::string& client, Caller caller) {
  ++uses_[client].running.at(PlaceOf(caller));
  ++running_;
}

void HttpClients::Stop(const std::string& client, Caller caller) {
  --uses_[client].running.at(PlaceOf(caller));
  --running_;
  ForgetIfUnused(client);
}

bool HttpClients::Buffer(const std::string& client, std::size_t before, std::size_t now) {
  Use& use = uses_[client];
  use.buffered = use.buffered - before + now;
  buffered_ = buffered_ - before + now;
  const bool is_fine =
      buffered_ <= limits_.buffered_bytes && use.buffered <= Half(limits_.buffered_bytes);
  ForgetIfUnused(client);
  return is_fine;
}

void HttpClients::ForgetIfUnused(const std::string& client) {
  const auto found = uses_.find(client);
  if (found == uses_.end()) return;
  const Use& use = found->second;
  const bool is_unused = use.connections == 0 && use.buffered == 0 && use.admitted[0] == 0 &&
                         use.admitted[1] == 0 && use.running[0] == 0 && use.running[1] == 0;
  if (is_unused) uses_.erase(found);
}

std::string ClientOf(const sockaddr_storage& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address.ss_family == AF_INET) {
    sockaddr_in four{};
    std::memcpy(&four, &address, sizeof(four));
    ::inet_ntop(AF_INET, &four.sin_addr, text.data(), text.size());
    return text.data();
  }
  sockaddr_in6 six{};
  std::memcpy(&six, &address, sizeof(six));
  if (IN6_IS_ADDR_V4MAPPED(&six.sin6_addr)) {
    ::inet_ntop(AF_INET, &six.sin6_addr.s6_addr[12], text.data(), text.size());
    return text.data();
  }
  constexpr std::size_t kNetworkBytes = 8;
  if (!IN6_IS_ADDR_LOOPBACK(&six.sin6_addr)) {
    std::fill(six.sin6_addr.s6_addr + kNetworkBytes, six.sin6_addr.s6_addr + 16, std::uint8_t{0});
  }
  ::inet_ntop(AF_INET6, &six.sin6_addr, text.data(), text.size());
  return text.data();
}

}  // namespace sibyl::interface
