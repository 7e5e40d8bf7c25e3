// SPDX-License-Identifier: Apache-2.0
#include "audit/quotes/attribution.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <optional>
#include <string>
#include <vector>

#include "audit/test_witness.h"

namespace sibyl::audit {
namespace {

using statement::StatementKind;
using statement::Verdict;

const TestWitness& QuotedSources() {
  static const TestWitness* const kQuoted = new TestWitness(
      {{.name = "gadget",
        .files = {{"cmake/Profiler.cmake",
                   "# Looks for the profiler.\nfind_library(PROF_LIBRARY prof)\n"
                   "if(PROF_LIBRARY)\n  set(HAS_PROF ON)\nendif()\n"},
                  {"docs/queue.md",
                   "The queue holds 64 entries. It drops the oldest entry first.\n"
                   "A “full” queue refuses nothing.\n"},
                  {"src/queue.py",
                   "def push(entry):\n    queue.append(entry)\n"
                   "    raise ValueError(\"timeout option should be non-negative\")\n"
                   "    warn(\"the {} of this queue needs attention\")\n"},
                  {"scripts/build.sh", "cmake -B build\ncmake --build build\n"}}},
       {.name = "other",
        .files = {{"docs/queue.md", "Another queue altogether, of another project.\n"},
                  {"unique.txt", "this whole sentence is only here\n"}}}});
  return *kQuoted;
}

struct Parsed {
  statement::Statements statements;
  std::size_t at = 0;
};

// The first statement of a kind.
Parsed Parse(std::string_view text, StatementKind kind) {
  auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok());
  Parsed parsed{.statements = *std::move(statements)};
  while (parsed.at < parsed.statements.all.size() &&
         parsed.statements.all[parsed.at].kind != kind) {
    ++parsed.at;
  }
  EXPECT_LT(parsed.at, parsed.statements.all.size()) << text;
  return parsed;
}

std::optional<Attribution> Attributed(std::string_view text,
                                      StatementKind kind = StatementKind::kCode) {
  const Parsed parsed = Parse(text, kind);
  return AttributionOf(parsed.statements, parsed.at);
}

std::string PathOf(std::string_view text, StatementKind kind = StatementKind::kCode) {
  const auto from = Attributed(text, kind);
  return from ? from->path : "none";
}

TEST(Attribution, IsReadFromTheWordsBeforeABlock) {
  EXPECT_EQ(PathOf("From `cmake/Profiler.cmake`:\n\n```cmake\nset(A 1)\n```\n"),
            "cmake/Profiler.cmake");
  EXPECT_EQ(PathOf("See cmake/Profiler.cmake\n\n```cmake\nset(A 1)\n```\n"),
            "cmake/Profiler.cmake");
  EXPECT_EQ(PathOf("## `cmake/Profiler.cmake`\n\n```cmake\nset(A 1)\n```\n"),
            "cmake/Profiler.cmake");
}

TEST(Attribution, IsReadFromAQuotationToo) {
  EXPECT_EQ(PathOf("In `docs/queue.md`:\n\n> The queue holds 64 entries.\n", StatementKind::kQuote),
            "docs/queue.md");
}

TEST(Attribution, NeedsWordsThatIntroduce) {
  EXPECT_EQ(PathOf("The file `cmake/Profiler.cmake` is long.\n\n```cmake\nset(A 1)\n```\n"),
            "none");
  EXPECT_EQ(PathOf("```cmake\nset(A 1)\n```\n"), "none");
  EXPECT_EQ(PathOf("From `Profiler.cmake`:\n\n```cmake\nset(A 1)\n```\n"), "none")
      << "a name without a folder may be anybody's";
}

TEST(Attribution, OfTwoPathsNoneIsMeant) {
  EXPECT_EQ(PathOf("From `a/one.cmake` and `b/two.cmake`:\n\n```cmake\nset(A 1)\n```\n"), "none");
}

TEST(Attribution, IsReadFromTheFirstLineOfTheCode) {
  EXPECT_EQ(PathOf("```cmake\n# cmake/Profiler.cmake\nset(A 1)\n```\n"), "cmake/Profiler.cmake");
  EXPECT_EQ(PathOf("```cpp\n// src/queue.h\nint a;\n```\n"), "src/queue.h");
  EXPECT_EQ(PathOf("```cpp\n#include \"src/queue.h\"\nint a;\n```\n"), "none");
  EXPECT_EQ(PathOf("```sh\n#!/bin/bash\ntrue\n```\n"), "none");
}

TEST(Attribution, IsReadFromTheInfoString) {
  EXPECT_EQ(PathOf("```cmake:cmake/Profiler.cmake\nset(A 1)\n```\n"), "cmake/Profiler.cmake");
  EXPECT_EQ(PathOf("```cmake title=cmake/Profiler.cmake\nset(A 1)\n```\n"), "cmake/Profiler.cmake");
}

TEST(Attribution, NamesTheLines) {
  const auto from =
      Attributed("From `cmake/Profiler.cmake` lines 3-5:\n\n```cmake\nset(A 1)\n```\n");
  ASSERT_TRUE(from.has_value());
  EXPECT_EQ(from->lines.first, 3U);
  EXPECT_EQ(from->lines.last, 5U);
}

TEST(Attribution, IsLooseWhereTheTextSaysSo) {
  EXPECT_TRUE(
      Attributed("Simplified from `cmake/Profiler.cmake`:\n\n```cmake\nset(A 1)\n```\n")->is_loose);
  EXPECT_FALSE(Attributed("From `cmake/Profiler.cmake`:\n\n```cmake\nset(A 1)\n```\n")->is_loose);
}

TEST(Attribution, IsReadFromALinkToARepository) {
  const auto from = Attributed(
      "From [here](https://github.com/ada/gadget/blob/main/cmake/Profiler.cmake#L2-L4):\n\n"
      "```cmake\nset(A 1)\n```\n");
  ASSERT_TRUE(from.has_value());
  EXPECT_EQ(from->path, "cmake/Profiler.cmake");
  EXPECT_EQ(from->repository, "gadget");
  EXPECT_EQ(from->lines.first, 2U);
  EXPECT_EQ(PathOf("As [here](https://github.com/ada/gadget/blob/main/a/b.cmake):\n\n"
                   "```cmake\nset(A 1)\n```\n"),
            "none")
      << "only points at it";
  EXPECT_EQ(
      PathOf("From [a page](https://example.org/), `a/b.cmake`:\n\n```cmake\nset(A 1)\n```\n"),
      "none");
}

TEST(PathInLink, TakesALinkApart) {
  const auto found =
      PathInLink("https://example.org/g/gadget/-/blob/v1.2/src/a.cc?plain=1#L10-L20");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->repository, "gadget");
  EXPECT_EQ(found->path, "src/a.cc");
  EXPECT_EQ(found->lines.first, 10U);
  EXPECT_EQ(found->lines.last, 20U);
}

