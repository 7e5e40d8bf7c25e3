// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

#include "base/utf8.h"

namespace sibyl {
namespace {

TEST(ParseJson, KeepsMembersInTheOrderTheyWereWritten) {
  const Result<Json> value = ParseJson(R"({"z": 1, "a": [true, null, "x"]})");
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(FormatJson(*value, JsonLayout::kCompact), R"({"z":1,"a":[true,null,"x"]})");
}

TEST(ParseJson, SaysWhereItStoppedBeingJson) {
  const Result<Json> value = ParseJson(R"({"a": 1,})");
  ASSERT_FALSE(value.ok());
  EXPECT_EQ(value.error().kind, ErrorKind::kCorrupt);
  EXPECT_EQ(value.error().message, "not JSON at byte 9");
}

TEST(ParseJson, RefusesWhatIsDeeperOrLongerThanTheLimits) {
  EXPECT_TRUE(ParseJson("[[[]]]", {.max_depth = 3}).ok());
  EXPECT_FALSE(ParseJson("[[[[]]]]", {.max_depth = 3}).ok());
  EXPECT_FALSE(ParseJson(std::string(1'000'000, '[')).ok());
  EXPECT_FALSE(ParseJson("[1, 2, 3]", {.max_bytes = 5}).ok());
  // Brackets inside strings are no depth, and an escaped quote ends no string.
  EXPECT_TRUE(ParseJson(R"(["[[[[\"[[[["])", {.max_depth = 1}).ok());
}

TEST(ParseJson, RefusesEmptyTextAndInvalidUtf8) {
  EXPECT_FALSE(ParseJson("").ok());
  EXPECT_FALSE(ParseJson("\"\xff\"").ok());
  EXPECT_FALSE(ParseJson("1e99999").ok());
}

TEST(FormatJson, IsAlwaysValidAndReadableAgain) {
  EXPECT_TRUE(rc::check([](const std::string& bytes) {
    const std::string text = FormatJson(Json{{"bytes", bytes}});
    RC_ASSERT(FindInvalidUtf8(text) == std::nullopt);
    RC_ASSERT(ParseJson(text).ok());
    if (!FindInvalidUtf8(bytes)) {
      RC_ASSERT(ParseJson(text)->at("bytes") == bytes);
    }
  }));
}

TEST(FormatJson, EscapesEveryControlCharacter) {
  const Json value = {{"a\x7F",
                       "\u0080x\u009B"
                       "31m\u009F\u00A0é\x1B"},
                      {"b", "\x7F\x7F"}};
  const std::string text = FormatJson(value, JsonLayout::kCompact);
  EXPECT_EQ(text,
            "{\"a\\u007f\":\"\\u0080x\\u009b31m\\u009f\u00A0é\\u001b\",\"b\":\"\\u007f\\u007f\"}");
  EXPECT_EQ(*ParseJson(text), value);
}

TEST(Json, OfTwoMembersOfOneNameTheLastCounts) {
  const Result<Json> json = ParseJson(R"({"a":1,"b":{"x":[1,{"y":2}]},"a":[3]})");
  ASSERT_TRUE(json.ok());
  EXPECT_EQ(FormatJson(*json, JsonLayout::kCompact), R"({"a":[3],"b":{"x":[1,{"y":2}]}})");
}

// Before, each member was compared with all before it: 20 billion comparisons.
TEST(Json, AnObjectOfManyMembersIsReadInOnePass) {
  std::string text = "{";
  for (int i = 0; i < 200'000; ++i) text += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":1";
  const Result<Json> json = ParseJson(text + "}");
  ASSERT_TRUE(json.ok());
  EXPECT_EQ(json->size(), 200'000U);
}

}  // namespace
}  // namespace sibyl
