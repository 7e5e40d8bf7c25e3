// SPDX-License-Identifier: Apache-2.0
#include "statement/anchors.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

#include "base/markdown/heading_anchor.h"
#include "base/utf8.h"

namespace sibyl::statement {
namespace {

Anchors Of(std::string_view markdown) {
  const Result<Statements> statements = ReadStatements(markdown);
  EXPECT_TRUE(statements.ok());
  return statements.ok() ? Anchors(statements->headings, markdown) : Anchors();
}

TEST(AnchorOf, IsAsGitHubMakesIt) {
  EXPECT_EQ(AnchorOf("3.1 What this machine has"), "31-what-this-machine-has");
  EXPECT_EQ(AnchorOf("`USE_PROF`: on/off?"), "use_prof-onoff");
  EXPECT_EQ(AnchorOf("  A  B  "), "a--b") << "each blank is a hyphen";
  EXPECT_EQ(AnchorOf("C++ & CUDA"), "c--cuda");
  EXPECT_EQ(AnchorOf("---"), "---");
}

TEST(AnchorOf, KeepsLettersOfOtherScriptsAndDropsSymbols) {
  EXPECT_EQ(AnchorOf("Größe"), "größe");
  EXPECT_EQ(AnchorOf("队列 长度"), "队列-长度");
  EXPECT_EQ(AnchorOf("Speed × 2 → fast 🚀"), "speed--2--fast-");
  EXPECT_EQ(AnchorOf("„Zitat“ – Ende…"), "zitat--ende");
}

TEST(AnchorOf, OfNothingIsNothing) {
  EXPECT_EQ(AnchorOf(""), "");
  EXPECT_EQ(AnchorOf(" \t\r\n"), "");
  EXPECT_EQ(AnchorOf("?!."), "");
  EXPECT_EQ(AnchorOf("\xFF\xFE"), "");
}

TEST(AnchorOf, IsValidUtf8WithoutBlanksForAnyHeading) {
  EXPECT_TRUE(rc::check([](const std::string& heading) {
    const std::string anchor = AnchorOf(heading);
    RC_ASSERT(!FindInvalidUtf8(anchor).has_value());
    RC_ASSERT(anchor.find_first_of(" \n\t#.,()") == std::string::npos);
    RC_ASSERT(AnchorOf(anchor) == anchor);
  }));
}

TEST(Anchors, AreThoseOfTheHeadings) {
  const Anchors anchors = Of("# Title\n\n## 2. The `queue`\n\ntext\n");
  EXPECT_EQ(anchors.size(), 2U);
  EXPECT_TRUE(anchors.Has("title"));
  EXPECT_TRUE(anchors.Has("2-the-queue"));
  EXPECT_FALSE(anchors.Has("the-queue"));
  EXPECT_FALSE(anchors.Has("text"));
}

TEST(Anchors, EveryPageHasItsTop) {
  EXPECT_TRUE(Of("").Has(""));
  EXPECT_TRUE(Of("").Has("top"));
  EXPECT_EQ(Of("").size(), 0U);
  EXPECT_FALSE(Anchors().Has("x"));
}

TEST(Anchors, ASecondHeadingOfThatNameIsNumbered) {
  const Anchors anchors = Of("# Notes\n\n# Notes\n\n# Notes\n");
  EXPECT_TRUE(anchors.Has("notes"));
  EXPECT_TRUE(anchors.Has("notes-1"));
  EXPECT_TRUE(anchors.Has("notes-2"));
  EXPECT_FALSE(anchors.Has("notes-3"));
}

TEST(Anchors, LetterCaseIsNotCompared) { EXPECT_TRUE(Of("# Notes\n").Has("Notes")); }

TEST(Anchors, CharactersBeyondAsciiAreNotCompared) {
  EXPECT_TRUE(Of("# Größe der Queue\n").Has("größe-der-queue"));
  EXPECT_TRUE(Of("# Größe der Queue\n").Has("grÖße-der-queue"));
  EXPECT_FALSE(Of("# Größe der Queue\n").Has("größe-des-stacks"));
}

// Which symbols an anchor loses differs from one Unicode version to the next.
TEST(Anchors, ASymbolThatOnlyTheHeadingHasIsNotComparedEither) {
  EXPECT_TRUE(Of("# ￥price\n").Has("price"));
}

TEST(Anchors, HtmlNamesPlacesToo) {
  const Anchors anchors =
      Of("<a id=\"here\"></a>\n\n<a name='there'></a> text <b id=none id=\"\">x</b>\n");
  EXPECT_TRUE(anchors.Has("here"));
  EXPECT_TRUE(anchors.Has("there"));
  EXPECT_FALSE(anchors.Has("none"));
  EXPECT_EQ(anchors.size(), 2U);
}

TEST(Anchors, AnHtmlNameThatNeverEndsIsNone) {
  EXPECT_EQ(Of("<a id=\"" + std::string(5'000, 'x') + "\">\n").size(), 0U);
  EXPECT_EQ(Of("<a id=").size(), 0U);
}

TEST(Anchors, NameTheOneThatWasProbablyMeant) {
  const Anchors anchors = Of("# Setup\n\n## 2. The profiler\n");
  EXPECT_EQ(anchors.Nearest("setpu"), "setup");
  EXPECT_EQ(anchors.Nearest("profiler"), "2-the-profiler") << "the words are right";
  EXPECT_EQ(anchors.Nearest("zeppelin"), "");
  EXPECT_EQ(Anchors().Nearest("setup"), "");
}

TEST(Anchors, HaveEveryHeadingOfTheirPage) {
  EXPECT_TRUE(rc::check([] {
    const auto words = *rc::gen::container<std::vector<std::string>>(
        rc::gen::element<std::string>("one", "Two", "3.", "vier", "`five`", "six!"));
    std::string markdown;
    for (const std::string& word : words) markdown += "## " + word + "\n\n";
    const Result<Statements> statements = ReadStatements(markdown);
    RC_ASSERT(statements.ok());
    const Anchors anchors(statements->headings, markdown);
    RC_ASSERT(anchors.size() == words.size());
    for (std::size_t i = 1; i < statements->headings.size(); ++i) {
      RC_ASSERT(anchors.Has(AnchorOf(statements->headings[i].text)));
    }
  }));
}

}  // namespace
}  // namespace sibyl::statement