TEST(PathInLink, IsNothingForOtherLinks) {
  for (const char* url : {"", "https://example.org/", "https://github.com/a/b/tree/main/src",
                          "https://github.com/a/b/blob/main", "/blob/", "docs/queue.md"}) {
    EXPECT_FALSE(PathInLink(url).has_value()) << url;
  }
}

TEST(PathInLink, ReadsAnyTextWithoutACrash) {
  EXPECT_TRUE(rc::check([] {
    const std::string url = *rc::gen::container<std::string>(
        rc::gen::element('/', 'b', 'l', 'o', '#', '?', 'L', '-', '1', '\xFF'));
    (void)PathInLink("x/blob/" + url);
    (void)PathInLink(url);
  }));
}

// What the judge says of each line or sentence.
std::vector<statement::Judgement> JudgedBlock(std::string_view text,
                                              StatementKind kind = StatementKind::kCode) {
  const Parsed parsed = Parse(text, kind);
  const auto from = AttributionOf(parsed.statements, parsed.at);
  EXPECT_TRUE(from.has_value()) << text;
  Topic topic;
  topic.names_source = {true, false};
  std::vector<statement::Judgement> judgements;
  if (!from) return judgements;
  for (JudgedQuote& one :
       JudgeAttributed(parsed.statements.all[parsed.at], *from, *QuotedSources(), topic)) {
    EXPECT_EQ(one.judgement.code, "quote/mismatch");
    judgements.push_back(std::move(one.judgement));
  }
  return judgements;
}

TEST(JudgeAttributed, LinesOfTheFileAreSupported) {
  const auto judged = JudgedBlock(
      "From `cmake/Profiler.cmake`:\n\n```cmake\nif(PROF_LIBRARY)\n  set(HAS_PROF ON)\n```\n");
  ASSERT_EQ(judged.size(), 2U);
  EXPECT_EQ(judged[0].verdict, Verdict::kSupported);
  EXPECT_EQ(judged[0].where, "gadget@0123abc cmake/Profiler.cmake:3");
  EXPECT_EQ(judged[0].kind, "attributed code");
}

