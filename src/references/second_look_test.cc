// SPDX-License-Identifier: Apache-2.0
#include "references/second_look.h"

#include <gtest/gtest.h>

#include <string>

#include "references/place/claimed_place.h"

namespace sibyl::references {
namespace {

Reference Citing(const std::string& name, const LineRange& lines, const std::string& prose = {}) {
  Reference reference{.lines = lines};
  if (!name.empty()) reference.claim.names.push_back({.text = name, .in_code = true});
  reference.claim.prose = prose;
  return reference;
}

CitationStatus Again(const Reference& reference, const CodeFile& file) {
  const Sighting sighting = LookAt(reference.claim, file, reference.lines);
  return LookAgain(reference, {sighting, file}, nullptr);
}

const CodeFile& Source() {
  static const CodeFile file(
      "namespace {\n\ndouble trigramDiversity(int n) {\n  return n;\n}\n\n"
      "const int kPoll = from_millis(200);\n\n\n\n\nint other = diversity;\n\n\n\nint last;\n");
  return file;
}

TEST(SecondLook, ADefinitionWithAllPartsOfTheNameIsADoubt) {
  EXPECT_EQ(Again(Citing("diversity", {3, 3}), Source()), CitationStatus::kUndecided);
  EXPECT_EQ(Again(Citing("diversity", {16, 16}), Source()), CitationStatus::kWrong);
}

TEST(SecondLook, TheNameInOtherLettersIsADoubt) {
  EXPECT_EQ(Again(Citing("FROM_MILLIS", {7, 7}), Source()), CitationStatus::kUndecided);
  EXPECT_EQ(Again(Citing("FROM_MILLIS", {16, 16}), Source()), CitationStatus::kWrong);
}

TEST(SecondLook, WhatIsProposedNeedNotBeThere) {
  EXPECT_EQ(Again(Citing("diversity", {16, 16}, "Add `diversity` here ("), Source()),
            CitationStatus::kUndecided);
  EXPECT_EQ(Again(Citing("diversity", {16, 16}, "Added `diversity` here ("), Source()),
            CitationStatus::kWrong);
}

TEST(SecondLook, ANumberOfTheSentenceIsADoubtWhereNoNameFails) {
  EXPECT_EQ(Again(Citing("", {7, 7}, "it polls every 200 ms ("), Source()),
            CitationStatus::kUndecided);
  EXPECT_EQ(Again(Citing("", {7, 7}, "it polls every 300 ms ("), Source()), CitationStatus::kWrong);
}

TEST(SecondLook, APartOfAnIdentifierCounts) {
  std::string text = "  ++m_opened_conns;\nFetchContent_Declare(x)\n";
  for (int i = 0; i < 40; ++i) text += "fill\n";
  const CodeFile file(text + "out.opened_conns = 1;\ninclude(FetchContent)\n");
  EXPECT_EQ(Again(Citing("opened_conns", {1, 1}), file), CitationStatus::kUndecided);
  EXPECT_EQ(Again(Citing("FetchContent", {2, 2}), file), CitationStatus::kUndecided);
  EXPECT_EQ(Again(Citing("opened_conns", {20, 20}), file), CitationStatus::kWrong);
}

TEST(SecondLook, AUseInTheLinesCounts) {
  std::string text = "int main() {\n  a;\n  b;\n  inject(root);\n  c;\n}\n";
  for (int i = 0; i < 40; ++i) text += "fill\n";
  const CodeFile file(text + "int inject(int root) {\n  return root;\n}\n");
  EXPECT_EQ(Again(Citing("inject", {1, 6}), file), CitationStatus::kHolds);
  EXPECT_EQ(Again(Citing("inject", {20, 26}), file), CitationStatus::kWrong);
}

TEST(SecondLook, AnotherNameOfTheSentenceCounts) {
  std::string text = "// a\n// b\n// c\n// d\nint x;\nint set_owner(int n) {\n  return n;\n}\n";
  for (int i = 0; i < 40; ++i) text += "fill\n";
  const CodeFile file(text + "struct World {\n};\n");
  Reference reference = Citing("World", {1, 9});
  reference.claim.names.push_back({.text = "set_owner", .in_code = true, .distance = 30});
  EXPECT_EQ(Again(reference, file), CitationStatus::kUndecided);
  reference.lines = {20, 28};
  EXPECT_EQ(Again(reference, file), CitationStatus::kWrong);
}

TEST(SecondLook, AQuotationAfterTheCitationCounts) {
  std::string text = "print(\"no such account\")\n";
  for (int i = 0; i < 40; ++i) text += "fill\n";
  const CodeFile file(text + "int login;\n");
  Reference reference = Citing("login", {1, 1});
  reference.claim.names.push_back(
      {.text = "no such account", .kind = ClaimedName::Kind::kQuote, .is_own = false});
  EXPECT_EQ(Again(reference, file), CitationStatus::kUndecided);
}

TEST(ClaimedPlace, QuotedCodeIsWhereMostOfItsLinesAre) {
  const CodeFile file(
      "match v {\n  Value::Promise {\n}\n\n\n\n\n\n\n\n\n\n\n\n\n\n  Promise {\n"
      "    receiver: Other,\n    is_polled: Arc<bool>,\n    cached_result: Arc<int>,\n  }\n");
  Reference reference{.lines = {5, 8}};
  for (const char* const line : {"Value::Promise {", "receiver: Old,", "is_polled: Arc<bool>,",
                                 "cached_result: Arc<int>,"}) {
    reference.claim.names.push_back({.text = line, .kind = ClaimedName::Kind::kBlock});
  }
  const auto place = FindQuoted(reference, file);
  ASSERT_TRUE(place);
  EXPECT_EQ(*place, (LineRange{17, 20}));
}

TEST(ClaimedPlace, QuotedCodeStartsWhereItsFirstLineIs) {
  const CodeFile file(
      "\n\n\nfn load(path: &str) {\n  // more\n  // more\n  check(path);\n  open(path)\n");
  Reference reference{.lines = {5, 8}};
  for (const char* const line : {"fn load(path: &str) {", "check(path);", "open(path)"}) {
    reference.claim.names.push_back({.text = line, .kind = ClaimedName::Kind::kBlock});
  }
  const auto place = FindQuoted(reference, file);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->first, 4U);
}

TEST(ClaimedPlace, AChangedLineIsTheOnlyOneLikeIt) {
  const CodeFile now("int limit = 3;\nif (limit > 0 && documents > limit)\nuse(limit);\n");
  const auto found = FindSimilar("if (limit > 0 && list.size() > limit)", "limit", now);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->first, 2U);
  EXPECT_FALSE(FindSimilar("while (true) other(limit);", "limit", now));
}

