// SPDX-License-Identifier: Apache-2.0
#include "gate/knowledge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gate/source_search.h"
#include "gate/test_book.h"

namespace sibyl::gate {
namespace {

using statement::Verdict;

const TestBook& Library() {
  static const TestBook* const kLibrary = new TestBook();
  return *kLibrary;
}

PageText TextAt(std::string path, std::string text) {
  return {.path = path, .name = "shown/" + path, .text = std::move(text)};
}

Pages ReadOne(std::string path, std::string text) {
  std::vector<PageText> texts;
  texts.push_back(TextAt(std::move(path), std::move(text)));
  return ReadPages(std::move(texts), 1);
}

std::vector<statement::Judgement> JudgeOne(std::string path, std::string text) {
  const CitationResolver resolver = Library().Resolver();
  OraclePages oracle(Library().oracle().oracle());
  const PageChecks checks{.resolver = resolver, .oracle = oracle, .threads = 1};
  Pages pages = ReadOne(std::move(path), std::move(text));
  ResolvePages(pages, checks);
  return JudgePages(pages, checks).at(0);
}

bool HasCode(const std::vector<statement::Judgement>& judgements, std::string_view code) {
  return std::any_of(judgements.begin(), judgements.end(),
                     [&](const statement::Judgement& one) { return one.code == code; });
}

TEST(PageTest, IsKnowledgeByItsNumberOrItsReceipts) {
  EXPECT_TRUE(ReadOne("cuda/01-a.md", "Words.\n")[0]->IsKnowledge());
  EXPECT_FALSE(ReadOne("notes.md", "Words.\n")[0]->IsKnowledge());
  EXPECT_TRUE(ReadOne("notes.md", "Words.[^1]\n\n" + Library().Define("1", "README.md:3"))[0]
                  ->IsKnowledge());
  EXPECT_FALSE(
      ReadOne("notes.md", "Words.[^1]\n\n[^1]: a footnote of a person\n")[0]->IsKnowledge());
  EXPECT_FALSE(ReadOne("cuda/INDEX.md", "Words.[^1]\n\n" + Library().Define("1", "README.md:3"))[0]
                   ->IsKnowledge());
}

TEST(PageTest, CountsTheDefinitionsThatAreUsed) {
  EXPECT_EQ(
      ReadOne("a.md", "A.[^1] B.[^1] C.[^2]\n\n[^1]: x\n[^2]: y\n[^3]: z\n")[0]->CountCitations(),
      2U);
}

TEST(ReadPagesTest, KeepsTheOrderWithAnyNumberOfThreads) {
  for (const std::size_t threads : {0U, 1U, 3U}) {
    std::vector<PageText> texts;
    for (int i = 0; i < 20; ++i) {
      texts.push_back(TextAt(std::to_string(i) + ".md", "# Page " + std::to_string(i) + "\n"));
    }
    const Pages pages = ReadPages(std::move(texts), threads);
    ASSERT_EQ(pages.size(), 20U);
    for (std::size_t i = 0; i < pages.size(); ++i) {
      EXPECT_EQ(pages[i]->source.path, std::to_string(i) + ".md");
      EXPECT_EQ(pages[i]->statements.all.at(0).text, "Page " + std::to_string(i));
    }
  }
  EXPECT_TRUE(ReadPages({}).empty());
}

TEST(JudgePageTest, AsksAPageOfPeopleOnlyForWhatItClaims) {
  const auto judged = JudgeOne("notes.md", "The queue holds 64 entries. See [x](none.md).\n");
  EXPECT_FALSE(HasCode(judged, "cite/missing"));
  EXPECT_TRUE(HasCode(judged, "link/broken"));
}

TEST(JudgePageTest, AsksAKnowledgeFileForReceiptsAndForm) {
  const auto judged =
      JudgeOne("cuda/01-a.md", "# T\n\n> sibyl 0.1 · 3 of 3 citations hold\n\nIt is long.\n");
  EXPECT_TRUE(HasCode(judged, "cite/missing"));
  EXPECT_TRUE(HasCode(judged, "struct/stamp"));
}

// A page that the gate had let through failed: its stamp counted a sentence without a mark.
TEST(JudgePageTest, ItsStampCountsSentencesThatShareAMark) {
  TestBook book;
  book.git().Write("pool.h",
                   "// The pool keeps free blocks in a list, sorted by their size.\n"
                   "// A block is split when it is larger than the request.\n");
  book.git().Commit();
  ASSERT_TRUE(evidence::SyncSource("gadget", book.around()).ok());
  const auto judge = [&](const std::string& counted) {
    const CitationResolver resolver = book.Resolver();
    OraclePages oracle(book.oracle().oracle());
    const PageChecks checks{.resolver = resolver, .oracle = oracle, .threads = 1};
    Pages pages = ReadOne("cuda/01-a.md",
                          "# T\n\n> sibyl 0.1 · 1 of 1 citations hold · " + counted +
                              " statements grounded\n\n## The pool\n\n"
                              "To find one quickly, the pool keeps free blocks in a sorted list. "
                              "A block is split when it is larger than the request.[^1]\n\n"
                              "## Sources\n\n" +
                              book.Define("1", "pool.h:1-2"));
    ResolvePages(pages, checks);
    std::vector<std::string> failing;
    const auto judged = JudgePages(pages, checks);
    for (const statement::Judgement& one : judged.at(0)) {
      if (one.Fails()) failing.push_back(one.code);
    }
    return failing;
  };
  EXPECT_EQ(judge("2 of 2"), std::vector<std::string>{});
  EXPECT_EQ(judge("3 of 3"), std::vector<std::string>{"struct/stamp"});
}

TEST(JudgePageTest, WithoutTheSourcesTheFormIsJudged) {
  const TestBook book;
  const std::string text =
      "# T\n\n> sibyl 0.1 · 1 of 1 citations hold · 1 of 1 statements grounded\n\n"
      "It is long.\n\nThe gadget is small.[^1] See [x](none.md).\n\n## Sources\n\n" +
      book.Define("1", "README.md:3");
  std::filesystem::remove_all(book.around().store.folder());
  const CitationResolver resolver = book.Resolver();
  OraclePages oracle(book.oracle().oracle());
  const PageChecks checks{.resolver = resolver, .oracle = oracle, .threads = 1};
  Pages pages = ReadOne("cuda/01-a.md", text);
  ResolvePages(pages, checks);
  std::vector<std::string> failing;
  const auto judged = JudgePages(pages, checks);
  for (const statement::Judgement& one : judged.at(0)) {
    if (one.Fails()) failing.push_back(one.code);
  }
  EXPECT_EQ(failing, std::vector<std::string>{"link/broken"});
}

// A row may cite two sources, one of which needs a toolkit that this machine does not have.
TEST(JudgePageTest, WhatAMissingCitationMayCarryIsNotRefused) {
  const std::string text =
      "# T\n\n## Libraries\n\n"
      "The profiler is optional, and `libk_bytes` is 4096.[^1][^2]\n\n"
      "`USE_NOTHING` is optional.[^1]\n\n## Sources\n\n" +
      Library().Define("1", "README.md:3") +
      "[^2]: libk.so <!-- fact:sha256:" + std::string(64, 'a') + ";inspector=cuda;key=bytes -->\n";
  const CitationResolver resolver = Library().Resolver();
  OraclePages oracle(Library().oracle().oracle());
  const PageChecks checks{.resolver = resolver,
                          .oracle = oracle,
                          .other =
                              [](const evidence::Citation&) {
                                return OtherAnswer{.verdict = Verdict::kUndecidable,
                                                   .message = "the artifact is not here"};
                              },
                          .threads = 1};
  Pages pages = ReadOne("cuda/01-a.md", text);
  ResolvePages(pages, checks);
  std::vector<std::string> failing;
  const auto judged = JudgePages(pages, checks);
  for (const statement::Judgement& one : judged.at(0)) {
    if (one.Fails()) failing.push_back(one.code + " " + one.text);
  }
  EXPECT_EQ(failing, std::vector<std::string>{"ident/unknown USE_NOTHING"});
}

TEST(JudgePageTest, WithoutTheArtifactsTheFormIsJudged) {
  const std::string text =
      "# T\n\n> sibyl 0.1 · 1 of 1 citations hold · 1 of 1 statements grounded\n\n"
      "## Libraries\n\nBytes of each library:\n\n| library | bytes |\n| --- | --- |\n"
      "| libk.so | 4096[^1] |\n\nSee [x](none.md).\n\n## Sources\n\n"
      "[^1]: libk.so <!-- fact:sha256:" +
      std::string(64, 'a') + ";inspector=cuda;key=bytes -->\n";
  const CitationResolver resolver = Library().Resolver();
  OraclePages oracle(Library().oracle().oracle());
  const auto failing_with = [&](Verdict verdict) {
    const PageChecks checks{.resolver = resolver,
                            .oracle = oracle,
                            .other =
                                [verdict](const evidence::Citation&) {
                                  return OtherAnswer{.verdict = verdict,
                                                     .message = "the artifact is not here"};
                                },
                            .threads = 1};
    Pages pages = ReadOne("cuda/01-a.md", text);
    ResolvePages(pages, checks);
    std::vector<std::string> failing;
    const auto judged = JudgePages(pages, checks);
    for (const statement::Judgement& one : judged.at(0)) {
      if (one.Fails()) failing.push_back(one.code);
    }
    return failing;
  };
  EXPECT_EQ(failing_with(Verdict::kUndecidable), std::vector<std::string>{"link/broken"});
  EXPECT_GT(failing_with(Verdict::kAbsent).size(), 1U);
}

TEST(JudgePageTest, AnswersInTheOrderOfLinesAndWithTheShownName) {
  const auto judged =
      JudgeOne("cuda/01-a.md",
               "# T\n\nIt is long. See [x](none.md).\n\n```json\n{]\n```\n\n`NO_SUCH` is "
               "set.[^1]\n\n## Sources\n" +
                   Library().Define("1", "README.md:3"));
  EXPECT_TRUE(std::is_sorted(judged.begin(), judged.end(), [](const auto& a, const auto& b) {
    return a.place.line < b.place.line;
  }));
  for (const statement::Judgement& one : judged) EXPECT_EQ(one.place.file, "shown/cuda/01-a.md");
  for (const char* code : {"cite/missing", "link/broken", "code/broken", "ident/unknown"}) {
    EXPECT_TRUE(HasCode(judged, code)) << code;
  }
}

TEST(JudgePageTest, APageLinksToThoseThatAreJudgedWithIt) {
  const CitationResolver resolver = Library().Resolver();
  OraclePages oracle(Library().oracle().oracle());
  const PageChecks checks{.resolver = resolver, .oracle = oracle};
  std::vector<PageText> texts;
  texts.push_back(TextAt("cuda/notes.md", "See [b](../hip/b.md#the-b).\n"));
  texts.push_back(TextAt("hip/b.md", "# The B\n"));
  Pages pages = ReadPages(std::move(texts));
  ResolvePages(pages, checks);
  const auto judged = JudgePages(pages, checks);
  ASSERT_EQ(judged.size(), 2U);
  EXPECT_EQ(Failures(judged[0]), std::vector<std::string>{});
}

TEST(JudgePageTest, AnEmptyPageHasNothingToJudge) {
  EXPECT_TRUE(JudgeOne("cuda/01-a.md", "").empty());
  EXPECT_TRUE(JudgeOne("cuda/01-a.md", "\r\n\r\n").empty());
}

// What the cited file does not have, and another file of the source may.

statement::Judgement AbsentText(std::string text, std::string source = "gadget") {
  return {.verdict = Verdict::kAbsent,
          .code = "ident/unknown",
          .text = std::move(text),
          .message = "it is not there",
          .source = std::move(source)};
}

void Look(std::vector<statement::Judgement>& judgements, std::size_t limit = 64) {
  std::vector<statement::Judgement*> pointers;
  for (statement::Judgement& judgement : judgements) pointers.push_back(&judgement);
  SearchSources(pointers, Library().Resolver(), limit);
}

TEST(SourceSearch, SaysWhichFileOfTheSourceHasIt) {
  std::vector<statement::Judgement> judgements = {AbsentText("NO_DEFAULT_PATH")};
  Look(judgements);
  EXPECT_EQ(judgements[0].nearest, "cmake/Profiler.cmake:5");
  EXPECT_EQ(judgements[0].message, "it is not there; it is in cmake/Profiler.cmake of gadget");
}

TEST(SourceSearch, SaysThatNothingHasIt) {
  std::vector<statement::Judgement> judgements = {AbsentText("NO_SUCH_NAME")};
  Look(judgements);
  EXPECT_EQ(judgements[0].nearest, "");
  EXPECT_EQ(judgements[0].reason, "it is nowhere in gadget");
}

TEST(SourceSearch, LooksForWholeWordsAndCutTextsToo) {
  std::vector<statement::Judgement> judgements = {AbsentText("DEFAULT_PATH"),
                                                  AbsentText("The profiler is opt…"),
                                                  AbsentText("The profiler is…")};
  Look(judgements);
  EXPECT_EQ(judgements[0].nearest, "") << "a word goes on before it";
  EXPECT_EQ(judgements[1].nearest, "") << "a word goes on after it";
  EXPECT_EQ(judgements[2].nearest, "README.md:3");
}

TEST(SourceSearch, LeavesTheRestAlone) {
  std::vector<statement::Judgement> judgements = {AbsentText("NO_DEFAULT_PATH", ""),
                                                  AbsentText("NO_DEFAULT_PATH", "unknown"),
                                                  AbsentText("if("), AbsentText("NO_DEFAULT_PATH")};
  judgements[3].verdict = Verdict::kContradicted;
  Look(judgements);
  for (const statement::Judgement& judgement : judgements) {
    EXPECT_EQ(judgement.nearest, "");
    EXPECT_EQ(judgement.message, "it is not there");
  }
}

TEST(SourceSearch, LooksForNoMoreThanTheLimit) {
  std::vector<statement::Judgement> judgements = {AbsentText("NO_DEFAULT_PATH"),
                                                  AbsentText("PROF_LIBRARY")};
  Look(judgements, 1);
  EXPECT_NE(judgements[0].nearest, "");
  EXPECT_EQ(judgements[1].nearest, "");
  Look(judgements, 0);
  EXPECT_EQ(judgements[1].nearest, "");
}

}  // namespace
}  // namespace sibyl::gate
