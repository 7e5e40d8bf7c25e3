// SPDX-License-Identifier: Apache-2.0
#include "base/toml_table_reader.h"

#include <gtest/gtest.h>

namespace sibyl {
namespace {

const TomlTableReader kReader("sibyl.toml", "[web]");

TEST(TomlTableReader, FindsATable) {
  const Result<toml::table> parsed = ParseToml("[web]\na = 1\n[[model]]\n", "sibyl.toml");
  const toml::table& root = *parsed;
  EXPECT_EQ(*kReader.Find(root, "web"), root.get_as<toml::table>("web"));
  EXPECT_EQ(*kReader.Find(root, "lab"), nullptr);
  const auto refused = kReader.Find(root, "model");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "reading [web]: it is not a table");
  EXPECT_EQ(refused.error().hint, "write [model] with one bracket");
}

TEST(TomlTableReader, ReadsTextsAndNumbersWithinTheirBounds) {
  const Result<toml::table> parsed =
      ParseToml("text = 'a'\nlist = ['a', 'b']\nmixed = ['a', 1]\nempty = ''\nnumber = 7\n", "f");
  const toml::table& root = *parsed;
  EXPECT_EQ(*kReader.Text("text", *root.get("text")), "a");
  EXPECT_EQ(kReader.Text("empty", *root.get("empty")).error().message,
            "reading [web]: empty is not a string");
  EXPECT_EQ(kReader.Texts("text", *root.get("text"))->size(), 1U);
  EXPECT_EQ(kReader.Texts("list", *root.get("list"))->size(), 2U);
  EXPECT_FALSE(kReader.Texts("mixed", *root.get("mixed")).ok());
  EXPECT_EQ(*kReader.Number("number", *root.get("number"), 1, 7), 7);
  const Error refused = kReader.Number("number", *root.get("number"), 8, 9).error();
  EXPECT_EQ(refused.message, "reading [web]: number is not a number from 8 to 9");
  EXPECT_EQ(refused.place->file, "sibyl.toml");
  EXPECT_EQ(refused.place->line, 5U);
}

TEST(TomlTableReader, NamesTheNearestKey) {
  const Result<toml::table> parsed = ParseToml("\nresult = 1\n", "sibyl.toml");
  const toml::table& root = *parsed;
  const std::vector<std::string> known = {"results", "proxy"};
  const Finding finding =
      kReader.UnknownKey("web/unknown-key", "result", *root.get("result"), known);
  EXPECT_EQ(finding.message, "unknown key 'result' in [web]");
  EXPECT_EQ(finding.hint, "did you mean 'results'?");
  EXPECT_EQ(finding.place.line, 2U);
  EXPECT_EQ(HintForUnknown("x", known), "known: results, proxy");
}

}  // namespace
}  // namespace sibyl
