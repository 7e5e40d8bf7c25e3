// SPDX-License-Identifier: Apache-2.0
#include "base/hyperlink.h"

#include <gtest/gtest.h>

namespace sibyl {
namespace {

constexpr Terminal kLinks{.is_terminal = true, .has_links = true, .folder_view = "/home/a b"};

// The address in a link; empty if there is none.
std::string AddressOf(const std::string& link) {
  const std::size_t length = LinkLength(link);
  if (length == 0) return {};
  const std::size_t begin = link.find(';', 4) + 1;
  return link.substr(begin, length - 2 - begin);
}

TEST(Hyperlink, IsATextWithAnAddressBehindIt) {
  const std::string link = Linked("the manual", "https://example.org/a?b=c#d", kLinks);
  EXPECT_EQ(AddressOf(link), "https://example.org/a?b=c#d");
  EXPECT_TRUE(link.ends_with("\x1b\\the manual\x1b]8;;\x1b\\")) << link;
}

TEST(Hyperlink, IsOnlyTheTextWhereLinksAreNotShown) {
  EXPECT_EQ(Linked("a", "https://example.org", {.is_terminal = true}), "a");
  EXPECT_EQ(LinkedFile("a", "a", 1, {}), "a");
  EXPECT_EQ(LinkedFile("a", "a", 1, {.is_terminal = true, .has_links = true}), "a");
  EXPECT_EQ(Linked("", "https://example.org", kLinks), "");
}

TEST(Hyperlink, OfAFileIsAbsoluteAndHasItsLine) {
  const std::string address = AddressOf(LinkedFile("a.md:3", "docs/../50%#?.md", 3, kLinks));
  EXPECT_TRUE(address.starts_with("file://")) << address;
  EXPECT_TRUE(address.ends_with("/home/a%20b/50%25%23%3F.md#3")) << address;
  EXPECT_TRUE(AddressOf(LinkedFile("a", "/x/y", 0, kLinks)).ends_with("/x/y"));
}

// An address comes from a source, a lock file or a name on the disk.
TEST(Hyperlink, AnAddressCannotEndItsSequence) {
  const std::string link = Linked("x", "https://example.org/\x1b\\\x07\x9c\n\x1b[2Jü", kLinks);
  EXPECT_EQ(AddressOf(link), "https://example.org/%1B\\%07%9C%0A%1B[2J%C3%BC");
  EXPECT_EQ(link.find('\x07'), std::string::npos);
}

TEST(Hyperlink, OtherSchemesAndLongAddressesAreNotLinked) {
  EXPECT_EQ(Linked("x", "javascript:alert(1)", kLinks), "x");
  EXPECT_EQ(Linked("x", "ssh://host", kLinks), "x");
  EXPECT_EQ(Linked("x", "https://" + std::string(3'000, 'a'), kLinks), "x");
}

TEST(Hyperlink, AForeignLinkIsNotOurs) {
  EXPECT_EQ(LinkLength("\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\"), 0U);
  EXPECT_EQ(LinkLength("\x1b]8;id=0123456789abcdef;https://evil.example\x1b\\x"), 0U);
  EXPECT_EQ(LinkLength("\x1b]0;title\x07"), 0U);
  EXPECT_EQ(LinkLength("text"), 0U);
  EXPECT_GT(LinkLength("\x1b]8;;\x1b\\"), 0U);  // the end of a link leads nowhere
}

TEST(Hyperlink, TerminalsAreKnownByTheirVariables) {
  EXPECT_FALSE(ShowsLinks({}));
  EXPECT_FALSE(ShowsLinks({.term = "xterm-256color"}));
  EXPECT_FALSE(ShowsLinks({.term = "linux"}));
  EXPECT_TRUE(ShowsLinks({.term = "xterm-256color", .vte_version = "7200"}));
  EXPECT_FALSE(ShowsLinks({.term = "xterm-256color", .vte_version = "4602"}));
  EXPECT_TRUE(ShowsLinks({.term = "xterm-256color", .konsole_version = "220401"}));
  EXPECT_TRUE(ShowsLinks({.term = "xterm-kitty"}));
  EXPECT_TRUE(ShowsLinks({.term = "xterm-256color", .program = "iTerm.app"}));
  EXPECT_FALSE(ShowsLinks({.term = "xterm-256color", .program = "Apple_Terminal"}));
  EXPECT_TRUE(ShowsLinks({.term = "xterm-256color", .names_itself = true}));
  EXPECT_FALSE(ShowsLinks({.term = "tmux-256color", .names_itself = true}));
}

TEST(Hyperlink, TheUserMayDecide) {
  EXPECT_TRUE(ShowsLinks({.force = "1", .term = "tmux-256color"}));
  EXPECT_FALSE(ShowsLinks({.force = "0", .term = "xterm-kitty"}));
  EXPECT_FALSE(ShowsLinks({.force = "1", .term = "dumb"}));
  EXPECT_FALSE(ShowsLinks({.force = "1"}));
}

}  // namespace
}  // namespace sibyl
