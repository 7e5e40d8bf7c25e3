// SPDX-License-Identifier: Apache-2.0
#include "gate/citations.h"

#include <gtest/gtest.h>

#include "gate/cited/cited_quotes.h"
#include "gate/test_book.h"
#include "gate/uncited.h"

namespace sibyl::gate {
namespace {

using Strings = std::vector<std::string>;

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(Citations, ResolveToTheSameBytes) {
  const TestBook book;
  const TestFile file(book, "Optional.[^1] Found below the toolkit.[^2]\n\n" +
                                book.Define("1", "README.md:3") +
                                book.Define("2", "cmake/Profiler.cmake:1-2"));
  const auto judgements = JudgeReceipts(file.cited());
  ASSERT_EQ(judgements.size(), 2U);
  EXPECT_EQ(judgements[0].verdict, statement::Verdict::kSupported) << judgements[0].message;
  EXPECT_EQ(judgements[1].verdict, statement::Verdict::kSupported);
  EXPECT_EQ(file.receipts().at("1").Span(), "The profiler is optional.\n");
  EXPECT_TRUE(judgements[1].where.ends_with("cmake/Profiler.cmake:1-2")) << judgements[1].where;
}

TEST(Citations, DoNotResolveWhenAnythingIsMadeUp) {
  const TestBook book;
  const std::string good = book.Define("1", "README.md:3");
  const auto blob = good.substr(good.find("swh:1:cnt:") + 10, 40);
  const auto commit = good.substr(good.find("swh:1:rev:") + 10, 40);
  const Strings texts = {
      Replaced(good, "cnt:" + blob, "cnt:" + std::string(40, 'a')),
      Replaced(good, ";lines=3", ";lines=3-400"),
      Replaced(good, ";path=/README.md", ";path=/cmake/Profiler.cmake"),
      Replaced(good, ";path=/README.md", ";path=/nowhere.md"),
      Replaced(good, ";lines=3", ";lines=x"),
      "[^1]: somewhere in the code\n",
  };
  for (const std::string& text : texts) {
    const TestFile file(book, "Optional.[^1]\n\n" + text);
    EXPECT_EQ(Failures(JudgeReceipts(file.cited())), Strings{"3 cite/unresolved absent"}) << text;
  }
  const TestFile elsewhere(
      book, "Optional.[^1]\n\n" + Replaced(good, "rev:" + commit, "rev:" + std::string(40, 'b')));
  EXPECT_TRUE(Failures(JudgeReceipts(elsewhere.cited())).empty())
      << "the hash decides where the store has not the commit";
}

TEST(Citations, AreNotDecidableWithoutTheStore) {
  const TestBook book;
  const std::string text = "Optional.[^1]\n\n" + book.Define("1", "README.md:3");
  std::filesystem::remove_all(book.around().store.folder());
  const TestFile file(book, text);
  const auto judgements = JudgeReceipts(file.cited());
  ASSERT_EQ(judgements.size(), 1U);
  EXPECT_EQ(judgements[0].verdict, statement::Verdict::kUndecidable) << judgements[0].message;
}

TEST(Citations, WithoutADefinitionAreFoundWhereTheyStand) {
  const TestBook book;
  const TestFile file(book, "One,\nand two.[^nine] `a[^b]` is code.\n");
  const auto judgements = JudgeReceipts(file.cited());
  ASSERT_EQ(judgements.size(), 1U);
  EXPECT_EQ(judgements[0].text, "[^nine]");
  EXPECT_EQ(judgements[0].place.line, 2U);
  EXPECT_EQ(judgements[0].place.column, 9U);
}

TEST(Citations, BecomeStaleWhenTheSourceMovesAndSayWhereTheLinesWent) {
  const TestBook book;
  const std::string text = "A.[^1] B.[^2] C.[^3]\n\n" + book.Define("1", "README.md:3") +
                           book.Define("2", "cmake/Profiler.cmake:3-5") +
                           book.Define("3", "cmake/Profiler.cmake:1-2");
  book.git().Write("cmake/Profiler.cmake",
                   "include(Other)\n"
                   "find_library(PROF_LIBRARY NAMES prof\n"
                   "  PATHS ${TOOLKIT_ROOT}\n"
                   "  NO_DEFAULT_PATH)\n");
  book.git().Commit();
  ASSERT_TRUE(evidence::SyncSource("gadget", book.around()).ok());
  const TestFile file(book, text);
  const auto judgements = JudgeReceipts(file.cited());
  EXPECT_EQ(Failures(judgements), (Strings{"4 cite/stale stale", "5 cite/stale stale"}));
  EXPECT_TRUE(judgements[1].nearest.ends_with("cmake/Profiler.cmake:2-4")) << judgements[1].nearest;
  EXPECT_EQ(judgements[2].message, "the cited lines are no longer in the source");
}

TEST(Uncited, StatementsAreFoundAndWhatSaysNothingIsLeftAlone) {
  const TestBook book;
  const TestFile file(
      book,
      "# How it is found\n\n"
      "> sibyl 0.1 · 2026-11-15 · gadget@4f2a91c · 1 of 1 citations hold\n\n"
      "**In short.** It is optional.[^1] It runs twice as fast.\n\n"
      "| planned | covered by |\n| --- | --- |\n| Order | 1.1 |\n\n"
      "## 1. Detection\n"
      "The file says:\n\n"
      "> The profiler is optional.[^1]\n\n"
      "- [other file](other.md)\n"
      "- found by magic in all cases\n\n"
      "| name | default |\n| --- | --- |\n| `A` | ON[^1] |\n| `B` | OFF |\n\n"
      "```cmake\nset(X 1)\n```\n\n"
      "Reading order: to understand, [1](#1); to see it in code, [2](#2); to look up, [3](#3).\n\n"
      "See also: [x](y.md) (what is known there).\n\n"
      "## Not found\n- *Windows*: no passage was found anywhere.\n\n"
      "## Sources\n" +
          book.Define("1", "README.md:3"));
  EXPECT_EQ(Failures(FindUncited(file.cited())),
            (Strings{"5 cite/missing absent", "17 cite/missing absent", "22 cite/missing absent",
                     "24 cite/missing absent"}));
  const CitationCover cover = CountCited(file.cited());
  EXPECT_EQ(cover.needed, 7U);
  EXPECT_EQ(cover.cited, 3U);
}

TEST(CitedQuotes, AreComparedWithTheCitedLines) {
  const TestBook book;
  const std::string notes = "\n" + book.Define("1", "cmake/Profiler.cmake:1-2") +
                            book.Define("2", "cmake/Profiler.cmake:3-5") +
                            book.Define("3", "README.md:3");
  const TestFile good(book,
                      "> Looks for the profiler below the toolkit before it asks the system.[^1]\n"
                      "\n```cmake\n# gadget cmake/Profiler.cmake:3-5\n"
                      "find_library(PROF_LIBRARY NAMES prof\n  PATHS ${TOOLKIT_ROOT}\n"
                      "  NO_DEFAULT_PATH)\n```\n[^2]\n\n"
                      "It says “The profiler is optional.”[^3]\n" +
                          notes);
  const auto holds = JudgeQuotes(good.cited());
  EXPECT_EQ(holds.size(), 3U);
  EXPECT_TRUE(Failures(holds).empty()) << holds[0].message;

  const TestFile bad(book,
                     "> Looks for the profiler above the toolkit.[^1]\n"
                     "\n```cmake\nfind_library(PROF_LIBRARY NAMES prof\n  HINTS /opt\n"
                     "  NO_DEFAULT_PATH)\n```\n[^2]\n\n"
                     "> before it asks the system.[^2]\n\n"
                     "```cmake example\nfind_library(MINE NAMES mine)\n```\n[^2]\n" +
                         notes);
  const auto fails = JudgeQuotes(bad.cited());
  ASSERT_EQ(fails.size(), 3U);
  EXPECT_EQ(fails[0].verdict, statement::Verdict::kAbsent);
  EXPECT_NE(fails[0].nearest.find("Looks for the profiler below"), std::string::npos);
  EXPECT_EQ(fails[1].verdict, statement::Verdict::kContradicted);
  EXPECT_NE(fails[1].message.find("line 2 is not"), std::string::npos) << fails[1].message;
  EXPECT_EQ(fails[1].place.line, 5U);
  EXPECT_EQ(fails[1].text, "HINTS /opt");
  EXPECT_EQ(fails[2].message, "it is not in the cited lines, but on line 2 of the file");
}

}  // namespace
}  // namespace sibyl::gate
