// SPDX-License-Identifier: Apache-2.0
#include "engine/arguments.h"

#include <gtest/gtest.h>

namespace sibyl::engine {
namespace {

constexpr std::string_view kColours[] = {"red", "green"};
constexpr Parameter kParameters[] = {
    {.name = "plan",
     .value_name = "PLAN",
     .help = "a plan",
     .kind = ParameterKind::kPositional,
     .required = true,
     .repeated = true},
    {.name = "parts",
     .value_name = "N",
     .help = "how many",
     .type = ValueType::kInteger,
     .default_text = "2",
     .minimum = 1,
     .maximum = 9},
    {.name = "colour",
     .value_name = "C",
     .help = "which",
     .type = ValueType::kChoice,
     .choices = kColours},
    {.name = "verbose", .help = "more", .kind = ParameterKind::kFlag},
};
constexpr Operation kOperation = {.name = "test", .parameters = kParameters};

std::string ErrorOf(std::vector<GivenValue> given) {
  const auto arguments = Arguments::Make(kOperation, std::move(given));
  return arguments.ok() ? "" : arguments.error().message;
}

TEST(Arguments, GiveValuesDefaultsAndFlags) {
  const auto arguments = Arguments::Make(
      kOperation, {{"plan", "a.md"}, {"plan", "b.md"}, {"verbose", ""}, {"colour", "red"}});
  ASSERT_TRUE(arguments.ok());
  EXPECT_EQ(arguments->All("plan"), (std::vector<std::string>{"a.md", "b.md"}));
  EXPECT_EQ(arguments->Integer("parts"), 2);
  EXPECT_FALSE(arguments->Has("parts")) << "a default was not given";
  EXPECT_TRUE(arguments->Has("verbose"));
  EXPECT_EQ(arguments->Text("colour"), "red");
}

TEST(Arguments, SayWhatIsMissing) { EXPECT_EQ(ErrorOf({}), "missing PLAN: a plan"); }

TEST(Arguments, RefuseWhatIsNoNumberOrOutOfRange) {
  for (const char* wrong : {"0", "10", "x", "3x", "", "99999999999999999999"}) {
    EXPECT_EQ(ErrorOf({{"plan", "a"}, {"parts", wrong}}),
              std::string("--parts takes a whole number from 1 to 9, not '") + wrong + "'");
  }
}

TEST(Arguments, NameTheNearestChoice) {
  EXPECT_EQ(ErrorOf({{"plan", "a"}, {"colour", "gren"}}),
            "invalid value 'gren' for --colour; did you mean 'green'?");
}

TEST(Arguments, RefuseAnEmptyPathAndAValueGivenTwice) {
  EXPECT_EQ(ErrorOf({{"plan", ""}}), "PLAN is empty");
  EXPECT_EQ(ErrorOf({{"plan", "a"}, {"parts", "1"}, {"parts", "2"}}),
            "--parts is given 2 times; give it once");
}

TEST(Arguments, RefuseANameThatTheRowDoesNotHave) {
  EXPECT_EQ(ErrorOf({{"plan", "a"}, {"size", "1"}}), "unknown parameter 'size' for 'test'");
}

}  // namespace
}  // namespace sibyl::engine
