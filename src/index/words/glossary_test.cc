// SPDX-License-Identifier: Apache-2.0
#include "index/words/glossary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "index/rank/query_terms.h"

namespace sibyl::index {
namespace {

constexpr std::array<std::string_view, 2> kTables = {
    "# Not an entry : swapped host memory\n"
    "pinned page_locked : host memory that is never swapped out\n"
    "unified managed : host memory the device sees too\n",
    "ccache launcher : do not compile again what has not changed\n"
    "dockerfile : recipe of a container\n"};
constexpr std::string_view kSynonymGroups =
    "# Not a group: recipe ram\n"
    "never refuse\n"
    "swap exchange\n";

std::vector<std::string> FirstNames(std::string_view question, std::string_view context = "") {
  const Glossary glossary(kTables, kSynonymGroups);
  TermForms forms;
  std::vector<std::string> names;
  for (const Meaning& meaning : glossary.Explain(question, context, forms)) {
    names.emplace_back(meaning.names[0]);
  }
  return names;
}

float ShareOfFirst(std::string_view question) {
  const Glossary glossary(kTables, kSynonymGroups);
  TermForms forms;
  const std::vector<Meaning> meanings = glossary.Explain(question, "", forms);
  return meanings.empty() ? 0 : meanings[0].share;
}

using Names = std::vector<std::string>;

TEST(GlossaryTest, TheBestExplanationIsTheMeaning) {
  EXPECT_EQ(FirstNames("memory of the HOST which never swaps"), Names{"pinned"});
  EXPECT_EQ(FirstNames("why is everything compiled again?"), Names{"ccache"});
}

TEST(GlossaryTest, OfExplanationsThatHaveAsMuchTheShorterIsLikelier) {
  EXPECT_EQ(FirstNames("host memory"), (Names{"unified", "pinned"}));
}

TEST(GlossaryTest, OneWordIsNotEnough) {
  EXPECT_TRUE(FirstNames("a recipe for cooking").empty());
  EXPECT_TRUE(FirstNames("recipe, recipes and the recipe").empty());
}

TEST(GlossaryTest, ASynonymCountsForLessThanTheWord) {
  EXPECT_EQ(FirstNames("refuse to exchange memory"), Names{"pinned"});
  EXPECT_LT(ShareOfFirst("compile again but refuse"), ShareOfFirst("compile again"));
}

TEST(GlossaryTest, AContextDecidesButDoesNotAsk) {
  EXPECT_EQ(FirstNames("host memory", "what the device sees"), Names{"unified"});
  EXPECT_TRUE(FirstNames("cooking", "host memory that is never swapped out").empty());
}

TEST(GlossaryTest, NamesAndTheirPartsAreWordsToo) {
  EXPECT_EQ(FirstNames("locked host memory"), Names{"pinned"});
  EXPECT_EQ(FirstNames("a launcher such as ccache"), Names{"ccache"});
}

TEST(GlossaryTest, TellsNamesFromPlainWords) {
  const Glossary glossary(kTables, kSynonymGroups);
  TermForms forms;
  EXPECT_EQ(glossary.Explain("never swapped out", "", forms).at(0).known, 0);
  const Meaning mixed = glossary.Explain("pinned host memory", "", forms).at(0);
  EXPECT_GT(mixed.known, 0);
  EXPECT_LT(mixed.known, 1);
  EXPECT_EQ(glossary.Explain("ccache as a launcher", "", forms).at(0).known, 1);
}

TEST(GlossaryTest, WordsThatNoExplanationHasDoNotMatter) {
  EXPECT_EQ(ShareOfFirst("compile again"), ShareOfFirst("compile zebras again, Anatol"));
}

TEST(GlossaryTest, NothingExplainsNothing) {
  TermForms forms;
  EXPECT_TRUE(Glossary({}, "").Explain("host memory", "host", forms).empty());
  EXPECT_TRUE(Glossary(kTables, "").Explain("", "", forms).empty());
  constexpr std::array<std::string_view, 2> kNoEntries = {"no colon here", ""};
  EXPECT_TRUE(Glossary(kNoEntries, "alone").Explain("colon alone", "", forms).empty());
}

bool HasAlternatives(std::string_view text, std::string_view context) {
  TermForms forms;
  const std::vector<QueryTerm> terms = TermsOf(text, context, forms, 64);
  return std::any_of(terms.begin(), terms.end(), [](const QueryTerm& term) {
    return term.kind == QueryTermKind::kAlternative;
  });
}

float BoostOfAlternatives(const std::string& text) {
  TermForms forms;
  float most = 0;
  for (const QueryTerm& term : TermsOf(text, "", forms, 64)) {
    if (term.kind == QueryTermKind::kAlternative) most = std::max(most, term.boost);
  }
  return most;
}

TEST(GlossaryTest, InALongQuestionNamesCountForMore) {
  const std::string question = "how do I keep host buffers from being swapped out";
  EXPECT_GT(BoostOfAlternatives(question + " said zebra, anatol, berta, caesar, dora and emil"),
            BoostOfAlternatives(question));
}

TEST(GlossaryTest, OnlySentencesAndBulletsOfAPlanAreExplained) {
  EXPECT_TRUE(HasAlternatives("how do I keep host buffers from being swapped out", ""));
  EXPECT_TRUE(HasAlternatives("host buffers swapped", "copies to the device"));
  EXPECT_FALSE(HasAlternatives("host buffers swapped", ""));
  EXPECT_FALSE(HasAlternatives("cudaHostAlloc", ""));
}

}  // namespace
}  // namespace sibyl::index
