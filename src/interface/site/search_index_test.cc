// SPDX-License-Identifier: Apache-2.0
#include "interface/site/search_index.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "base/utf8.h"

namespace sibyl::interface {
namespace {

using Terms = std::vector<std::string>;

Json Parsed(const std::string& script) {
  constexpr std::string_view kCall = "sibylIndex(";
  EXPECT_TRUE(script.starts_with(kCall));
  EXPECT_TRUE(script.ends_with(");\n"));
  const Result<Json> json =
      ParseJson(std::string_view(script).substr(kCall.size(), script.size() - kCall.size() - 3));
  EXPECT_TRUE(json.ok());
  return json.ok() ? *json : Json();
}

TEST(SearchIndex, TermsAreWordsAndThePartsOfNames) {
  EXPECT_EQ(SearchTerms("The cudaMemcpyAsync call"),
            (Terms{"the", "cudamemcpyasync", "cuda", "memcpy", "async", "call"}));
  EXPECT_EQ(SearchTerms("CMAKE_CUDA_FLAGS"), (Terms{"cmake_cuda_flags", "cmake", "cuda", "flags"}));
  EXPECT_EQ(SearchTerms("HTMLPage"), (Terms{"htmlpage", "html", "page"}));
  EXPECT_EQ(SearchTerms("__init__"), (Terms{"init"}));
}

TEST(SearchIndex, PunctuationOfAnyScriptSeparatesWords) {
  EXPECT_EQ(SearchTerms("eins–zwei · “drei”…"), (Terms{"eins", "zwei", "drei"}));
  EXPECT_EQ(SearchTerms("größe"), (Terms{"größe"}));
}

TEST(SearchIndex, SingleLettersDataAndBrokenBytesAreNoTerms) {
  EXPECT_TRUE(SearchTerms("a b c _ ___").empty());
  EXPECT_TRUE(SearchTerms(std::string(200, 'x')).empty());
  EXPECT_EQ(SearchTerms("ab\xff\xfe"
                        "cd"),
            (Terms{"ab", "cd"}));
}

TEST(SearchIndex, ListsPagesSectionsTermsAndPostings) {
  const std::vector<IndexedPage> pages = {
      {.href = "page/a.html",
       .title = "Streams",
       .topic = "cuda",
       .sections = {{.heading = "Streams", .text = "A queue of work. Queue."},
                    {.anchor = "queues", .heading = "Queues", .text = "More of the queue."}}}};
  const Json index = Parsed(SearchIndexScript(pages));
  EXPECT_EQ(index["pages"], Json::parse(R"([["page/a.html","Streams","cuda"]])"));
  EXPECT_EQ(index["sections"][1], Json::parse(R"([0,"queues","Queues","More of the queue."])"));
  EXPECT_EQ(index["terms"], "0more 0of 0queue 5s 0streams 0the 0work");
  EXPECT_EQ(index["postings"], "1;0,1;0:2,1;1:4;0:8;1;0");
}

// Issue 22: a log of reviews crowded the results.
TEST(SearchIndex, APageThatCitesNothingSaysSo) {
  const Json index = Parsed(SearchIndexScript(
      {{.href = "page/a.html", .title = "A", .is_cited = false, .sections = {}}}));
  EXPECT_EQ(index["pages"], Json::parse(R"([["page/a.html","A","",1]])"));
}

TEST(SearchIndex, TheSamePagesGiveTheSameBytes) {
  const std::vector<IndexedPage> pages = {
      {.href = "a.html", .title = "T", .sections = {{.text = "zeta alpha beta"}}}};
  EXPECT_EQ(SearchIndexScript(pages), SearchIndexScript(pages));
}

TEST(SearchIndex, ASnippetIsOneLineCutBetweenWords) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "größer\n\n ";
  const Json index =
      Parsed(SearchIndexScript({{.href = "a", .title = "t", .sections = {{.text = text}}}}));
  const std::string snippet = index["sections"][0][3];
  EXPECT_TRUE(snippet.starts_with("größer größer "));
  EXPECT_TRUE(snippet.ends_with("größer…"));
  EXPECT_LT(snippet.size(), 190U);
}

TEST(SearchIndex, BrokenBytesBecomeValidText) {
  const std::string script = SearchIndexScript(
      {{.href = "a", .title = "t\xff", .sections = {{.heading = "\xc3", .text = "x\xe2\x82"}}}});
  EXPECT_EQ(FindInvalidUtf8(script), std::nullopt);
  EXPECT_FALSE(Parsed(script).is_null());
}

TEST(PageSections, ASectionHasItsHeadingItsAnchorAndItsText) {
  const auto sections = SectionsOf(
      "---\nname: x\n---\n# Title\n\nIntro `code`.\n\n## Part one\n\n| a | b |\n| --- | --- |\n"
      "| c | d |\n\n```\nint x;\n```\n<p>html</p>\n\n## Part one\n\nAgain.[^1]\n\n[^1]: Note.\n");
  ASSERT_TRUE(sections.ok());
  ASSERT_EQ(sections->size(), 3U);
  EXPECT_EQ((*sections)[0].heading, "Title");
  EXPECT_EQ((*sections)[0].anchor, "");
  EXPECT_EQ((*sections)[0].text, "Intro code.");
  EXPECT_EQ((*sections)[1].anchor, "part-one");
  EXPECT_EQ((*sections)[1].text, "a b c d int x;");
  EXPECT_EQ((*sections)[2].anchor, "part-one-1");
  EXPECT_EQ((*sections)[2].text, "Again.");
}

TEST(PageSections, APageMayHaveNoTitleAndNoText) {
  ASSERT_EQ(SectionsOf("")->size(), 1U);
  const auto sections = SectionsOf("Text first.\n\n# Then a heading\n");
  ASSERT_EQ(sections->size(), 2U);
  EXPECT_EQ((*sections)[0].text, "Text first.");
  EXPECT_EQ((*sections)[1].anchor, "then-a-heading");
}

}  // namespace
}  // namespace sibyl::interface
