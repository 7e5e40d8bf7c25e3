// SPDX-License-Identifier: Apache-2.0
#include "net/robots.h"

#include <gtest/gtest.h>

namespace sibyl::net {
namespace {

using std::chrono::milliseconds;

bool Allows(std::string_view text, std::string_view target) {
  return Robots::Parse(text, "sibyl").Allows(target);
}

TEST(Robots, AllowsEverythingWithoutRules) {
  EXPECT_TRUE(Allows("", "/x"));
  EXPECT_TRUE(Allows("User-agent: *\nDisallow:\n", "/x"));
  EXPECT_TRUE(Allows("Disallow: /\n", "/x")) << "a rule before any group is nobody's";
  EXPECT_TRUE(Allows("<html><body>not found: nothing</body></html>", "/x"));
}

TEST(Robots, KeepsToItsOwnGroupsAndThenToEverybodys) {
  const std::string_view text =
      "User-agent: other\nDisallow: /\n\nUser-agent: *\nDisallow: /private\n\n"
      "user-AGENT: Sibyl/2.0\nuser-agent: friend\nDisallow: /a\n# again\n"
      "User-agent: sibyl\nDisallow: /b\n";
  EXPECT_TRUE(Allows(text, "/private"));
  EXPECT_FALSE(Allows(text, "/a/x"));
  EXPECT_FALSE(Allows(text, "/b"));
  EXPECT_FALSE(Robots::Parse(text, "third").Allows("/private/x"));
  EXPECT_TRUE(Robots::Parse(text, "third").Allows("/a"));
  EXPECT_FALSE(Allows("User-agent: sibylla\nDisallow: /a\nUser-agent: *\nDisallow: /b", "/b"))
      << "a longer name is somebody else";
}

TEST(Robots, LetsTheLongestRuleDecideAndAllowWinATie) {
  const std::string_view text =
      "User-agent: *\nDisallow: /docs\nAllow: /docs/public\nDisallow: /docs/public/old\n"
      "Allow: /page\nDisallow: /page\n";
  EXPECT_FALSE(Allows(text, "/docs/x"));
  EXPECT_TRUE(Allows(text, "/docs/public/x"));
  EXPECT_FALSE(Allows(text, "/docs/public/old/x"));
  EXPECT_TRUE(Allows(text, "/page"));
  EXPECT_TRUE(Allows("User-agent: *\nDisallow: /\n", "/robots.txt"));
}

TEST(Robots, UnderstandsStarsAndTheEnd) {
  const std::string_view text = "User-agent: *\nDisallow: /*.pdf$\nDisallow: /a*b*c\nDisallow: /e$";
  EXPECT_FALSE(Allows(text, "/x/y.pdf"));
  EXPECT_TRUE(Allows(text, "/x/y.pdf?z"));
  EXPECT_FALSE(Allows(text, "/a--b--c--"));
  EXPECT_TRUE(Allows(text, "/a--c--b"));
  EXPECT_FALSE(Allows(text, "/e"));
  EXPECT_TRUE(Allows(text, "/ef"));
  EXPECT_FALSE(Allows("User-agent: *\nDisallow: *", "/x"));
  EXPECT_FALSE(Allows("User-agent: *\nDisallow: /*?*id=", "/x?a&id=1"));
}

TEST(Robots, ComparesWhatIsMeantNotHowItIsEscaped) {
  const std::string_view text =
      "User-agent: *\nDisallow: /%7euser\nDisallow: /gr\xc3\xbc\xc3\x9f\nDisallow: /a%2fb\n";
  EXPECT_FALSE(Allows(text, "/~user"));
  EXPECT_FALSE(Allows(text, "/gr%c3%bc%C3%9F"));
  EXPECT_FALSE(Allows(text, "/a%2Fb"));
  EXPECT_TRUE(Allows(text, "/a/b")) << "an escaped slash is another path";
}

TEST(Robots, ReadsCrawlDelayWithinReason) {
  const auto delay = [](std::string_view value) {
    return Robots::Parse("User-agent: *\nCrawl-delay: " + std::string(value), "sibyl")
        .crawl_delay();
  };
  EXPECT_EQ(delay("2.5"), milliseconds(2500));
  EXPECT_EQ(delay("86400"), milliseconds(60'000));
  EXPECT_EQ(delay("-1"), std::nullopt);
  EXPECT_EQ(delay("nan"), std::nullopt);
  EXPECT_EQ(delay("soon"), std::nullopt);
}

TEST(Robots, ReadsOnlyItsLimit) {
  std::string text = "User-agent: *\nDisallow: /a\n";
  text += std::string(kMaxRobotsBytes, '#') + "\nDisallow: /b\n";
  EXPECT_FALSE(Allows(text, "/a"));
  EXPECT_TRUE(Allows(text, "/b"));
}

TEST(Robots, IsNotSlowedDownByHostilePatterns) {
  std::string text = "User-agent: *\n";
  for (int i = 0; i < 200; ++i) {
    text += "Disallow: /";
    for (int j = 0; j < 500; ++j) text += "*a";
    text += "b\n";
  }
  EXPECT_TRUE(Allows(text, "/" + std::string(8000, 'a')));
}

}  // namespace
}  // namespace sibyl::net
