// SPDX-License-Identifier: Apache-2.0
#include "audit/standing.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sibyl::audit {
namespace {

// Of the statement that has the name, at its first place.
std::string WhyAbsent(std::string_view text, std::string_view name) {
  const statement::Statements statements = statement::ReadStatements(text).value();
  const StandingReader reader(statements);
  for (std::size_t i = 0; i < statements.all.size(); ++i) {
    const std::size_t at = statements.all[i].text.find(name);
    if (at != std::string::npos) return std::string(reader.WhyAbsent(i, at));
  }
  return "no such name";
}

bool IsPast(std::string_view text, std::string_view value) {
  const statement::Statements statements = statement::ReadStatements(text).value();
  return !StandingReader(statements).WhyPast(0, statements.all[0].text.find(value)).empty();
}

TEST(Standing, WhatIsGoneIsNotSaidToExist) {
  EXPECT_NE(WhyAbsent("`old_name` was removed in 2.0.", "old_name"), "");
  EXPECT_NE(WhyAbsent("`one` and `two` are gone.", "one"), "");
  EXPECT_NE(WhyAbsent("There is no `such_flag` here.", "such_flag"), "");
  EXPECT_NE(WhyAbsent("Nobody has implemented the proposed `better_name`.", "better_name"), "");
  EXPECT_EQ(WhyAbsent("`new_name` does not exist on old drivers.", "new_name"), "");
  EXPECT_EQ(WhyAbsent("`this_name` takes two arguments.", "this_name"), "");
}

TEST(Standing, WhatReplacesItIs) {
  EXPECT_EQ(WhyAbsent("`old_name` was removed, use `new_name`.", "new_name"), "");
  EXPECT_EQ(WhyAbsent("`old_name` was renamed to `new_name`.", "new_name"), "");
  EXPECT_EQ(WhyAbsent("Use `new_name`, since `old_name` is gone.", "new_name"), "");
}

TEST(Standing, ATableFollowsItsIntroduction) {
  constexpr std::string_view kTable =
      "These are gone from `Props`, ask for the attribute:\n\n"
      "| field | attribute |\n|---|---|\n| `rate` | `AttrRate` |\n\nStill there: `size`.\n";
  EXPECT_NE(WhyAbsent(kTable, "AttrRate"), "");
  EXPECT_EQ(WhyAbsent(kTable, "size"), "");
  EXPECT_NE(WhyAbsent("These no longer exist:\n\n- `one`\n- `two`\n", "two"), "");
  EXPECT_EQ(WhyAbsent("These exist:\n\n- `one`\n- `two`\n", "two"), "");
}

TEST(Standing, HeadersOtherCellsAndHeadings) {
  EXPECT_NE(WhyAbsent("| old name | new |\n|---|---|\n| `one` | `two` |\n", "one"), "");
  EXPECT_EQ(WhyAbsent("| old name | new |\n|---|---|\n| `one` | `two` |\n", "two"), "");
  EXPECT_NE(WhyAbsent("| name | state |\n|---|---|\n| `one` | removed in 3 |\n", "one"), "");
  EXPECT_NE(WhyAbsent("## Removed options\n\n`one` did it.\n", "one"), "");
  EXPECT_EQ(WhyAbsent("## Options\n\n`one` does it.\n", "one"), "");
}

TEST(Standing, AValueOfThePast) {
  EXPECT_TRUE(IsPast("`limit` used to be 25.", "25"));
  EXPECT_FALSE(IsPast("`limit` is 25.", "25"));
}

}  // namespace
}  // namespace sibyl::audit