TEST(JudgeAttributed, AnInventedLineIsAbsent) {
  const auto judged = JudgedBlock(
      "From `cmake/Profiler.cmake`:\n\n```cmake\nif(PROF_LIBRARY)\n  set(HAS_PROF OFF)\n```\n");
  ASSERT_EQ(judged.size(), 2U);
  EXPECT_EQ(judged[0].verdict, Verdict::kSupported);
  EXPECT_EQ(judged[1].verdict, Verdict::kAbsent);
  EXPECT_EQ(judged[1].text, "set(HAS_PROF OFF)");
}

TEST(JudgeAttributed, SaysWhereElseALineIs) {
  const auto judged = JudgedBlock("From `docs/queue.md`:\n\n> this whole sentence is only here\n",
                                  StatementKind::kQuote);
  ASSERT_EQ(judged.size(), 1U);
  EXPECT_EQ(judged[0].verdict, Verdict::kAbsent);
  EXPECT_EQ(judged[0].where, "other@0123abc unique.txt:1");
  EXPECT_NE(judged[0].message.find("other@0123abc"), std::string::npos);
}

TEST(JudgeAttributed, WhatIsLooseIsUndecidableAndNeverAbsent) {
  const auto judged = JudgedBlock(
      "Adapted from `cmake/Profiler.cmake`:\n\n```cmake\nif(PROF_LIBRARY)\n  set(X 7)\n```\n");
  ASSERT_EQ(judged.size(), 2U);
  EXPECT_EQ(judged[1].verdict, Verdict::kUndecidable);
}

TEST(JudgeAttributed, CommentsAndEllipsesAreNotLinesOfTheFile) {
  const auto judged = JudgedBlock(
      "From `cmake/Profiler.cmake`:\n\n```cmake\n# my own words\nif(PROF_LIBRARY)\n# ...\n"
      "endif()\n```\n");
  for (const statement::Judgement& one : judged) EXPECT_FALSE(one.Fails()) << one.text;
}

TEST(JudgeAttributed, CodeWithOtherLineEndsIsTheSame) {
  const auto judged = JudgedBlock(
      "From `cmake/Profiler.cmake`:\r\n\r\n```cmake\r\nif(PROF_LIBRARY)\r\n  set(HAS_PROF ON)\r\n"
      "```\r\n");
  ASSERT_FALSE(judged.empty());
  for (const statement::Judgement& one : judged) EXPECT_EQ(one.verdict, Verdict::kSupported);
}

TEST(JudgeAttributed, AFileThatIsNotPinnedDecidesNothing) {
  EXPECT_TRUE(JudgedBlock("From `csrc/nothing.cmake`:\n\n```cmake\nset(A 1)\n```\n").empty());
}

TEST(JudgeAttributed, ABlockInAnotherLanguageIsNoPieceOfTheFile) {
  EXPECT_TRUE(
      JudgedBlock("From `cmake/Profiler.cmake`:\n\n```sh\ncmake -DHAS_PROF=ON\n```\n").empty());
  EXPECT_TRUE(JudgedBlock("From `src/queue.py`:\n\n```cpp\nint push();\n```\n").empty());
}

TEST(JudgeAttributed, ANamedRepositoryMustBeTheSources) {
  EXPECT_TRUE(JudgedBlock("From [x](https://github.com/ada/elsewhere/blob/main/cmake/"
                          "Profiler.cmake):\n\n```cmake\nset(A 1)\n```\n")
                  .empty());
}

// Quotations inside a sentence.
std::vector<JudgedQuote> Quotations(const std::string& text) {
  const Parsed parsed = Parse(text, StatementKind::kSentence);
  Topic topic;
  topic.names_source = {true, false};
  return JudgeQuotations(parsed.statements.all[parsed.at], "", *QuotedSources(), topic);
}

TEST(JudgeQuotations, AreComparedWithTheFileThatIsNamed) {
  const auto held = Quotations("`docs/queue.md` says \"It drops the oldest entry first\".\n");
  ASSERT_EQ(held.size(), 1U);
  EXPECT_EQ(held[0].judgement.verdict, Verdict::kSupported);
  EXPECT_EQ(held[0].judgement.text, "It drops the oldest entry first");
  const auto false_one = Quotations("`docs/queue.md` says \"It drops the newest entry first\".\n");
  ASSERT_EQ(false_one.size(), 1U);
  EXPECT_EQ(false_one[0].judgement.verdict, Verdict::kAbsent);
}

TEST(JudgeQuotations, WithoutAFileNotFindingOneDecidesNothing) {
  EXPECT_EQ(Quotations("Somebody says \"It drops the oldest entry first\".\n")[0].judgement.verdict,
            Verdict::kSupported);
  EXPECT_EQ(Quotations("Somebody says \"nobody ever wrote this down\".\n")[0].judgement.verdict,
            Verdict::kUndecidable);
}

