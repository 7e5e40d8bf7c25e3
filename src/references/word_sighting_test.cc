// SPDX-License-Identifier: Apache-2.0
#include "references/word_sighting.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "references/decide_status.h"

namespace sibyl::references {
namespace {

// 60 lines; 31 to 33 fetch and decode.
std::string Cpu() {
  std::string text;
  for (int line = 1; line <= 60; ++line) {
    if (line == 31) {
      text += "fn tick() {\n";
    } else if (line == 32) {
      text += "  let word = fetch_next(pc);\n";
    } else if (line == 33) {
      text += "  let instruction = decode(word);\n";
    } else {
      text += "  fill(" + std::to_string(line) + ");\n";
    }
  }
  return text;
}

constexpr std::string_view kClaim = "It fetches and decodes an instruction on every tick (";

TEST(WordIndex, HasFormsAndPartsOfNames) {
  const WordIndex index{CodeFile(Cpu())};
  ASSERT_EQ(ContentStems("the fetches").size(), 1U);
  EXPECT_EQ(index.LinesOf(ContentStems("fetches")[0]), std::vector<std::size_t>{32});
  EXPECT_TRUE(index.LinesOf("absent").empty());
}

TEST(WordSighting, CountsWordsInTheLinesAndInTheBestPlace) {
  const WordIndex index{CodeFile(Cpu())};
  const WordSighting there = LookForWords(ContentStems(kClaim), index, {31, 33});
  EXPECT_EQ(there.there, 4U);
  EXPECT_EQ(there.best, 4U);
  const WordSighting elsewhere = LookForWords(ContentStems(kClaim), index, {5, 9});
  EXPECT_EQ(elsewhere.there, 0U);
  EXPECT_EQ(elsewhere.best, 4U);
}

TEST(StatusByWords, DecidesOnlyWhereTheEvidenceIsClear) {
  const NamesSaid none{.status = CitationStatus::kUndecided, .fit = Fit::kUnknown};
  const NamesSaid fail{.status = CitationStatus::kUndecided, .fit = Fit::kFails};
  const NamesSaid wrong{.status = CitationStatus::kWrong, .fit = Fit::kFails};
  const WordSighting all{.rare = 5, .there = 5, .best = 5};
  const WordSighting one{.rare = 5, .there = 1, .best = 5};
  const WordSighting no{.rare = 5, .there = 0, .best = 5};
  const WordSighting few{.rare = 2, .there = 0, .best = 2};
  EXPECT_EQ(StatusByWords(none, no, &all), CitationStatus::kDrifted);
  EXPECT_EQ(StatusByWords(none, no, &no), CitationStatus::kWrong);
  EXPECT_EQ(StatusByWords(none, no, nullptr), CitationStatus::kWrong);
  EXPECT_EQ(StatusByWords(none, one, &one), CitationStatus::kUndecided);
  EXPECT_EQ(StatusByWords(fail, one, &one), CitationStatus::kWrong);
  EXPECT_EQ(StatusByWords(none, few, &few), CitationStatus::kUndecided);
  // Names that call it wrong are not believed where the words are there.
  EXPECT_EQ(StatusByWords(wrong, all, &all), CitationStatus::kUndecided);
  EXPECT_EQ(StatusByWords(wrong, one, &one), CitationStatus::kWrong);
}

}  // namespace
}  // namespace sibyl::references
