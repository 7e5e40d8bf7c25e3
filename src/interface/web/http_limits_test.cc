// SPDX-License-Identifier: Apache-2.0
// What one client may use of a server: connections, workers, bytes, sessions.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include <cstring>
#include <string>

#include "interface/web/http_clients.h"
#include "interface/web/mcp_sessions.h"

namespace sibyl::interface {
namespace {

using std::chrono::minutes;
using SessionBegun = McpSessions::Begun;

TEST(HttpClients, NoClientHasAllConnectionsOrAllWorkers) {
  HttpClients clients({.connections = 8, .workers = 4});
  for (int i = 0; i < 6; ++i) {
    EXPECT_FALSE(clients.HasMostConnections("a")) << i;
    clients.Connect("a");
  }
  EXPECT_TRUE(clients.HasMostConnections("a"));
  EXPECT_FALSE(clients.HasMostConnections("b"));
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(clients.MayRun("a", Caller::kAnonymous));
    clients.Run("a", Caller::kAnonymous);
  }
  EXPECT_FALSE(clients.MayRun("a", Caller::kAnonymous));
  EXPECT_TRUE(clients.MayRun("a", Caller::kWithToken));
  EXPECT_TRUE(clients.MayRun("b", Caller::kAnonymous));
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(clients.MayAdmit("a", Caller::kAnonymous));
    clients.Admit("a", Caller::kAnonymous);
  }
  EXPECT_FALSE(clients.MayAdmit("a", Caller::kAnonymous));
  EXPECT_TRUE(clients.MayAdmit("a", Caller::kWithToken));
}

