// SPDX-License-Identifier: Apache-2.0
// The table itself: whoever adds a row is told here what a row must be.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>

#include "base/clock.h"
#include "engine/arguments.h"
#include "engine/operation.h"
#include "engine/outcome.h"
#include "oracle/context.h"

namespace sibyl::engine {
namespace {

TEST(Operations, HaveNamesThatAreUniqueAndOneOrTwoWords) {
  std::set<std::string_view> names;
  for (const Operation* operation : Operations()) {
    EXPECT_TRUE(names.insert(operation->name).second) << operation->name;
    EXPECT_LE(std::ranges::count(operation->name, ' '), 1) << operation->name;
    EXPECT_EQ(FindOperation(operation->name), operation);
  }
  EXPECT_EQ(FindOperation("no such operation"), nullptr);
}

TEST(Operations, SayWhatTheyDoInOneLineWithoutAFullStop) {
  for (const Operation* operation : Operations()) {
    EXPECT_FALSE(operation->summary.empty()) << operation->name;
    EXPECT_LE(operation->summary.size(), 54U) << operation->name << ": too long for -h";
    EXPECT_NE(operation->summary.back(), '.') << operation->name;
    EXPECT_FALSE(operation->description.empty()) << operation->name;
    EXPECT_NE(operation->run, nullptr) << operation->name;
  }
}

TEST(Operations, ListTheirCodesWhenTheyReportFindings) {
  for (const Operation* operation : Operations()) {
    if (!operation->reports_findings) continue;
    ASSERT_NE(operation->rules, nullptr) << operation->name;
    std::set<std::string_view> codes;
    for (const Rule& rule : operation->rules()) {
      EXPECT_TRUE(codes.insert(rule.code).second) << rule.code;
      EXPECT_FALSE(rule.meaning.empty()) << rule.code;
    }
  }
}

TEST(Operations, HaveParametersThatCanBeToldApart) {
  for (const Operation* operation : Operations()) {
    std::set<std::string_view> names;
    std::set<char> letters;
    bool after_repeated = false;
    for (const Parameter& parameter : operation->parameters) {
      SCOPED_TRACE(std::string(operation->name) + " " + std::string(parameter.name));
      EXPECT_TRUE(names.insert(parameter.name).second);
      if (parameter.short_name != '\0') {
        EXPECT_TRUE(letters.insert(parameter.short_name).second);
      }
      EXPECT_FALSE(parameter.help.empty());
      EXPECT_EQ(parameter.value_name.empty(), parameter.kind == ParameterKind::kFlag);
      EXPECT_EQ(parameter.choices.empty(), parameter.type != ValueType::kChoice);
      if (parameter.kind != ParameterKind::kPositional) continue;
      EXPECT_FALSE(after_repeated) << "a repeated positional takes all that follow";
      after_repeated = parameter.repeated;
    }
  }
}

TEST(Operations, DoNotChangeAnInstalledOracle) {
  const FixedClock clock(*ParseDate("2026-11-15"));
  const oracle::Context context{
      .working_folder = "/", .oracle = "/opt/oracles/cuda", .is_installed = true, .clock = clock};
  for (const auto& [name, parameter] :
       std::map<std::string, std::string>{{"source add", "origin"},
                                          {"part claim", "plan"},
                                          {"expand", "plan"},
                                          {"part release", "lease"}}) {
    const Operation& operation = *FindOperation(name);
    Result<Arguments> arguments = Arguments::Make(operation, {{parameter, "x"}});
    ASSERT_TRUE(arguments.ok()) << arguments.error().message;
    const Result<Outcome> outcome = RunOperation(operation, context, *arguments);
    ASSERT_FALSE(outcome.ok()) << name;
    EXPECT_NE(outcome.error().message.find("installed with sibyl: /opt/oracles/cuda"),
              std::string::npos);
    EXPECT_EQ(outcome.error().hint, "change a copy of your own: cp -r /opt/oracles/cuda cuda");
  }
}

TEST(Operations, AreWrittenInAscii) {
  const auto is_ascii = [](std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c == '\n' || (c >= ' ' && c < 0x7F); });
  };
  for (const Operation* operation : Operations()) {
    EXPECT_TRUE(is_ascii(operation->summary)) << operation->name;
    EXPECT_TRUE(is_ascii(operation->description)) << operation->name;
    for (const Parameter& parameter : operation->parameters) {
      EXPECT_TRUE(is_ascii(parameter.help)) << operation->name << ' ' << parameter.name;
    }
  }
}

}  // namespace
}  // namespace sibyl::engine
