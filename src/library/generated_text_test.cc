// SPDX-License-Identifier: Apache-2.0
// Text of others on generated pages, in commit messages and in the intent.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/json.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "library/commit_message.h"
#include "library/intent.h"
#include "library/knowledge_page.h"
#include "library/page_text.h"
#include "library/topic_index.h"

namespace sibyl::library {
namespace {

Published SomePublished() {
  return {.id = "0a1b",
          .plan = "_ingest-auto/x/ingestion.md",
          .plan_now = "_ingest-auto/completed/x/ingestion.md",
          .files = {{.part = 1,
                     .path = "cuda/01-a.md",
                     .lines = 10,
                     .citations = 1,
                     .points = 3,
                     .covered = 2},
                    {.part = 2,
                     .path = "cuda/02-b.md",
                     .lines = 20,
                     .citations = 4,
                     .points = 1,
                     .covered = 1}}};
}

TEST(CommitMessages, AddUpAndListTheFiles) {
  EXPECT_EQ(CommitMessage(SomePublished()),
            "expand: 2 files, 30 lines, 5 citations, 3 of 4 points\n\n"
            "Plan: _ingest-auto/completed/x/ingestion.md\n"
            "- PART 1: cuda/01-a.md: 10 lines, 1 citation, 2 of 3 points\n"
            "- PART 2: cuda/02-b.md: 20 lines, 4 citations, 1 of 1 point\n\n"
            "Sibyl-Publication: 0a1b\n");
}

TEST(CommitMessages, ASubjectReplacesTheFirstLineAndNothingElse) {
  const std::string message = CommitMessage(SomePublished(), PublicationKind::kRevision,
                                            "docs: streams\n\nSibyl-Publication: ffff");
  EXPECT_TRUE(message.starts_with("docs: streams Sibyl-Publication: ffff\n\nPlan: ")) << message;
  EXPECT_TRUE(message.ends_with("\n\nSibyl-Publication: 0a1b\n"));
  EXPECT_TRUE(
      CommitMessage(SomePublished(), PublicationKind::kRevision).starts_with("revise: 2 files"));
}

TEST(CommitMessages, NameWhatFailed) {
  Published published = SomePublished();
  published.files.clear();
  published.failed = {{.part = 3, .reason = "no passage"}};
  EXPECT_EQ(CommitMessage(published),
            "expand: 0 files, 0 lines, 0 citations, 0 of 0 points; 1 part failed\n\n"
            "Plan: _ingest-auto/completed/x/ingestion.md\n- PART 3: failed: no passage\n\n"
            "Sibyl-Publication: 0a1b\n");
}

TEST(CommitMessages, AReasonCannotAddATrailerOrALine) {
  Published published = SomePublished();
  published.failed = {{.part = 3, .reason = "a\n\nSibyl-Publication: ffff\r\n"}};
  const std::string message = CommitMessage(published);
  EXPECT_EQ(message.find("\nSibyl-Publication: ffff"), std::string::npos);
  EXPECT_TRUE(message.ends_with("\n\nSibyl-Publication: 0a1b\n"));
}

TEST(CommitMessages, AreValidTextWhateverTheReason) {
  for (const std::string& reason :
       {std::string(299, 'a') + "é", std::string(298, 'a') + "😀", std::string("a\xff b")}) {
    Published published = SomePublished();
    published.failed = {{.part = 3, .reason = reason}};
    EXPECT_FALSE(FindInvalidUtf8(CommitMessage(published)));
  }
}

Intent SmallIntent() {
  return {.time = 5,
          .steps = {{.path = "a/01-b.md", .after = "x", .staged = "0"}},
          .paths = {"a/01-b.md"},
          .message = "expand\n",
          .published = SomePublished()};
}

TEST(Intents, KeepEveryMember) {
  Intent intent = SmallIntent();
  intent.published.commit = "abc";
  intent.published.findings = {{.severity = Severity::kWarning,
                                .code = "publish/x",
                                .message = "m",
                                .hint = "h",
                                .place = {.file = "f", .line = 7}}};
  const Result<Intent> read = ParseIntent(FormatIntent(intent));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->time, 5);
  EXPECT_EQ(read->message, "expand\n");
  EXPECT_EQ(read->paths, intent.paths);
  ASSERT_EQ(read->steps.size(), 1U);
  EXPECT_EQ(read->steps[0].kind, StepKind::kFile);
  EXPECT_EQ(read->steps[0].after, "x");
  EXPECT_EQ(read->published.commit, "abc");
  ASSERT_EQ(read->published.files.size(), 2U);
  EXPECT_EQ(read->published.files[1].citations, 4U);
  ASSERT_EQ(read->published.findings.size(), 1U);
  EXPECT_EQ(read->published.findings[0].severity, Severity::kWarning);
  EXPECT_EQ(read->published.findings[0].place.line, 7U);
}

TEST(Intents, AMemberThatIsMissingOrOfAnotherTypeIsRefused) {
  const Json whole = ParseJson(FormatIntent(SmallIntent())).value();
  for (const auto& [name, value] : whole.items()) {
    Json changed = whole;
    changed.erase(name);
    EXPECT_FALSE(ParseIntent(FormatJson(changed)).ok()) << "without " << name;
    changed[name] = nullptr;
    EXPECT_FALSE(ParseIntent(FormatJson(changed)).ok()) << "null " << name;
  }
  for (const auto& [name, value] : whole["steps"][0].items()) {
    Json changed = whole;
    changed["steps"][0].erase(name);
    EXPECT_FALSE(ParseIntent(FormatJson(changed)).ok()) << "step without " << name;
  }
  for (const auto& [name, value] : whole["published"].items()) {
    Json changed = whole;
    changed["published"][name] = 1.5;
    EXPECT_FALSE(ParseIntent(FormatJson(changed)).ok()) << "published " << name;
  }
}

TEST(Intents, NumbersOutOfRangeAreRefused) {
  const Json whole = ParseJson(FormatPublished(SomePublished())).value();
  for (const char* name : {"part", "lines", "citations"}) {
    Json changed = whole;
    changed["files"][0][name] = -1;
    EXPECT_FALSE(ParsePublished(FormatJson(changed)).ok()) << name;
  }
  Json changed = whole;
  changed["findings"] = {
      {{"severity", 3}, {"code", ""}, {"message", ""}, {"hint", ""}, {"file", ""}, {"line", 0}}};
  EXPECT_FALSE(ParsePublished(FormatJson(changed)).ok()) << "no such severity";
}

TEST(Intents, AnotherFormatOrKindIsRefused) {
  Json json = ParseJson(FormatIntent(SmallIntent())).value();
  json["sibyl-publication"] = 999;
  EXPECT_FALSE(ParseIntent(FormatJson(json)).ok());
  json = ParseJson(FormatIntent(SmallIntent())).value();
  json["steps"][0]["kind"] = "delete";
  EXPECT_FALSE(ParseIntent(FormatJson(json)).ok());
}

TEST(Links, LeadFromAFolderToAFile) {
  EXPECT_EQ(LinkFrom("", "cuda/01-a.md"), "cuda/01-a.md");
  EXPECT_EQ(LinkFrom("cuda", "cuda/01-a.md"), "01-a.md");
  EXPECT_EQ(LinkFrom("a/b", "cuda/01-a.md"), "../../cuda/01-a.md");
  EXPECT_EQ(LinkFrom("", "a b%<>|\"'.md"), "a%20b%25%3C%3E%7C%22%27.md");
}

TEST(KnowledgePages, ADateIsThatOfTheStampBeforeAnyOther) {
  EXPECT_EQ(ReadKnowledgePage("a.md", "# T\n\n> sibyl · 2026-11-15\n\nLast updated: 2020-01-01\n")
                .updated,
            "2026-11-15");
  EXPECT_EQ(ReadKnowledgePage("a.md", "# T\n\n> A quotation of 2026-11-15.\n").updated, "");
  EXPECT_EQ(ReadKnowledgePage("a.md", "# T\n\nLast updated: 2026-13-45\n").updated, "");
}

TEST(KnowledgePages, KeywordsAreNamesInCodeFontByHowOftenTheyOccur) {
  const KnowledgePage page = ReadKnowledgePage(
      "a.md", "# T\n\n`b` `cc` `dd` `dd` `a b` `12` `x/y` `" + std::string(50, 'x') + "`\n");
  EXPECT_EQ(page.keywords, (std::vector<std::string>{"dd", "cc"}));
}

TEST(TopicIndexes, ChosenKeywordsWinOverThoseOfThePage) {
  const KnowledgePage page{.name = "01-a.md", .title = "A", .keywords = {"own"}};
  EXPECT_NE(IndexBlock({page}, {}).find("| own |"), std::string::npos);
  EXPECT_NE(IndexBlock({page}, {{"01-a.md", {"chosen"}}}).find("| chosen |"), std::string::npos);
  EXPECT_NE(IndexBlock({page}, {{"01-a.md", {}}}).find("| own |"), std::string::npos);
}

TEST(TopicIndexes, CountAndDateAllPages) {
  const std::string block = IndexBlock(
      {{.name = "01-a.md", .title = "A", .updated = "2026-01-02", .lines = 1'000, .citations = 2},
       {.name = "b.md", .title = "B", .updated = "2025-01-02", .lines = 500}},
      {});
  EXPECT_TRUE(block.starts_with("**2 files**, 1,500 lines, 2 citations; last updated 2026-01-02\n"))
      << block;
  EXPECT_NE(block.find("| 01 | [A](01-a.md) |"), std::string::npos);
  EXPECT_NE(block.find("| – | [B](b.md) |"), std::string::npos);
}

RC_GTEST_PROP(PlainLines, OfAnyTextAreOneValidLine, (const std::string& text)) {
  const auto most = *rc::gen::inRange<std::size_t>(1, 50);
  const std::string line = PlainLine(text, most);
  RC_ASSERT(!FindInvalidUtf8(line));
  RC_ASSERT(line.find_first_of("\n\r\t<") == std::string::npos);
  for (std::size_t at = line.find('|'); at != std::string::npos; at = line.find('|', at + 1)) {
    RC_ASSERT(at > 0 && line[at - 1] == '\\');
  }
}

}  // namespace
}  // namespace sibyl::library
