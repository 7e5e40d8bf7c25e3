// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/strings.h"
#include "engine/text/render.h"
#include "engine/verify_operations.h"

namespace sibyl::engine {
namespace {

// As of an oracle, `sources` of which are not on this machine; each has two citations.
std::string Talk(std::size_t sources, std::string_view oracle = {}) {
  const Json counts = {
      {"supported", 1}, {"contradicted", 0}, {"absent", 0}, {"stale", 0}, {"undecidable", 0}};
  Outcome outcome;
  outcome.data = {{"files", Json::array()},
                  {"citations", 0},
                  {"counts", counts},
                  {"statements", {{"grounded", 0}, {"undecided", 0}, {"refused", 0}}},
                  {"waiting", Json::array()},
                  {"accepted", 0},
                  {"mended", 0}};
  for (std::size_t i = 0; i < sources; ++i) {
    outcome.data["waiting"].push_back({{"source", "s"}, {"citations", 2}});
  }
  const Result<Arguments> arguments = Arguments::Make(kVerify, {});
  EXPECT_TRUE(arguments.ok());
  const Terminal terminal;
  return RenderVerify(outcome, {.terminal = terminal, .arguments = *arguments, .oracle = oracle})
      .talk;
}

// A clone of an oracle has none of its sources: there were 25 lines.
TEST(RenderVerify, ManySourcesThatAreNotHereAreOneLine) {
  EXPECT_TRUE(Contains(Talk(2), "sibyl: 2 citations of s not checked: "));
  EXPECT_TRUE(Talk(25, "@cuda")
                  .ends_with("\nsibyl: 50 citations not checked: 25 sources are not in the store; "
                             "to fetch them: sibyl -C "
                             "@cuda verify --restore\n"))
      << Talk(25, "@cuda");
}

}  // namespace
}  // namespace sibyl::engine
