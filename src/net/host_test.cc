// SPDX-License-Identifier: Apache-2.0
#include "net/host.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace sibyl::net {
namespace {

HostAddress Ip(std::initializer_list<std::uint8_t> bytes) {
  HostAddress address{.size = bytes.size()};
  std::copy(bytes.begin(), bytes.end(), address.bytes.begin());
  return address;
}

// What the name servers say; an error for every other name.
Result<std::vector<HostAddress>> Names(const std::string& host) {
  if (host == "example.org") return std::vector{Ip({93, 184, 216, 34})};
  if (host == "wiki.example.org") return std::vector{Ip({93, 184, 216, 34}), Ip({10, 0, 0, 7})};
  return Error{.kind = ErrorKind::kNotFound, .message = "no address"};
}

std::string Why(std::string_view host, Network network = Network::kAllowed) {
  const Result<JudgedHost> judged = JudgeHost(host, network, Names);
  return judged.ok() ? judged->why_not_public : judged.error().message;
}

TEST(JudgeHost, TakesAddressesInEveryFormThatProgramsAccept) {
  for (const char* host : {"127.0.0.1", "127.1", "0x7f000001", "2130706433", "0177.0.0.1", "[::1]",
                           "[::ffff:127.0.0.1]", "127.0.0.1."}) {
    EXPECT_EQ(Why(host), "loopback") << host;
    EXPECT_EQ(Why(host, Network::kForbidden), "loopback") << host;
  }
  EXPECT_EQ(Why("10.1.2.3"), "private");
  EXPECT_EQ(Why("169.254.169.254"), "a cloud's metadata service");
  EXPECT_EQ(Why("[fe80::1]"), "link-local");
  EXPECT_EQ(Why("224.0.0.1"), "multicast");
  EXPECT_EQ(Why("1.1.1.1"), "");
}

TEST(JudgeHost, KnowsLocalNamesWithoutLookingThemUp) {
  for (const char* host : {"localhost", "LocalHost.", "a.localhost", "nas.local", "vault.internal",
                           "build.lan", "printer", "x.home.arpa"}) {
    EXPECT_EQ(Why(host, Network::kForbidden), "a local name") << host;
  }
}

TEST(JudgeHost, JudgesANameByAllOfItsAddresses) {
  EXPECT_EQ(Why("example.org"), "");
  EXPECT_EQ(Why("wiki.example.org"), "private");
  EXPECT_EQ(Why("gone.example.org"), "no address");
}

TEST(JudgeHost, LooksNothingUpWithoutTheNetwork) {
  const auto resolve = [](const std::string& host) -> Result<std::vector<HostAddress>> {
    ADD_FAILURE() << "looked up " << host;
    return std::vector<HostAddress>();
  };
  const Result<JudgedHost> judged = JudgeHost("example.org", Network::kForbidden, resolve);
  ASSERT_TRUE(judged.ok());
  EXPECT_TRUE(judged->addresses.empty());
}

}  // namespace
}  // namespace sibyl::net
