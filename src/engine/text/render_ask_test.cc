// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/strings.h"
#include "engine/expand_operations.h"
#include "engine/text/render.h"

namespace sibyl::engine {
namespace {

constexpr std::string_view kAddress = "https://example.org/blob/1/a.h#L3-L4";

// As of a question that a page answers, with `absent` of 17 sources not on this machine.
Outcome AnswerFromAPage(std::size_t absent) {
  Outcome outcome;
  outcome.data = {
      {"statements",
       {{{"kind", "known"},
         {"text", "A fork was not joined."},
         {"source", "headers"},
         {"path", "a.h"},
         {"lines", {3, 4}},
         {"link", kAddress},
         {"page", "execution/04-graphs.md"},
         {"page_line", 216},
         {"checked", absent == 0}}}},
      {"pages", Json::array()},
      {"searched_sources", {{"pinned", 17}, {"searched", 17 - absent}, {"absent", absent}}}};
  for (std::size_t i = 0; i < absent; ++i) {
    outcome.findings.push_back({.severity = Severity::kNote,
                                .code = "source/unsearchable",
                                .message = "the pinned content is not in the cache"});
  }
  return outcome;
}

Rendered Show(const Outcome& outcome, const Terminal& terminal, std::string_view oracle = {}) {
  const Result<Arguments> arguments = Arguments::Make(kAsk, {{"question", "x"}});
  EXPECT_TRUE(arguments.ok());
  return RenderAsk(outcome, {.terminal = terminal, .arguments = *arguments, .oracle = oracle});
}

TEST(RenderAsk, ATerminalWithLinksGetsThePlaceAsALinkAndOthersTheAddress) {
  const std::string plain = Show(AnswerFromAPage(0), {}).results;
  EXPECT_TRUE(Contains(plain, "    headers:a.h:3-4, in execution/04-graphs.md:216  https://"))
      << plain;
  const Terminal terminal{.is_terminal = true, .columns = 80, .has_links = true};
  const std::string linked = Show(AnswerFromAPage(0), terminal).results;
  EXPECT_TRUE(Contains(linked, std::string(kAddress) + "\x1b\\headers:a.h:3-4\x1b]8;;")) << linked;
  EXPECT_FALSE(Contains(linked, "  https://")) << linked;
}

TEST(RenderAsk, SourcesThatAreNotHereAreOneLineWithTheCommand) {
  const std::string line =
      "sibyl: 16 of 17 sources were not searched; to fetch what is pinned: sibyl verify "
      "--restore\n";
  const Rendered answered = Show(AnswerFromAPage(16), {});
  EXPECT_EQ(answered.talk, line);
  EXPECT_TRUE(Contains(answered.results, "(not checked here)"));
  Outcome unknown = AnswerFromAPage(16);
  unknown.holds = false;
  unknown.data["statements"] = Json::array();
  unknown.data["nearest"] = unknown.data["missing"] = unknown.data["unpinned"] = Json::array();
  EXPECT_EQ(Show(unknown, {}).talk, line + "sibyl: not known here\n");
}

TEST(RenderAsk, SuggestedCommandsNameTheOracleThatWasAsked) {
  const std::string start = "sibyl: 16 of 17 sources were not searched; to fetch what is pinned: ";
  EXPECT_EQ(Show(AnswerFromAPage(16), {}, "@cuda").talk,
            start + "sibyl -C @cuda verify --restore\n");
  EXPECT_EQ(Show(AnswerFromAPage(16), {}, "my notes").talk,
            start + "sibyl -C 'my notes' verify --restore\n");
}

// Nobody can pin a source in an oracle that was installed.
TEST(RenderAsk, AnInstalledOracleIsNotChanged) {
  Outcome unknown = AnswerFromAPage(0);
  unknown.holds = false;
  unknown.data["statements"] = Json::array();
  unknown.data["nearest"] = unknown.data["missing"] = unknown.data["unpinned"] = Json::array();
  EXPECT_EQ(Show(unknown, {}, "@cuda").talk, "sibyl: not known here\n");
  EXPECT_EQ(Show(unknown, {}, "notes").talk,
            "sibyl: not known here\nsibyl: pin a source that covers it: sibyl -C notes source add "
            "ORIGIN\n");
}

}  // namespace
}  // namespace sibyl::engine
