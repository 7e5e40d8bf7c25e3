// SPDX-License-Identifier: Apache-2.0
#include "gate/renew.h"

#include <gtest/gtest.h>

#include "gate/test_book.h"

namespace sibyl::gate {
namespace {

Renewal Renew(const TestBook& book, std::string text) {
  const CitationResolver resolver = book.Resolver();
  OraclePages oracle(book.oracle().oracle());
  std::vector<PageText> texts;
  texts.push_back({.path = "a/01-b.md", .name = "a/01-b.md", .text = std::move(text)});
  Pages pages = ReadPages(std::move(texts));
  ResolvePages(pages, {.resolver = resolver, .oracle = oracle});
  return RenewPage(*pages.front());
}

TEST(Renewal, TouchesNothingWhenNothingMoved) {
  const TestBook book;
  const std::string text = "A.[^1]\r\n\n" + book.Define("1", "README.md:3") + "tail without end";
  const Renewal renewal = Renew(book, text);
  EXPECT_EQ(renewal.text, text);
  EXPECT_TRUE(renewal.renewed.empty());
}

TEST(Renewal, MovesWhatWasFoundAgainAndLeavesTheRest) {
  const TestBook book;
  const std::string first = book.Define("1", "cmake/Profiler.cmake:3-5");
  const std::string old_pin = "gadget@" + first.substr(first.find("swh:1:rev:") + 10, 7);
  const std::string text = "# T\n\n> sibyl 0.1 · " + old_pin +
                           " · 3 of 3 citations hold\n\nA.[^1] B.[^2] C.[^3]\n\n## Sources\n" +
                           first + book.Define("2", "cmake/Profiler.cmake:1-2") +
                           book.Define("3", "README.md:3");
  book.git().Write("cmake/Profiler.cmake",
                   "include(Other)\n"
                   "find_library(PROF_LIBRARY NAMES prof\n"
                   "  PATHS ${TOOLKIT_ROOT}\n"
                   "  NO_DEFAULT_PATH)\n");
  const std::string commit = book.git().Commit();
  ASSERT_TRUE(evidence::SyncSource("gadget", book.around()).ok());

  const Renewal renewal = Renew(book, text);
  ASSERT_EQ(renewal.renewed.size(), 1U);
  EXPECT_EQ(renewal.renewed[0].how, evidence::Whereabouts::kMovedInFile);
  ASSERT_EQ(renewal.left.size(), 1U);
  EXPECT_EQ(renewal.left[0].label, "2");
  EXPECT_NE(renewal.text.find(book.Define("1", "cmake/Profiler.cmake:2-4")), std::string::npos)
      << renewal.text;
  EXPECT_NE(renewal.text.find(old_pin + ", gadget@" + commit.substr(0, 7)), std::string::npos)
      << "the stamp names both pins as long as both are cited";
  EXPECT_EQ(renewal.text.substr(renewal.text.find("[^2]: ")), text.substr(text.find("[^2]: ")));
  EXPECT_EQ(renewal.text.substr(0, 4), text.substr(0, 4));
  const Renewal again = Renew(book, renewal.text);
  EXPECT_EQ(again.text, renewal.text);
}

TEST(Renewal, KeepsWhatPeopleWroteIntoADefinition) {
  const TestBook book;
  const auto cited = evidence::MakeCitation("README.md:3", book.around());
  evidence::SourceCitation to = cited->citation;
  to.lines = {1, 1};
  const std::string line = "[^1]: the readme, see also page 4 <!-- mine --> <!--" +
                           evidence::FormatCitation(cited->citation) + "--> \n";
  EXPECT_EQ(RenewDefinition(line, cited->citation, to),
            "[^1]: the readme, see also page 4 <!-- mine --> <!--" + evidence::FormatCitation(to) +
                "--> \n");
}

TEST(Renewal, LeavesALineWithoutACommentAsItIs) {
  const TestBook book;
  const auto cited = evidence::MakeCitation("README.md:3", book.around());
  EXPECT_EQ(RenewDefinition("[^1]: only words\r\n", cited->citation, cited->citation),
            "[^1]: only words\r\n");
  EXPECT_EQ(RenewDefinition("", cited->citation, cited->citation), "");
}

TEST(Renewal, OfAPageWithoutReceiptsIsThePage) {
  const TestBook book;
  for (const char* text : {"", "no end", "# T\r\n\r\nWords.\r\n"}) {
    const Renewal renewal = Renew(book, text);
    EXPECT_EQ(renewal.text, text);
    EXPECT_TRUE(renewal.renewed.empty());
    EXPECT_TRUE(renewal.left.empty());
  }
}

TEST(Renewal, LeavesWhatIsGoneWithItsReason) {
  const TestBook book;
  const std::string text = "A.[^1]\n\n" + book.Define("1", "cmake/Profiler.cmake:6-7");
  book.git().Write("cmake/Profiler.cmake", "# Another file altogether\n");
  book.git().Commit();
  ASSERT_TRUE(evidence::SyncSource("gadget", book.around()).ok());
  const Renewal renewal = Renew(book, text);
  EXPECT_EQ(renewal.text, text);
  ASSERT_EQ(renewal.left.size(), 1U);
  EXPECT_EQ(renewal.left[0].line, 3U);
  EXPECT_FALSE(renewal.left[0].why.empty());
}

}  // namespace
}  // namespace sibyl::gate
