// SPDX-License-Identifier: Apache-2.0
// What the generated pages say: knowledge files as rows, SKILL.md, drops.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files/files.h"
#include "base/markdown/markdown.h"
#include "base/strings.h"
#include "library/blocks.h"
#include "library/drop.h"
#include "library/intent.h"
#include "library/knowledge_page.h"
#include "library/page_text.h"
#include "library/skill.h"
#include "library/topic_index.h"

namespace sibyl::library {
namespace {

TEST(KnowledgePage, IsReadFromTheFile) {
  const KnowledgePage page = ReadKnowledgePage("01-x.md", R"(<!-- a comment -->
# How Gadget finds its *profiler*

> sibyl 0.1 · 2026-11-15 · gadget@4f2a91c · 2 of 2 citations hold

**In short.** It is optional[^1].

## 1. Detection

### 1.1 Order
`PROF_LIBRARY`, `prof.h`, `PROF_LIBRARY`, `-x y`, `12`

```cmake
# not a heading
## Nor this
```

## Section 2: Detection
See.[^2]

## 3D textures
## Not found
## Sources
[^1]: a `code`
[^2]: b
[^3]: nobody asks for it
)");
  EXPECT_EQ(page.title, "How Gadget finds its profiler");
  EXPECT_EQ(page.updated, "2026-11-15");
  EXPECT_EQ(page.citations, 2U);
  EXPECT_EQ(page.lines, 26U);
  EXPECT_EQ(page.keywords, (std::vector<std::string>{"PROF_LIBRARY", "prof.h"}));
  EXPECT_EQ(page.opening, "In short. It is optional.");
  std::vector<std::string> sections;
  for (const PageSection& section : page.sections) {
    sections.push_back(section.title + " #" + section.anchor);
  }
  EXPECT_EQ(sections,
            (std::vector<std::string>{"Detection #1-detection", "Detection #section-2-detection",
                                      "3D textures #3d-textures"}));
}

TEST(KnowledgePage, AnythingIsSomePage) {
  EXPECT_EQ(ReadKnowledgePage("a.md", "").title, "a.md");
  EXPECT_EQ(ReadKnowledgePage("a.md", std::string("\xff\0\n##", 5)).lines, 2U);
  EXPECT_EQ(ReadKnowledgePage("a.md", "# T\n\n**Last Updated**: 2025-11-21").updated, "2025-11-21");
}

TEST(KnowledgePage, HeadingsOfOneNameHaveAnchorsOfTheirOwn) {
  const KnowledgePage page = ReadKnowledgePage("a.md", "## Foo, bar!\n## Foo bar\n## Ünter_x\n");
  EXPECT_EQ(page.sections[0].anchor, "foo-bar");
  EXPECT_EQ(page.sections[1].anchor, "foo-bar-1");
  EXPECT_EQ(page.sections[2].anchor, "Ünter_x");
}

TEST(PageText, WordsOfOthersAreNotMarkup) {
  EXPECT_EQ(PlainLine(" a\n\tb  `c` | [d](e) <!-- sibyl:end files --> &amp; \xff"),
            "a b \\`c\\` \\| \\[d\\](e) &lt;!-- sibyl:end files --\\> &amp;amp; ");
  EXPECT_EQ(PlainLine("äöü", 4), "äö…");
  EXPECT_EQ(LinkFrom("_ingest-auto/completed/x", "cuda/01 a(b).md"),
            "../../../cuda/01%20a%28b%29.md");
}

// A title may say what it likes: the block stays a block and the table a table.
TEST(TopicIndex, AHostileTitleStaysInItsCell) {
  KnowledgePage page{.name = "01-a|b.md",
                     .title = "x <!-- sibyl:end files --> | y\n| z",
                     .sections = {{.title = "](evil) <script>", .anchor = "evil"}},
                     .keywords = {"a,b", "`c`"}};
  const std::string content = IndexBlock({page, page}, {});
  const auto replaced = ReplaceBlock("INDEX.md", StarterIndex("t", "x\n"), kIndexBlock, content);
  ASSERT_TRUE(replaced.ok());
  EXPECT_EQ(FindBlocks("INDEX.md", *replaced).value().size(), 1U);
  const MarkdownNode document = ParseMarkdown(content).value();
  const auto table =
      std::find_if(document.children.begin(), document.children.end(),
                   [](const MarkdownNode& node) { return node.kind == MarkdownKind::kTable; });
  ASSERT_NE(table, document.children.end());
  ASSERT_EQ(table->children.size(), 3U);
  for (const MarkdownNode& row : table->children) EXPECT_EQ(row.children.size(), 7U);
}

TEST(TopicIndex, KeywordsAreReadBack) {
  const KnowledgePage page{.name = "01-x y.md", .title = "X"};
  const Keywords chosen = {{"01-x%20y.md", {"alpha", "beta_gamma", "a|b"}}};
  const std::string index = StarterIndex("t", IndexBlock({page}, chosen));
  EXPECT_EQ(ReadKeywords(index), chosen);
  EXPECT_TRUE(ReadKeywords("<!-- sibyl:begin files -->").empty());
}

TEST(TopicIndex, AnEmptyTopicSaysSo) { EXPECT_EQ(IndexBlock({}, {}), "No files yet.\n"); }

TEST(Skill, TheStarterIsValid) {
  std::vector<Topic> topics;
  for (int i = 0; i < 500; ++i) {
    topics.push_back({.folder = "topic-" + std::to_string(i),
                      .files = 10,
                      .titles = std::vector<std::string>(50, "A long title of a file")});
  }
  const std::string text = StarterSkill("gpu-oracle", SkillBlock(topics), SkillDescription(topics));
  for (const Finding& finding : CheckSkill(text, "gpu-oracle")) {
    ADD_FAILURE() << finding.code << ": " << finding.message;
  }
  EXPECT_NE(text.find("And 460 topics in other folders."), std::string::npos);
}

TEST(Skill, TheDescriptionFollowsThePagesUntilAPersonWritesOne) {
  const std::vector<Topic> first = {{.folder = "gpu", .titles = {"Streams", "What \"it\" is: a"}}};
  const std::string made = SkillDescription(first);
  EXPECT_NE(made.find("Streams; What 'it' is: a"), std::string::npos) << made;
  const std::string page = StarterSkill("gpu", SkillBlock(first), made);
  EXPECT_TRUE(CheckSkill(page, "gpu").empty());
  const std::string more = SkillDescription({{.folder = "gpu", .titles = {"Streams", "Graphs"}}});
  const std::string second = WithDescription(page, more);
  EXPECT_EQ(second, StarterSkill("gpu", SkillBlock(first), more));
  const std::string old =
      "---\nname: gpu\ndescription: Knowledge with receipts. Every statement cites a pinned line "
      "of "
      "source. Use it for questions that its topics cover.\n---\n\nBody\n";
  EXPECT_EQ(WithDescription(old, "d"), "---\nname: gpu\ndescription: \"d\"\n---\n\nBody\n");
  for (const std::string persons : {"---\nname: gpu\ndescription: Mine.\n---\n", "# none\n", ""}) {
    EXPECT_EQ(WithDescription(persons, more), persons);
  }
}

TEST(Skill, SaysWhatAgentSkillsWouldObjectTo) {
  struct Case {
    std::string text;
    std::string_view code;
  };
  const std::string long_text(1'100, 'x');
  const Case cases[] = {
      {"# no front matter\n", "skill/front-matter"},
      {"---\nname: a\n", "skill/front-matter"},
      {"---\nname: Gpu\ndescription: d\n---\n", "skill/name"},
      {"---\nname: other\ndescription: d\n---\n", "skill/name"},
      {"---\nname: gpu-\ndescription: d\n---\n", "skill/name"},
      {"---\nname: gpu\n---\n", "skill/description"},
      {"---\nname: gpu\ndescription: " + long_text + "\n---\n", "skill/description"},
      {"---\nname: gpu\ndescription: use: this\n---\n", "skill/description"},
      {"---\nname: gpu\ndescription: d\ntags: x\n---\n", "skill/field"},
      {"---\nname: gpu\ndescription: d\ncompatibility: " + long_text + "\n---\n",
       "skill/compatibility"},
      {"---\nname: gpu\ndescription: d\n---\n" + std::string(600, '\n'), "skill/body"},
  };
  for (const Case& test : cases) {
    const auto findings = CheckSkill(test.text, "gpu");
    ASSERT_EQ(findings.size(), 1U) << test.text.substr(0, 80);
    EXPECT_EQ(findings[0].code, test.code);
  }
  EXPECT_TRUE(CheckSkill("---\nname: gpu\ndescription: >\n  folded: text\n  more\n"
                         "metadata:\n  version: \"1\"\n---\n# b\n",
                         "gpu")
                  .size() <= 1U);
  EXPECT_TRUE(CheckSkill("---\nname: \"gpu\"\ndescription: 'use: this'\n---\n", "gpu").empty());
}

TEST(Skill, NamesAreMadeOfFolders) {
  EXPECT_EQ(SkillName("GPU oracle"), "gpu-oracle");
  EXPECT_EQ(SkillName("ünïcode__x"), "n-code-x");
  EXPECT_EQ(SkillName("…"), "oracle");
  EXPECT_LE(SkillName(std::string(200, 'a')).size(), 64U);
}

TEST(Drop, ListsThePagesThatWereCited) {
  const draft::Draft draft{
      .path = "cuda/01-x.md",
      .title = "X",
      .text =
          "# X\n\n## Sources\n\n"
          "[^1]: [Warps](https://a.example/w#:~:text=x), accessed 2026-11-15 <!-- web:1 -->\n"
          "[^2]: [Warps](https://a.example/w#:~:text=y), accessed 2026-11-15 <!-- web:2 -->\n"
          "[^3]: [gadget a.c L1](https://b.example/a.c#L1) <!-- swh:1:cnt:3 -->\n"
          "[^4]: [Lanes](https://c.example/), accessed 2026-11-15 <!-- web:4 -->\n"
          "[^5]: broken <!-- web:5 -->\n"};
  const std::string drop = DeliveredDrop({.number = 1, .target = draft.path},
                                         {.file = gate::TestVerified::Of(draft, 0)}, {});
  EXPECT_NE(drop.find("Pages among them:\n\n- Warps: https://a.example/w (2 citations)\n"
                      "- Lanes: https://c.example/ (1 citation)\n\n"),
            std::string::npos)
      << drop;
}

TEST(Drop, IsNamedByThePlanOrByTheFile) {
  const Time time{std::chrono::seconds(1'794'733'500)};
  plan::Part part{.number = 3, .target = "cuda/16-cupti-insights.md"};
  EXPECT_EQ(DropName(part, time), "KNOWLEDGE-DROP-cupti-insights-2026-11-15.md");
  part.drop = "KNOWLEDGE-DROP-gpu-builds-2025-02-03-[TIME].md";
  EXPECT_EQ(DropName(part, time), "KNOWLEDGE-DROP-gpu-builds-2026-11-15.md");
  part.drop = "KNOWLEDGE-DROP-{slug}.md";
  EXPECT_EQ(DropName(part, time), "KNOWLEDGE-DROP-cupti-insights-2026-11-15.md");
  EXPECT_EQ(DropName({.number = 3}, time), "KNOWLEDGE-DROP-part-3-2026-11-15.md");
}

TEST(Drop, TheNewestOfAPartIsFoundByDateAndNumber) {
  const plan::Part part{.number = 1, .target = "cuda/04-graphs.md"};
  EXPECT_EQ(NewestDrop({}, part), "");
  EXPECT_EQ(
      NewestDrop({"KNOWLEDGE-DROP-graphs-2026-11-15.md", "ingestion.md",
                  "KNOWLEDGE-DROP-graphs-2026-11-15-10.md", "KNOWLEDGE-DROP-graphs-2026-11-15-2.md",
                  "KNOWLEDGE-DROP-graphs-2025-12-31-11.md"},
                 part),
      "KNOWLEDGE-DROP-graphs-2026-11-15-10.md");
  // Of other parts, and of nobody.
  EXPECT_EQ(
      NewestDrop({"KNOWLEDGE-DROP-graphs-old-2026-11-15.md", "KNOWLEDGE-DROP-graphs-.md",
                  "KNOWLEDGE-DROP-graphs-2026-11-15-x.md", "KNOWLEDGE-DROP-graphs-2026-11-15-1.md",
                  "KNOWLEDGE-DROP-graphs-2026-11-15.txt"},
                 part),
      "");
}

Intent SomeIntent() {
  return {.time = 5,
          .steps = {{.path = "a/01-b.md", .after = "x", .staged = "0"},
                    {.kind = StepKind::kBlock,
                     .path = "a/INDEX.md",
                     .after = "y",
                     .staged = "1",
                     .block = "files"},
                    {.kind = StepKind::kMoveFolder,
                     .path = "_ingest-auto/completed/p",
                     .from = "_ingest-auto/p"}},
          .paths = {"a/01-b.md"},
          .message = "expand\n",
          .published = {.id = "0a1b",
                        .plan = "p.md",
                        .files = {{.part = 1, .path = "a/01-b.md", .lines = 3}},
                        .failed = {{.part = 2, .reason = "no"}},
                        .findings = {{.code = "publish/x", .message = "m"}}}};
}

TEST(Intent, ReadsAsItWasWritten) {
  const std::string text = FormatIntent(SomeIntent());
  const Result<Intent> read = ParseIntent(text);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(FormatIntent(*read), text);
  EXPECT_EQ(FormatPublished(ParsePublished(FormatPublished(read->published)).value()),
            FormatPublished(read->published));
}

TEST(Intent, PathsThatLeadElsewhereAreRefused) {
  for (const char* path : {"", "/etc/passwd", "../x", "a/../../x", ".git/config", ".sibyl/x"}) {
    Intent intent = SomeIntent();
    intent.steps[0].path = path;
    EXPECT_FALSE(ParseIntent(FormatIntent(intent)).ok()) << path;
    intent = SomeIntent();
    intent.steps[2].from = path;
    EXPECT_FALSE(ParseIntent(FormatIntent(intent)).ok()) << path;
    intent = SomeIntent();
    intent.paths[0] = path;
    EXPECT_FALSE(ParseIntent(FormatIntent(intent)).ok()) << path;
  }
  Intent intent = SomeIntent();
  intent.steps[0].staged = "../../x";
  EXPECT_FALSE(ParseIntent(FormatIntent(intent)).ok());
  intent = SomeIntent();
  intent.published.id = "../x";
  EXPECT_FALSE(ParseIntent(FormatIntent(intent)).ok());
  EXPECT_FALSE(ParseIntent("{}").ok());
  EXPECT_FALSE(ParseIntent("[1]").ok());
}

}  // namespace
}  // namespace sibyl::library
