// SPDX-License-Identifier: Apache-2.0
#include "expansion/draft_payload.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/json.h"

namespace sibyl::expansion {
namespace {

draft::Draft WholeDraft() {
  draft::Draft draft{.path = "cuda/16-cupti.md",
                     .title = "How „CUPTI“ is found",
                     .text = "# How\r\n\r\nBytes \xFF\xFE that are not UTF-8.\n",
                     .line_budget = 90,
                     .sections = {},
                     .sources = {},
                     .keywords = {"cupti", "CUPTI_LIB"}};
  draft.sections.push_back(
      {.title = "Detection",
       .making = draft::Making::kModelWritten,
       .line_budget = 50,
       .points = {{.point = "Order", .where = "1.1", .nearest = {}},
                  {.point = "Windows", .where = {}, .nearest = "cmake/Toolchain.cmake:12"}}});
  draft.sections.push_back({.title = "Empty", .making = draft::Making::kInspected});
  draft.sources.push_back(
      {.name = "gadget", .pin = "4f2a91c", .origin = "https://example.org/g", .citations = 3});
  draft.sections[0].points[0].is_contradicted = true;
  draft.omissions.push_back({.point = "Order", .text = "It is so.", .reason = "the judge: no"});
  return draft;
}

void ExpectSame(const draft::Draft& a, const draft::Draft& b) {
  EXPECT_EQ(a.path, b.path);
  EXPECT_EQ(a.title, b.title);
  EXPECT_EQ(a.text, b.text);
  EXPECT_EQ(a.line_budget, b.line_budget);
  EXPECT_EQ(a.keywords, b.keywords);
  ASSERT_EQ(a.sections.size(), b.sections.size());
  for (std::size_t i = 0; i < a.sections.size(); ++i) {
    EXPECT_EQ(a.sections[i].title, b.sections[i].title);
    EXPECT_EQ(a.sections[i].making, b.sections[i].making);
    EXPECT_EQ(a.sections[i].line_budget, b.sections[i].line_budget);
    ASSERT_EQ(a.sections[i].points.size(), b.sections[i].points.size());
    for (std::size_t p = 0; p < a.sections[i].points.size(); ++p) {
      EXPECT_EQ(a.sections[i].points[p].point, b.sections[i].points[p].point);
      EXPECT_EQ(a.sections[i].points[p].where, b.sections[i].points[p].where);
      EXPECT_EQ(a.sections[i].points[p].nearest, b.sections[i].points[p].nearest);
      EXPECT_EQ(a.sections[i].points[p].is_contradicted, b.sections[i].points[p].is_contradicted);
    }
  }
  ASSERT_EQ(a.omissions.size(), b.omissions.size());
  for (std::size_t i = 0; i < a.omissions.size(); ++i) {
    EXPECT_EQ(a.omissions[i].point, b.omissions[i].point);
    EXPECT_EQ(a.omissions[i].text, b.omissions[i].text);
    EXPECT_EQ(a.omissions[i].reason, b.omissions[i].reason);
  }
  ASSERT_EQ(a.sources.size(), b.sources.size());
  for (std::size_t i = 0; i < a.sources.size(); ++i) {
    EXPECT_EQ(a.sources[i].name, b.sources[i].name);
    EXPECT_EQ(a.sources[i].pin, b.sources[i].pin);
    EXPECT_EQ(a.sources[i].origin, b.sources[i].origin);
    EXPECT_EQ(a.sources[i].citations, b.sources[i].citations);
  }
}

// The head of a whole draft after `change`, with a text below it.
template <typename Change>
std::string Damaged(const Change& change) {
  const std::string payload = FormatDraft(WholeDraft());
  Json head = *ParseJson(payload.substr(0, payload.find('\n')));
  change(head);
  return FormatJson(head, JsonLayout::kCompact) + "\n# Text\n";
}

void ExpectCorrupt(std::string_view payload) {
  const auto read = ParseDraft(payload);
  ASSERT_FALSE(read.ok()) << payload;
  EXPECT_EQ(read.error().kind, ErrorKind::kCorrupt);
  EXPECT_NE(read.error().hint.find("--restart"), std::string::npos);
}

TEST(DraftPayload, WhatIsWrittenIsReadBackTheSame) {
  const auto read = ParseDraft(FormatDraft(WholeDraft()));
  ASSERT_TRUE(read.ok()) << read.error().message;
  ExpectSame(*read, WholeDraft());
}

TEST(DraftPayload, AnEmptyDraftIsReadBackToo) {
  const auto read = ParseDraft(FormatDraft({}));
  ASSERT_TRUE(read.ok()) << read.error().message;
  ExpectSame(*read, {});
}

TEST(DraftPayload, TheHeadIsOneLine) {
  draft::Draft draft = WholeDraft();
  draft.title = "Two\nlines\r\n";
  draft.sections[0].points[0].point = "a\nb";
  const std::string payload = FormatDraft(draft);
  EXPECT_EQ(payload.substr(payload.find('\n') + 1), draft.text);
  ExpectSame(*ParseDraft(payload), draft);
}

TEST(DraftPayload, EveryMakingIsKept) {
  for (const draft::Making making :
       {draft::Making::kExtracted, draft::Making::kModelWritten, draft::Making::kAgentWritten,
        draft::Making::kMeasured, draft::Making::kInspected}) {
    draft::Draft draft;
    draft.sections.push_back({.title = "One", .making = making});
    EXPECT_EQ(ParseDraft(FormatDraft(draft))->sections[0].making, making);
  }
}

TEST(DraftPayload, WhatHasNoHeadIsCorrupt) {
  ExpectCorrupt("");
  ExpectCorrupt("\n");
  ExpectCorrupt("# Text\n");
  ExpectCorrupt("[]\n");
  ExpectCorrupt("null\n# Text\n");
  ExpectCorrupt("{\"sibyl-draft\": 1}\n");
  const std::string payload = FormatDraft({.path = "a/01-b.md"});
  ExpectCorrupt(payload.substr(0, payload.find('\n')));
}

TEST(DraftPayload, AnotherVersionIsCorrupt) {
  ExpectCorrupt(Damaged([](Json& head) { head["sibyl-draft"] = 2; }));
  ExpectCorrupt(Damaged([](Json& head) { head.erase("sibyl-draft"); }));
}

TEST(DraftPayload, AVersionThatIsNoNumberIsCorrupt) {
  ExpectCorrupt(Damaged([](Json& head) { head["sibyl-draft"] = "1"; }));
  ExpectCorrupt(Damaged([](Json& head) { head["sibyl-draft"] = Json::array(); }));
}

TEST(DraftPayload, AMemberThatIsMissingIsCorrupt) {
  for (const char* name : {"path", "title", "line_budget", "keywords", "sections", "sources"}) {
    ExpectCorrupt(Damaged([&](Json& head) { head.erase(name); }));
  }
  for (const char* name : {"title", "making", "line_budget", "points"}) {
    ExpectCorrupt(Damaged([&](Json& head) { head["sections"][0].erase(name); }));
  }
}

TEST(DraftPayload, AMemberOfAnotherTypeIsCorrupt) {
  ExpectCorrupt(Damaged([](Json& head) { head["path"] = 7; }));
  ExpectCorrupt(Damaged([](Json& head) { head["keywords"] = "cupti"; }));
  ExpectCorrupt(Damaged([](Json& head) { head["line_budget"] = "90"; }));
  ExpectCorrupt(Damaged([](Json& head) { head["sections"] = {1, 2}; }));
  ExpectCorrupt(Damaged([](Json& head) { head["sources"][0]["citations"] = "3"; }));
}

TEST(DraftPayload, ACountThatCannotBeIsCorrupt) {
  ExpectCorrupt(Damaged([](Json& head) { head["line_budget"] = -1; }));
  ExpectCorrupt(Damaged([](Json& head) { head["sections"][0]["line_budget"] = 1e300; }));
  ExpectCorrupt(Damaged([](Json& head) { head["sources"][0]["citations"] = -3; }));
  ExpectCorrupt(Damaged([](Json& head) { head["sources"][0]["citations"] = 0.5; }));
}

TEST(DraftPayload, AMakingThatNobodyKnowsIsCorrupt) {
  ExpectCorrupt(Damaged([](Json& head) { head["sections"][0]["making"] = "dreamt"; }));
  ExpectCorrupt(Damaged([](Json& head) { head["sections"][0]["making"] = 3; }));
}

TEST(DraftPayload, ANestedHeadEndsInsteadOfOverflowing) {
  ExpectCorrupt(std::string(1'000'000, '[') + "\n# Text\n");
}

RC_GTEST_PROP(DraftPayloadProperty, AnyTextComesBackByteForByte, ()) {
  draft::Draft draft{.path = "a/01-b.md"};
  draft.text = *rc::gen::arbitrary<std::string>();
  const auto read = ParseDraft(FormatDraft(draft));
  RC_ASSERT(read.ok());
  RC_ASSERT(read->text == draft.text);
}

RC_GTEST_PROP(DraftPayloadProperty, TitlesAndPointsComeBackAsTheyWere, ()) {
  const auto word = rc::gen::container<std::string>(
      rc::gen::oneOf(rc::gen::inRange(' ', '~'), rc::gen::element('\n', '\r', '\t', '\\', '"')));
  draft::Draft draft{.path = *word, .title = *word};
  draft.keywords = *rc::gen::container<std::vector<std::string>>(word);
  draft.sections.push_back({.title = *word, .points = {{.point = *word, .where = *word}}});
  const auto read = ParseDraft(FormatDraft(draft));
  RC_ASSERT(read.ok());
  RC_ASSERT(read->path == draft.path);
  RC_ASSERT(read->title == draft.title);
  RC_ASSERT(read->keywords == draft.keywords);
  RC_ASSERT(read->sections[0].points[0].where == draft.sections[0].points[0].where);
}

RC_GTEST_PROP(DraftPayloadProperty, APayloadThatIsCutOrChangedNeverCrashes, ()) {
  std::string payload = FormatDraft(WholeDraft());
  const std::size_t head = payload.find('\n');
  const auto at = *rc::gen::inRange<std::size_t>(0, head);
  if (*rc::gen::arbitrary<bool>()) {
    payload.resize(at);
    RC_ASSERT(!ParseDraft(payload).ok());
  } else {
    payload[at] = *rc::gen::inRange(' ', '~');
    (void)ParseDraft(payload).ok();
  }
}

}  // namespace
}  // namespace sibyl::expansion