TEST(HttpClients, AShareIsLeftForTheTokenHoweverManyClientsAskWithoutIt) {
  HttpClients clients({.connections = 8, .workers = 4, .buffered_bytes = 1'000});
  for (const char* client : {"a", "b", "c", "d"}) {
    ASSERT_TRUE(clients.MayAdmit(client, Caller::kAnonymous));
    clients.Admit(client, Caller::kAnonymous);
  }
  EXPECT_FALSE(clients.MayAdmit("e", Caller::kAnonymous));
  EXPECT_FALSE(clients.HasShare("e", Caller::kAnonymous));
  EXPECT_TRUE(clients.MayAdmit("e", Caller::kWithToken));
  for (const char* client : {"a", "b", "c"}) {
    ASSERT_TRUE(clients.MayRun(client, Caller::kAnonymous));
    clients.Run(client, Caller::kAnonymous);
  }
  EXPECT_FALSE(clients.MayRun("d", Caller::kAnonymous));
  EXPECT_TRUE(clients.MayRun("d", Caller::kWithToken));
  clients.Stop("a", Caller::kAnonymous);
  EXPECT_TRUE(clients.MayRun("d", Caller::kAnonymous));
}

TEST(HttpClients, BytesAreCountedPerClientAndInAll) {
  HttpClients clients({.buffered_bytes = 1'000});
  clients.Buffer("a", Caller::kAnonymous, 0, 300);
  clients.Buffer("b", Caller::kAnonymous, 0, 200);
  EXPECT_TRUE(clients.HasRoom("c", Caller::kAnonymous));
  clients.Buffer("b", Caller::kAnonymous, 200, 201);
  EXPECT_FALSE(clients.HasRoom("c", Caller::kAnonymous));
  EXPECT_TRUE(clients.HasRoom("a", Caller::kWithToken));
  clients.Buffer("a", Caller::kWithToken, 0, 499);
  EXPECT_TRUE(clients.HasRoom("a", Caller::kWithToken));
  clients.Buffer("a", Caller::kWithToken, 499, 501);
  EXPECT_FALSE(clients.HasRoom("a", Caller::kWithToken));
  EXPECT_FALSE(clients.HasRoom("b", Caller::kWithToken)) << "all together";
  clients.Buffer("a", Caller::kAnonymous, 300, 0);
  EXPECT_TRUE(clients.HasRoom("b", Caller::kWithToken));
  EXPECT_EQ(clients.buffered_bytes(), 702U);
}

sockaddr_storage AddressOf(const char* text) {
  sockaddr_storage address{};
  sockaddr_in four{};
  if (::inet_pton(AF_INET, text, &four.sin_addr) == 1) {
    four.sin_family = AF_INET;
    std::memcpy(&address, &four, sizeof(four));
    return address;
  }
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  EXPECT_EQ(::inet_pton(AF_INET6, text, &six.sin6_addr), 1) << text;
  std::memcpy(&address, &six, sizeof(six));
  return address;
}

TEST(HttpClients, ANetworkOfIpv6IsOneClientAndSoIsThisMachine) {
  const auto client = [](const char* text) {
    return ClientOf(AddressOf(text), AddressOf("192.0.2.1"));
  };
  EXPECT_EQ(client("2001:db8:1:2:aaaa::1"), client("2001:db8:1:2:bbbb::2"));
  EXPECT_NE(client("2001:db8:1:2::1"), client("2001:db8:1:3::1"));
  EXPECT_EQ(client("::ffff:10.0.0.7"), "10.0.0.7");
  EXPECT_EQ(client("10.0.0.7"), "10.0.0.7");
  for (const char* own : {"127.0.0.1", "127.0.0.2", "127.255.1.2", "::1", "::ffff:127.0.0.9"}) {
    EXPECT_EQ(client(own), "127.0.0.1") << own;
    EXPECT_EQ(ClientOf(AddressOf("192.168.0.7"), AddressOf(own)), "127.0.0.1") << own;
  }
}

TEST(McpSessions, AClientEndsOnlyItsOwnUnusedOnes) {
  McpSessions sessions({.anonymous = 3, .with_token = 3, .all = 5});
  const SessionOwner stranger{.client = "a", .has_token = false};
  const SessionOwner owner{.client = "a", .has_token = true};
  const McpSessions::Time now{};
  EXPECT_EQ(sessions.Begin("owner", owner, now), SessionBegun::kYes);
  EXPECT_EQ(sessions.Begin("used", stranger, now), SessionBegun::kYes);
  EXPECT_TRUE(sessions.Use("used", false, now));
  for (int i = 0; i < 1'001; ++i) {
    EXPECT_EQ(sessions.Begin("n" + std::to_string(i), stranger, now + minutes(i / 100)),
              SessionBegun::kYes);
  }
  EXPECT_EQ(sessions.size(), 4U);
  EXPECT_TRUE(sessions.Use("owner", true, now));
  EXPECT_TRUE(sessions.Use("used", false, now));
  EXPECT_TRUE(sessions.Use("n1000", false, now + minutes(11)));
  EXPECT_TRUE(sessions.Use("n999", false, now + minutes(11)));
  EXPECT_EQ(sessions.Begin("more", stranger, now + minutes(11)), SessionBegun::kClientHasTooMany);
  EXPECT_EQ(sessions.Begin("b", {.client = "b"}, now + minutes(11)), SessionBegun::kYes);
  EXPECT_EQ(sessions.Begin("c", {.client = "c"}, now + minutes(11)), SessionBegun::kTooMany);
}

TEST(McpSessions, IdleOnesEndUnlessARequestIsUnderWay) {
  McpSessions sessions({.anonymous = 2, .anonymous_idle = minutes(30)});
  const SessionOwner stranger{.client = "a", .has_token = false};
  const McpSessions::Time now{};
  std::stop_source stop;
  for (const char* id : {"busy", "idle"}) {
    EXPECT_EQ(sessions.Begin(id, stranger, now), SessionBegun::kYes);
    EXPECT_TRUE(sessions.Use(id, false, now));
  }
  sessions.Start("busy", "1", stop);
  EXPECT_EQ(sessions.Begin("new", stranger, now + minutes(29)), SessionBegun::kClientHasTooMany);
  EXPECT_EQ(sessions.Begin("new", stranger, now + minutes(31)), SessionBegun::kYes);
  EXPECT_TRUE(sessions.Use("busy", false, now + minutes(31)));
  EXPECT_FALSE(sessions.Use("idle", false, now + minutes(31)));
  sessions.Cancel("busy", false, "1");
  EXPECT_TRUE(stop.stop_requested());
}

}  // namespace
}  // namespace sibyl::interface