TEST(Sighting, TheAbsenceOfANameThatIsNotAssertedProvesNothing) {
  const CodeFile file("int a;\n\n\n\n\n\n\n\nint count(int n) {\n}\n");
  Reference reference = Citing("count", {1, 1});
  EXPECT_EQ(LookAt(reference.claim, file, reference.lines).fit, Fit::kFails);
  reference.claim.names[0].is_asserted = false;
  EXPECT_EQ(LookAt(reference.claim, file, reference.lines).fit, Fit::kUnknown);
}

TEST(Sighting, TheCommentOfADefinitionBelongsToIt) {
  const CodeFile file("int a;\n\n/// Counts.\n/// Slowly.\n/// Really.\nint count(int n) {\n}\n");
  const Reference reference = Citing("count", {3, 3});
  EXPECT_EQ(LookAt(reference.claim, file, reference.lines).fit, Fit::kHolds);
}

TEST(Sighting, ANameThatIsDefinedThereOutweighsOneBesideTheCitation) {
  std::string text = "using Handler = int(\n    Builder,\n    Operands);\n";
  for (int i = 0; i < 30; ++i) text += "int fill;\n";
  const CodeFile file(text + "int use(Request r);\n");
  Claim claim;
  claim.names.push_back({.text = "Request", .in_code = true, .distance = 2});
  claim.names.push_back({.text = "Handler", .in_code = true, .distance = 30});
  EXPECT_EQ(LookAt(claim, file, {1, 3}).fit, Fit::kHolds);
  EXPECT_EQ(LookAt(claim, file, {12, 14}).fit, Fit::kFails);
}

TEST(Sighting, CodeThatIsElsewhereOutweighsTheBodyOfAFunction) {
  std::string text = "int run() {\n";
  for (int i = 0; i < 30; ++i) text += "  fill();\n";
  const CodeFile file(text + "  next(state, 3);\n}\n");
  Claim claim;
  claim.names.push_back({.text = "run", .in_code = true, .is_call = true, .distance = 20});
  EXPECT_EQ(LookAt(claim, file, {10, 10}).fit, Fit::kHolds);
  claim.names.push_back({.text = "next(state, 3)",
                         .kind = ClaimedName::Kind::kCode,
                         .in_code = true,
                         .distance = 30});
  EXPECT_NE(LookAt(claim, file, {10, 10}).fit, Fit::kHolds);
}

TEST(SecondLook, ABlockThatTheNameOpensIsADoubt) {
  std::string text =
      "match ty {\n    Type::Tuple(t) => {\n        a();\n        b();\n        c();\n";
  text += "        render(t);\n    }\n}\n";
  for (int i = 0; i < 40; ++i) text += "fill\n";
  const CodeFile file(text + "use Tuple;\n");
  EXPECT_EQ(Again(Citing("Tuple", {6, 6}), file), CitationStatus::kUndecided);
  EXPECT_EQ(Again(Citing("Tuple", {20, 20}), file), CitationStatus::kWrong);
}

TEST(SecondLook, ANameThatLeadsToTheListIsADoubt) {
  std::string text = "let s = load_store(db);\n";
  for (int i = 0; i < 40; ++i) text += "fill\n";
  const CodeFile file(text + "fn find_canonical() {\n}\n");
  Reference reference = Citing("find_canonical", {1, 1});
  EXPECT_EQ(Again(reference, file), CitationStatus::kWrong);
  reference.claim.context = "Callers of load_store: ";
  EXPECT_EQ(Again(reference, file), CitationStatus::kUndecided);
  reference.lines = {20, 20};
  EXPECT_EQ(Again(reference, file), CitationStatus::kWrong);
}

}  // namespace
}  // namespace sibyl::references
