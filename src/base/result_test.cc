// SPDX-License-Identifier: Apache-2.0
#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace sibyl {
namespace {

Result<int> Halve(int number) {
  if (number % 2 != 0) return Error{.kind = ErrorKind::kUsage, .message = "odd"};
  return number / 2;
}

Result<int> Quarter(int number) {
  const int half = SIBYL_TRY(Halve(number));
  return SIBYL_TRY(Halve(half));
}

Status CheckEven(int number) {
  SIBYL_TRY(Halve(number));
  return {};
}

Result<std::unique_ptr<int>> Boxed(int number) {
  SIBYL_TRY(CheckEven(number));
  return std::make_unique<int>(number);
}

TEST(Result, GivesTheValueOrTheFirstError) {
  EXPECT_EQ(*Quarter(8), 2);
  ASSERT_FALSE(Quarter(6).ok());
  EXPECT_EQ(Quarter(6).error().message, "odd");
}

TEST(Result, CarriesWhatCanOnlyBeMoved) {
  EXPECT_EQ(**Boxed(4), 4);
  EXPECT_FALSE(Boxed(3).ok());
}

TEST(Result, SaysWhatWeWereDoing) {
  EXPECT_EQ(While("reading a.md", Halve(1).error()).message, "reading a.md: odd");
}

}  // namespace
}  // namespace sibyl
