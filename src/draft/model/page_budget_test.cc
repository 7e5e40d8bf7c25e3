// SPDX-License-Identifier: Apache-2.0
#include "draft/model/page_budget.h"

#include <gtest/gtest.h>

#include <numeric>

namespace sibyl::draft {
namespace {

std::vector<std::size_t> All(const ModelPoint& point) {
  std::vector<std::size_t> units(point.units.size());
  std::iota(units.begin(), units.end(), 0);
  return units;
}

ModelPoint Read(const std::string& text) { return ReadModelText("=== 1\n" + text, 1).points[0]; }

std::vector<Piece> Pieces(const std::string& text) {
  const ModelPoint point = Read(text);
  return PiecesOf(point, All(point));
}

using Chosen = std::vector<std::vector<std::vector<std::size_t>>>;

TEST(PageBudget, CountsTheLinesThatAreWritten) {
  const auto pieces =
      Pieces("One. Two.\n\n- a\n- b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```sh\nmake\n```\n");
  ASSERT_EQ(pieces.size(), 4U);
  EXPECT_EQ(pieces[0].lines, 2U) << "each sentence is on its own line";
  EXPECT_EQ(pieces[1].lines, 2U);
  EXPECT_EQ(pieces[2].lines, 3U) << "with the head of the table";
  EXPECT_EQ(pieces[3].lines, 4U) << "with fences and mark";
}

TEST(PageBudget, WhatLeadsInStaysWithWhatItLeadsIn) {
  const auto pieces = Pieces("One.\n\nIt takes these:\n\n- a\n- b\n");
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[1].units, (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_EQ(pieces[1].lines, 4U) << "with the empty line between them";
  EXPECT_FALSE(pieces[1].is_divisible);
}

TEST(PageBudget, WithoutALimitEverythingIsThere) {
  const auto pieces = Pieces("One. Two.\n\n- a\n- b\n");
  EXPECT_EQ(FitIntoBudget({{.points = {{.pieces = pieces}}, .lines = std::nullopt}}, std::nullopt),
            (Chosen{{{0, 1, 2, 3}}}));
}

TEST(PageBudget, ATableIsThereAsAWholeOrNotAtAll) {
  const auto pieces = Pieces("One [kbcdfghjk].\n\n| x | y |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n");
  const auto fit = [&](std::size_t lines) {
    return FitIntoBudget({{.points = {{.pieces = pieces}}, .lines = lines}}, std::nullopt)[0][0];
  };
  EXPECT_EQ(fit(10), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(fit(9), (std::vector<std::size_t>{0}));
}

TEST(PageBudget, AParagraphMayEndAfterASentence) {
  const auto pieces = Pieces("One. Two. Three.\n");
  EXPECT_EQ(FitIntoBudget({{.points = {{.pieces = pieces}}, .lines = 6}}, std::nullopt)[0][0],
            (std::vector<std::size_t>{0, 1}));
}

TEST(PageBudget, LinesThatOnePointDoesNotNeedGoToAnother) {
  const auto little = Pieces("One.\n");
  std::string many;
  for (int i = 0; i < 20; ++i) many += "Sentence. ";
  const auto much = Pieces(many);
  // 2 for the section, 3 for the small point, 2 for the head of the other.
  const Chosen chosen = FitIntoBudget(
      {{.points = {{.pieces = little}, {.pieces = much}, {.pieces = {}}}, .lines = 20}},
      std::nullopt);
  EXPECT_EQ(chosen[0][0].size(), 1U);
  EXPECT_EQ(chosen[0][1].size(), 13U);
}

TEST(PageBudget, ThePageLimitsItsSectionsAlike) {
  std::string many;
  for (int i = 0; i < 20; ++i) many += "Sentence. ";
  const BudgetedSection section{.points = {{.pieces = Pieces(many)}}, .lines = std::nullopt};
  const Chosen chosen = FitIntoBudget({section, section}, 20);
  EXPECT_EQ(chosen[0][0].size(), 6U);
  EXPECT_EQ(chosen[1][0].size(), 6U);
}

}  // namespace
}  // namespace sibyl::draft
