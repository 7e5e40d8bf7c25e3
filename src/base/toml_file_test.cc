// SPDX-License-Identifier: Apache-2.0
#include "base/toml_file.h"

#include <gtest/gtest.h>

namespace sibyl {
namespace {

std::string Dots(int count) {
  std::string dots;
  for (int i = 0; i < count; ++i) dots += "a.";
  return dots;
}

std::string TomlComplaint(const std::string& text) {
  const Result<toml::table> table = ParseToml(text, "sibyl.toml");
  return table.ok() ? "" : table.error().message;
}

// A sibyl.toml of 400 KB ended the program: one table for each dot, freed by recursion.
TEST(TomlFile, RefusesKeysThatNestTooDeep) {
  const std::string deep = Dots(200'000) + "a";
  const std::string expected = "reading sibyl.toml: its keys have too many dots";
  EXPECT_EQ(TomlComplaint(deep + " = 1\n"), expected);
  EXPECT_EQ(TomlComplaint("[" + deep + "]\n"), expected);
  EXPECT_EQ(TomlComplaint("x = \"\\\"\"\n" + deep + " = 1\n"), expected);
  EXPECT_EQ(TomlComplaint("x = '\\'\n" + deep + " = 1\n"), expected);
  EXPECT_EQ(TomlComplaint("# it's\n" + deep + " = 1\n"), expected);
  std::string nested = "x = ";
  for (int i = 0; i < 200; ++i) nested += "[\n{" + Dots(1000) + "a = ";
  EXPECT_EQ(TomlComplaint(nested), expected);
}

// A long string may end in five quotes, which must not hide the rest of its line.
TEST(TomlFile, FindsTheEndsOfLongStrings) {
  const std::string deep = Dots(200'000) + "a";
  for (const char quote : {'"', '\''}) {
    for (const std::size_t closing : {3UL, 4UL, 5UL}) {
      const std::string text = std::string(3, quote) + "x" + std::string(closing, quote);
      EXPECT_EQ(TomlComplaint("x = [" + text + ", {" + deep + " = 1}]\n"),
                "reading sibyl.toml: its keys have too many dots")
          << text;
    }
  }
}

TEST(TomlFile, CountsNoDotsOfStringsAndComments) {
  const std::string dots = Dots(200'000);
  EXPECT_EQ(TomlComplaint("x = \"" + dots + "\"\ny = '" + dots + "'\n# " + dots + "\n"), "");
  EXPECT_EQ(TomlComplaint("x = \"\"\"\n" + dots + "\\\"\"\"\"\"\"\ny = 1.5\n"), "");
  EXPECT_EQ(TomlComplaint("x = '''\n" + dots + "'''''\n[a.b]\nc.d = 1\n"), "");
}

TEST(TomlFile, SaysWhereItIsNotToml) {
  const Result<toml::table> table = ParseToml("a = 1\nb =\n", "sibyl.toml");
  ASSERT_FALSE(table.ok());
  EXPECT_EQ(table.error().place->line, 2U);
}

}  // namespace
}  // namespace sibyl
