// SPDX-License-Identifier: Apache-2.0
#include "gate/claims/table_rows.h"

#include <gtest/gtest.h>

namespace sibyl::gate {
namespace {

constexpr std::string_view kTable =
    "| Level | Value | Use |\n+-------+-------+-----+\n"
    "| `ERROR` | 4 | errors |\n| `FATAL` | `5` | the end, as 7 |\n| OFF | 6 | none |\n";

TEST(TableRows, ACellMustNotHaveTheValueOfAnotherRow) {
  EXPECT_EQ(RowWithAnotherValue({.row_name = "FATAL", .value = "6"}, kTable),
            "FATAL | 5 | the end, as 7");
  EXPECT_EQ(RowWithAnotherValue({.row_name = "FATAL", .value = "5"}, kTable), "");
}

TEST(TableRows, NothingIsSaidOfOtherValues) {
  EXPECT_EQ(RowWithAnotherValue({.row_name = "FATAL", .value = "7"}, kTable), "");
  EXPECT_EQ(RowWithAnotherValue({.row_name = "FATAL", .value = "8"}, kTable), "");
  EXPECT_EQ(RowWithAnotherValue({.row_name = "INFO", .value = "6"}, kTable), "");
  EXPECT_EQ(RowWithAnotherValue({.row_name = "FATAL", .value = "6"}, "FATAL is 5, OFF is 6\n"), "");
  EXPECT_EQ(RowWithAnotherValue({.row_name = "", .value = ""}, "|\n||\n| |\n"), "");
}

TEST(TableRows, ACellMustNotDifferFromTheDefinition) {
  constexpr std::string_view kLines = "kDepth = 64\noption(USE_PIN \"pin\" OFF)\n";
  const auto other = [&](std::string_view name, std::string_view value, std::string_view column) {
    return DefinitionWithAnotherValue({.row_name = name, .value = value, .column = column}, kLines);
  };
  EXPECT_EQ(other("`kDepth`", "32", "Default"), "kDepth = 64");
  EXPECT_EQ(other("`kDepth`", "64", "Default"), "");
  EXPECT_EQ(other("`kDepth`", "32", "Meaning"), "");
  EXPECT_EQ(other("USE_PIN", "on", "Default value"), "USE_PIN = OFF");
  EXPECT_EQ(other("USE_PIN", "`false`", "Default value"), "");
  EXPECT_EQ(other("USE_PIN", "see below", "Default value"), "");
}

}  // namespace
}  // namespace sibyl::gate