TEST(JudgeQuotations, ReadTypographicMarksToo) {
  const auto judged = Quotations("`docs/queue.md`: “It drops the oldest entry first”.\n");
  ASSERT_EQ(judged.size(), 1U);
  EXPECT_EQ(judged[0].judgement.verdict, Verdict::kSupported);
}

TEST(JudgeQuotations, LeaveScareQuotesAndCodeAlone) {
  EXPECT_TRUE(Quotations("The \"fast path\" is `echo \"one two three four\"` here.\n").empty());
  EXPECT_TRUE(Quotations("An open \"quotation that never ends at all.\n").empty());
}

TEST(JudgeQuotations, ALooseSentenceIsNotRefused) {
  const auto judged =
      Quotations("Modified from `docs/queue.md`: \"It drops the newest entry first\".\n");
  ASSERT_EQ(judged.size(), 1U);
  EXPECT_EQ(judged[0].judgement.verdict, Verdict::kUndecidable);
}

TEST(JudgeQuotations, BeyondALimitAreNotChecked) {
  std::string text = "Words";
  for (int i = 0; i < 600; ++i) text += " \"one two three four" + std::to_string(i) + "\"";
  const auto judged = Quotations(text + ".\n");
  ASSERT_EQ(judged.size(), 600U);
  EXPECT_EQ(judged.back().judgement.message, "not checked");
  EXPECT_EQ(judged.back().judgement.verdict, Verdict::kUndecidable);
}

TEST(UnfiledQuotations, AnAlteredSentenceIsContradictedWithTheNearest) {
  const auto judged = Quotations("The docs say: \"It drops the newest entry first\".\n");
  ASSERT_EQ(judged.size(), 1U);
  EXPECT_EQ(judged[0].judgement.verdict, Verdict::kContradicted);
  EXPECT_NE(judged[0].judgement.nearest.find("oldest"), std::string::npos);
}

TEST(UnfiledQuotations, AnInventedSentenceOfAPinnedProjectIsAbsent) {
  const auto judged = Quotations("The README warns: \"nobody ever wrote any of this down\".\n");
  ASSERT_EQ(judged.size(), 1U);
  EXPECT_EQ(judged[0].judgement.verdict, Verdict::kAbsent);
}

TEST(UnfiledQuotations, OfSomethingElseOrTooShortAreUndecidable) {
  for (const char* text : {"My colleague says: \"nobody ever wrote any of this down\".\n",
                           "The release notes say: \"nobody ever wrote any of this down\".\n",
                           "The docs say \"nobody wrote this ever\".\n"}) {
    const auto judged = Quotations(text);
    ASSERT_EQ(judged.size(), 1U) << text;
    EXPECT_EQ(judged[0].judgement.verdict, Verdict::kUndecidable) << text;
  }
}

TEST(UnfiledQuotations, OneThatHasAllButAFewWordsOfASourceIsAlteredWhoeverIsQuoted) {
  const auto judged = Quotations("It stops with \"timeout option should be strictly positive\".\n");
  ASSERT_EQ(judged.size(), 1U);
  EXPECT_EQ(judged[0].judgement.verdict, Verdict::kContradicted);
  EXPECT_EQ(judged[0].judgement.nearest, "timeout option should be non-negative");
  const auto same = Quotations("It stops with \"Timeout option should be non negative!\".\n");
  ASSERT_EQ(same.size(), 1U);
  EXPECT_EQ(same[0].judgement.verdict, Verdict::kSupported);
}

TEST(UnfiledQuotations, WordsThatAProgramFillsInAreNotAltered) {
  for (const char* text : {"It says \"the lid of this queue needs attention\".\n",
                           "A blog says \"timeout option should be strictly positive\".\n",
                           "It says \"this option should be set to something else here\".\n"}) {
    const auto judged = Quotations(text);
    ASSERT_EQ(judged.size(), 1U) << text;
    EXPECT_EQ(judged[0].judgement.verdict, Verdict::kUndecidable) << text;
  }
}

TEST(UnfiledQuotations, OfATextAboutNothingPinnedAreUndecidable) {
  const Parsed parsed = Parse("The README warns: \"nobody ever wrote any of this down\".\n",
                              StatementKind::kSentence);
  Topic topic;
  topic.names_source = {false, false};
  const auto judged =
      JudgeQuotations(parsed.statements.all[parsed.at], "", *QuotedSources(), topic);
  ASSERT_EQ(judged.size(), 1U);
  EXPECT_EQ(judged[0].judgement.verdict, Verdict::kUndecidable);
}

}  // namespace
}  // namespace sibyl::audit
