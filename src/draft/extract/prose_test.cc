// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/prose.h"

#include <gtest/gtest.h>

namespace sibyl::draft {
namespace {

std::vector<std::string> Texts(std::string_view language, std::string_view text) {
  std::vector<std::string> texts;
  for (const Sentence& sentence : ReadSentences(language, text)) texts.push_back(sentence.text);
  return texts;
}

using Strings = std::vector<std::string>;

TEST(Sentences, AreReadOutOfComments) {
  const auto sentences = ReadSentences("c++",
                                       "// Copies the tile into shared memory. It waits for\n"
                                       "// all earlier copies of the group.\n"
                                       "void CopyTile(int* to);  // not this\n"
                                       "/**\n"
                                       " * \\brief Frees the tile when nobody reads it.\n"
                                       " */\n");
  ASSERT_EQ(sentences.size(), 3U);
  EXPECT_EQ(sentences[0].text, "Copies the tile into shared memory.");
  EXPECT_EQ(sentences[1].text, "It waits for all earlier copies of the group.");
  EXPECT_EQ(sentences[1].first_line, 1U);
  EXPECT_EQ(sentences[1].last_line, 2U);
  EXPECT_EQ(sentences[1].number, 1U);
  EXPECT_EQ(sentences[2].text, "Frees the tile when nobody reads it.");
  EXPECT_EQ(sentences[2].first_line, 5U);
}

TEST(Sentences, ThatBeganBeforeThePassageAreReadFromItsFirstLine) {
  EXPECT_EQ(Texts("cuda", " * The stream waits for the event.\n */\nvoid Wait();\n"),
            (Strings{"The stream waits for the event."}));
}

TEST(Sentences, AreReadOutOfDocstringsButNotOutOfTexts) {
  EXPECT_EQ(Texts("python",
                  "def load(name):\n"
                  "    \"\"\"Builds the extension and loads it into the process.\"\"\"\n"
                  "    source = \"\"\"\n"
                  "    This text is data and not a docstring.\n"
                  "    \"\"\"\n"
                  "    # The lock keeps other processes out.\n"),
            (Strings{"Builds the extension and loads it into the process.",
                     "The lock keeps other processes out."}));
}

TEST(Sentences, OfModulesStandInBracketComments) {
  EXPECT_EQ(
      Texts("cmake",
            "#[=======================================================================[.rst:\n"
            "FindProf\n"
            "--------\n"
            "\n"
            "This module finds the profiler of the toolkit.\n"
            "#]=======================================================================]\n"
            "find_library(PROF prof)\n"),
      (Strings{"This module finds the profiler of the toolkit."}));
}

TEST(Sentences, AreNotLicencesCodeTablesOrNames) {
  EXPECT_TRUE(
      Texts("c++", "// Copyright (c) 2026 by somebody, all rights reserved here.\n").empty());
  EXPECT_TRUE(Texts("c++", "// foo = bar(x); if (y) { return z; }\n").empty());
  EXPECT_TRUE(Texts("markdown", "| a table | with many words in it |\n").empty());
  EXPECT_TRUE(Texts("markdown", "```\nThis is inside of a fence here.\n```\n").empty());
  EXPECT_TRUE(
      Texts("markdown", "````\n```\nThis is inside of both fences here.\n```\n````\n").empty());
  EXPECT_TRUE(Texts("rst", ".. note:: This directive is no sentence here.\n").empty());
  EXPECT_TRUE(Texts("python", "# too short\n").empty());
}

TEST(Sentences, DoNotEndAtAbbreviations) {
  EXPECT_EQ(Texts("markdown", "Use a runtime image, e.g. CUDA's smallest one, in production.\n"),
            (Strings{"Use a runtime image, e.g. CUDA's smallest one, in production."}));
}

TEST(Fences, KnowTheirLinesAndLanguage) {
  const auto fences =
      ReadFences("markdown", "Text\n```bash -e\nmake\nmake test\n```\n```one line```\n");
  ASSERT_EQ(fences.size(), 1U);
  EXPECT_EQ(fences[0].language, "bash");
  EXPECT_EQ(fences[0].first_line, 3U);
  EXPECT_EQ(fences[0].last_line, 4U);
}

TEST(Fences, InsideAnotherAreItsCode) {
  const auto fences = ReadFences("markdown",
                                 "1. Text\n\n    ~~~~ md\n    ```sh\n    make\n    ```\n    ~~~~\n"
                                 "```\nmake test\n````\n");
  ASSERT_EQ(fences.size(), 2U);
  EXPECT_EQ(fences[0].language, "md");
  EXPECT_EQ(fences[0].first_line, 4U);
  EXPECT_EQ(fences[0].last_line, 6U);
  EXPECT_EQ(fences[1].first_line, 9U);
}

TEST(Fences, AreThoseOfMarkdownThatAreClosed) {
  EXPECT_TRUE(ReadFences("rst", "```\ncode\n```\n").empty());
  EXPECT_TRUE(ReadFences("markdown", "```sh\nmake\n").empty());
  EXPECT_TRUE(ReadFences("markdown", "```sh\n```\n").empty()) << "nothing in it";
  const auto fences = ReadFences("markdown", "  ```{code-block} python\n  x = 1\n  ```\n");
  ASSERT_EQ(fences.size(), 1U);
  EXPECT_EQ(fences[0].first_line, 2U);
}

TEST(Sentences, KnowTheirPlaceInTheParagraph) {
  const auto sentences = ReadSentences("markdown",
                                       "The first sentence is about the cache.\n"
                                       "X.\n"
                                       "The third sentence is about the loader.\n\n"
                                       "The next paragraph begins with this one.\n");
  ASSERT_EQ(sentences.size(), 3U);
  EXPECT_EQ(sentences[0].number, 0U);
  EXPECT_EQ(sentences[1].number, 2U) << "what is left out is counted";
  EXPECT_EQ(sentences[1].first_line, 3U);
  EXPECT_EQ(sentences[0].paragraph, sentences[1].paragraph);
  EXPECT_NE(sentences[1].paragraph, sentences[2].paragraph);
  EXPECT_EQ(sentences[2].number, 0U);
}

TEST(Sentences, ItemsOfAListAreParagraphs) {
  const auto sentences = ReadSentences("markdown",
                                       "- The first item is about the cache.\n"
                                       "- The second item is about the loader\n  of all kernels.\n"
                                       "3. The third item is about the driver.\n");
  ASSERT_EQ(sentences.size(), 3U);
  EXPECT_EQ(sentences[1].text, "The second item is about the loader of all kernels.");
  EXPECT_EQ(sentences[1].last_line, 3U);
  EXPECT_EQ(sentences[2].text, "The third item is about the driver.");
}

TEST(Sentences, AreNeitherVeryShortNorVeryLong) {
  EXPECT_TRUE(Texts("markdown", "Not four words here.\n").empty());
  std::string longest = "The list has";
  for (int i = 0; i < 70; ++i) longest += " more";
  EXPECT_TRUE(Texts("markdown", longest + " words.\n").empty());
}

TEST(Sentences, OfHeadingsQuotationsAndImagesAreNotRead) {
  for (const char* line :
       {"# The heading has quite a few words", "> The quotation has quite a few words.",
        "![The picture has quite a few words.](x.png)", "<p>The markup has quite a few words.</p>",
        "The address of it is https://example.org/a for now."}) {
    EXPECT_TRUE(Texts("markdown", std::string(line) + "\n").empty()) << line;
  }
}

TEST(Sentences, OfOtherLanguagesAreNone) {
  EXPECT_TRUE(Texts("json", "// The comment has quite a few words.\n").empty());
  EXPECT_EQ(Texts("yaml", "# The comment has quite a few words.\n").size(), 1U);
  EXPECT_TRUE(Texts("shell", "#!/bin/sh has quite a few words here.\n").empty());
  EXPECT_TRUE(ReadSentences("markdown", "").empty());
}

TEST(Prose, KnowsWhatExplains) {
  EXPECT_TRUE(Explains("The cache is a store of compiled kernels."));
  EXPECT_TRUE(Explains("The flag must come first."));
  EXPECT_FALSE(Explains("We went home."));
}

TEST(Prose, KnowsWhatNeedsTheSentenceBefore) {
  EXPECT_TRUE(StandsAlone("The cache holds kernels."));
  for (const char* text : {"This holds kernels.", "However, it grows.", "It grows.",
                           "The cache holds kernels", "Why does it grow?"}) {
    EXPECT_FALSE(StandsAlone(text)) << text;
  }
}

TEST(Prose, KnowsItsSubject) {
  EXPECT_TRUE(OpensWithOne("USE_PROF turns the profiler on.", {"OTHER", "USE_PROF"}));
  EXPECT_TRUE(OpensWithOne("The option `USE_PROF` turns it on.", {"USE_PROF"}));
  EXPECT_FALSE(OpensWithOne("The profiler is turned on and off with USE_PROF.", {"USE_PROF"}));
  EXPECT_FALSE(OpensWithOne("Nothing is named here.", {}));
}

TEST(Prose, HasItsLanguages) {
  for (const char* language : {"", "text", "markdown", "rst"})
    EXPECT_TRUE(IsProseLanguage(language));
  for (const char* language : {"c++", "cmake", "json"}) EXPECT_FALSE(IsProseLanguage(language));
}

}  // namespace
}  // namespace sibyl::draft
