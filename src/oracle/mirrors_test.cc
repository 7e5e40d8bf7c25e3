// SPDX-License-Identifier: Apache-2.0
#include "oracle/mirrors.h"

#include <gtest/gtest.h>

#include "oracle/test_context.h"

namespace sibyl::oracle {
namespace {

Mirrors Parsed(std::string_view text) { return Mirrors::Parse(text, "config.toml").value(); }

TEST(Mirrors, TheLongestOriginCounts) {
  const Mirrors mirrors = Parsed(
      "[mirrors]\n"
      "\"https://example.org/a/\" = \"/srv/a\"\n"
      "\"https://example.org/a/b/\" = \"/srv/b/\"\n"
      "\"https://example.org/a/one.git\" = \"https://inside.example.org/one\"\n");
  EXPECT_EQ(mirrors.PlaceOf("https://example.org/a/x"), "/srv/a/x");
  EXPECT_EQ(mirrors.PlaceOf("https://example.org/a/x.git"), "/srv/a/x.git");
  EXPECT_EQ(mirrors.PlaceOf("https://example.org/a/b/x"), "/srv/b/x");
  EXPECT_EQ(mirrors.PlaceOf("https://example.org/a/one"), "https://inside.example.org/one");
  EXPECT_EQ(mirrors.PlaceOf("https://example.org/other"), "");
  EXPECT_EQ(Parsed("").PlaceOf("https://example.org/a/x"), "");
}

// An oracle chooses its origins; it must not choose a folder of the user with them.
TEST(Mirrors, AnOriginDoesNotLeadOutOfTheUsersFolder) {
  const Mirrors mirrors = Parsed("[mirrors]\n\"https://example.org/\" = \"/srv/git/\"\n");
  for (const char* origin :
       {"https://example.org/../../home/me/secret", "https://example.org/a/../../b",
        "https://example.org//etc", "https://example.org/", "https://example.org/a//b",
        "https://example.org/%2e%2e/b", "https://example.org/a\\..\\b", "https://example.org/./a",
        "https://example.org/a?b", "https://example.org/.."}) {
    EXPECT_EQ(mirrors.PlaceOf(origin), "") << origin;
  }
}

TEST(Mirrors, AMistakeInTheTableIsSaidWithItsLine) {
  for (const char* text :
       {"[mirrors]\n\"https://a/\" = \"relative/path\"\n", "[mirrors]\n\"https://a/\" = 3\n",
        "[mirrors]\n\"https://a/\" = \"https://me:secret@b/\"\n", "mirrors = 1\n", "[mirrors\n"}) {
    const Result<Mirrors> mirrors = Mirrors::Parse(text, "config.toml");
    ASSERT_FALSE(mirrors.ok()) << text;
    EXPECT_EQ(mirrors.error().kind, ErrorKind::kUsage) << text;
    EXPECT_EQ(mirrors.error().message.find("secret"), std::string::npos);
  }
}

class RecordedMirrors : public OracleTest {};

TEST_F(RecordedMirrors, ARowIsAddedAndTheRestOfTheFileStays) {
  const Context context = Here();
  EXPECT_EQ(Mirrors::Read(context)->PlaceOf("https://example.org/a"), "");
  ASSERT_TRUE(RecordMirror(context, "https://example.org/a", "/srv/a").ok());
  ASSERT_TRUE(RecordMirror(context, "https://example.org/b", "/srv/b").ok());
  ASSERT_TRUE(RecordMirror(context, "https://example.org/a", "/srv/a").ok());
  EXPECT_EQ(Mirrors::Read(context)->PlaceOf("https://example.org/a"), "/srv/a");
  EXPECT_EQ(Mirrors::Read(context)->PlaceOf("https://example.org/b.git"), "/srv/b");
  EXPECT_FALSE(RecordMirror(context, "https://example.org/a", "/srv/other").ok());
  EXPECT_EQ(Mirrors::Read(context)->PlaceOf("https://example.org/a"), "/srv/a");
}

}  // namespace
}  // namespace sibyl::oracle
