// SPDX-License-Identifier: Apache-2.0
#include "audit/values/value_literal.h"

#include <gtest/gtest.h>

namespace sibyl::audit {
namespace {

std::optional<bool> Same(std::string_view said, std::string_view defined, bool is_text = false) {
  const std::optional<Literal> literal = ReadDefined(defined, is_text);
  return literal ? AreEqual(ReadSaid(said), *literal) : std::nullopt;
}

TEST(Literals, NumbersAreComparedByValue) {
  EXPECT_EQ(Same("25", "25"), true);
  EXPECT_EQ(Same("0x02", "2"), true);
  EXPECT_EQ(Same("1e-5", "0.00001"), true);
  EXPECT_EQ(Same("1e-6", "1e-5"), false);
  EXPECT_EQ(Same("4", "4ULL"), true);
  EXPECT_EQ(Same("2.0**16", "65536.0"), true);
}

TEST(Literals, AUnitCountsOrIsThatOfTheName) {
  EXPECT_EQ(Same("1 MiB", "1048576"), true);
  EXPECT_EQ(Same("1 MiB", "1024 * 1024"), true);
  EXPECT_EQ(Same("25 MiB", "25"), true);
  EXPECT_EQ(Same("4 MiB", "2097152"), false);
}

TEST(Literals, SwitchesHaveManyWords) {
  EXPECT_EQ(Same("ON", "True"), true);
  EXPECT_EQ(Same("disabled", "true"), false);
  EXPECT_EQ(Same("OFF", "0"), true);
}

TEST(Literals, TextsAndEnumeratorsAreComparedByTheirLastPart) {
  EXPECT_EQ(Same("'max'", "max", true), true);
  EXPECT_EQ(Same("Format.HYBRID", "Format.HYBRID"), true);
  EXPECT_EQ(Same("fork", "spawn", true), false);
  EXPECT_EQ(Same("12.4.1", "12.1.1"), false);
}

TEST(Literals, ExpressionsAndOtherKindsCannotBeCompared) {
  EXPECT_EQ(Same("4", "None"), std::nullopt);
  EXPECT_EQ(Same("4", "other_name"), std::nullopt);
  EXPECT_EQ(Same("4", "f(x) + 1"), std::nullopt);
  EXPECT_EQ(Same("True", "auto", true), std::nullopt);
}

}  // namespace
}  // namespace sibyl::audit
