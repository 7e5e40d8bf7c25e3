// SPDX-License-Identifier: Apache-2.0
#include "references/find/find.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "references/find/quick_look.h"

namespace sibyl::references {
namespace {

std::vector<Reference> Find(std::string_view document) {
  const Result<FoundReferences> found = FindReferences(document);
  EXPECT_TRUE(found.ok());
  return found.ok() ? found->all : std::vector<Reference>();
}

// "a.rs:12-20" for each; with "?" if the file is guessed.
std::vector<std::string> Cited(std::string_view document) {
  std::vector<std::string> cited;
  for (const Reference& one : Find(document)) {
    std::string text = one.path + ":" + std::to_string(one.lines.first);
    if (one.lines.last != one.lines.first) text += "-" + std::to_string(one.lines.last);
    if (one.is_guessed) text += "?";
    cited.push_back(std::move(text));
  }
  return cited;
}

using Texts = std::vector<std::string>;

TEST(Find, FilesWithNumbers) {
  EXPECT_EQ(Cited("See `src/a.rs:12`, src/b.rs:3-9 and **c.py**:7.\n"),
            (Texts{"src/a.rs:12", "src/b.rs:3-9", "c.py:7"}));
  EXPECT_EQ(Cited("`a.rs:711`–`718` and a.rs:12:5 and a.rs:L9 and a.rs#L3\n"),
            (Texts{"a.rs:711-718", "a.rs:12", "a.rs:9", "a.rs:3"}));
  EXPECT_EQ(Cited("`a.rs:12,34` `b.rs:1-2,5-6`\n"),
            (Texts{"a.rs:12", "a.rs:34", "b.rs:1-2", "b.rs:5-6"}));
}

TEST(Find, BareNumbersAfterAFile) {
  EXPECT_EQ(Cited("`run` (`src/a.rs:12`) and `stop` (`:34-36`).\n"),
            (Texts{"src/a.rs:12", "src/a.rs:34-36"}));
  EXPECT_TRUE(Cited("At 12:30, `::` and `a:b`.\n").empty());
}

TEST(Find, LinesInWords) {
  EXPECT_EQ(Cited("`f()` in `a.rs`, lines 10–20.\n"), (Texts{"a.rs:10-20"}));
  EXPECT_EQ(Cited("At line 1329 of x.rs it ends.\n"), (Texts{"x.rs:1329"}));
  EXPECT_EQ(Cited("`x.py` line 12, `y.py` (lines 3 to 5)\n"), (Texts{"x.py:12", "y.py:3-5"}));
  EXPECT_EQ(Cited("`a.rs` (~line 40) and `b.rs`, ~50-60\n"), (Texts{"a.rs:40", "b.rs:50-60"}));
  EXPECT_EQ(Cited("见 `a.rs` 第 12 行\n"), (Texts{"a.rs:12"}));
}

TEST(Find, LinesInOtherLanguages) {
  EXPECT_EQ(Cited("`a.rs` (linie 37, 73), `b.rs`, Zeile 5, `c.rs` à la ligne 7\n"),
            (Texts{"a.rs:37", "a.rs:73", "b.rs:5", "c.rs:7"}));
  EXPECT_EQ(Cited("`a.rs`, строки 3-9, и `b.rs` (líneas 4-6)\n"), (Texts{"a.rs:3-9", "b.rs:4-6"}));
  EXPECT_TRUE(Cited("`a.rs` wird an der Linie ausgerichtet, 5 mal.\n").empty());
}

TEST(Find, FilesOfLinksWhoseTextHasTheNumber) {
  EXPECT_EQ(Cited("See [`reader.go:26`](../api/store/reader.go) and `x/.../b.go:7`.\n"),
            (Texts{"../api/store/reader.go:26", "x/.../b.go:7"}));
}

TEST(Find, LinesByLetter) {
  EXPECT_EQ(Cited("`a.rs` has `f` (L12-34) and `g` (~L56).\n"), (Texts{"a.rs:12-34", "a.rs:56"}));
  EXPECT_TRUE(Cited("`a.rs` fits the L1 cache and L2.\n").empty());
}

TEST(Find, TheOnlyFileThatTheSectionCitesTwice) {
  const std::string later = "\nTo do:\n\n1. `g` (L120) goes.\n";
  EXPECT_EQ(Cited("- `f` is in `src/a.rs:3`.\n- `h` is in `src/a.rs:5`.\n" + later),
            (Texts{"src/a.rs:3", "src/a.rs:5", "src/a.rs:120"}));
  EXPECT_EQ(Cited("- `f` is in `src/a.rs:3`.\n- `h` is in `src/b.rs:5`.\n" + later),
            (Texts{"src/a.rs:3", "src/b.rs:5", "src/b.rs:120?"}));
  EXPECT_EQ(Cited("- `f` is in `src/a.rs:3`.\n" + later), (Texts{"src/a.rs:3", "src/a.rs:120?"}));
}

TEST(Find, TheFileThatTheDocumentNamesForItsNumbers) {
  EXPECT_EQ(Cited("All line numbers refer to `src/a.rs`.\n\n# Work\n\n- `g` added (line 38).\n"),
            (Texts{"src/a.rs:38"}));
  EXPECT_TRUE(Cited("We use `src/a.rs`.\n\n# Work\n\n- `g` added (line 38).\n").empty());
}

TEST(Find, TheWordsThatLeadToACitation) {
  const auto prose = [](std::string_view document) {
    std::vector<std::string> all;
    for (const Reference& one : Find(document)) all.push_back(one.claim.prose);
    return all;
  };
  EXPECT_EQ(prose("The fetch loop (`a.rs:1`, `a.rs:9`) feeds the decoder (`b.rs:2`).\n"),
            (Texts{"The fetch loop (", "The fetch loop (", ") feeds the decoder ("}));
  EXPECT_EQ(prose("- `a.rs:1`: the scheduler loop\n"), (Texts{": the scheduler loop"}));
}

TEST(Find, CountsAndMessagesAreNoLines) {
  EXPECT_TRUE(Cited("`a.rs` has 120 lines 2023–2026, a 564-line method, lines 95.9%.\n").empty());
  EXPECT_TRUE(Cited("`a.rs`: parse error at line 1 column 0\n").empty());
  EXPECT_TRUE(Cited("`src/a.rs`：179 insertions, 49 deletions\n").empty());
}

TEST(Find, FilesOfAnEnclosingItemParagraphOrHeading) {
  EXPECT_EQ(Cited("- `src/a.rs`\n  - Line 12: `f`\n- other, line 4\n"),
            (Texts{"src/a.rs:12", "src/a.rs:4?"}));
  EXPECT_EQ(Cited("In **`src/a.rs`**:\n\n- `f` (line 12)\n- `g` (line 20)\n"),
            (Texts{"src/a.rs:12", "src/a.rs:20"}));
  EXPECT_EQ(Cited("## `src/a.rs`\n\nThe loop is at line 12.\n"), (Texts{"src/a.rs:12"}));
  EXPECT_TRUE(Cited("`a.rs` and `b.rs` differ.\n\nSee line 12.\n").empty());
}

TEST(Find, Links) {
  const std::string document = "See [run](../src/a.rs#L10-L20) and [b.rs:7](b.rs#L7).\n";
  EXPECT_EQ(Cited(document), (Texts{"../src/a.rs:10-20", "b.rs:7"}));
  const std::vector<Reference> found = Find(document);
  EXPECT_EQ(found[0].form, Form::kLink);
  EXPECT_EQ(found[0].text, "../src/a.rs#L10-L20");
  EXPECT_EQ(found[1].numbers.size(), 2U);  // in the text and in the URL
}

TEST(Find, Permalinks) {
  const std::vector<Reference> found =
      Find("[x](https://github.com/o/r/blob/0123456789abcdef/src/a.rs#L10-L12)\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].form, Form::kPermalink);
  EXPECT_EQ(found[0].path, "src/a.rs");
  EXPECT_EQ(found[0].commit, "0123456789abcdef");
}

TEST(Find, BracketsOfModels) {
  EXPECT_EQ(Cited("It fails.【F:src/a.rs†L10-L12】\n"), (Texts{"src/a.rs:10-12"}));
}

TEST(Find, Tables) {
  EXPECT_EQ(Cited("| File | Line |\n|---|---|\n| `a.rs` | 12-14 |\n| b.rs | ~20 |\n"),
            (Texts{"a.rs:12-14", "b.rs:20"}));
  EXPECT_EQ(Cited("| Name | File |\n|---|---|\n| `f` | `a.rs:12` |\n"), (Texts{"a.rs:12"}));
}

TEST(Find, CommentsOfCodeBlocksButNotTerminalOutput) {
  EXPECT_EQ(Cited("```rust\n// src/a.rs:12-14\nfn f() {}\n```\n"), (Texts{"src/a.rs:12-14"}));
  EXPECT_TRUE(Cited("```\n$ make\nsrc/a.rs:12:5: error: no\n```\n").empty());
  EXPECT_TRUE(Cited("```\nthread 'main' panicked at src/a.rs:12:5:\n```\n").empty());
  EXPECT_TRUE(Cited("```rust\nlet x = \"src/a.rs:12\";\n```\n").empty());
}

TEST(Find, WrappedLines) {
  EXPECT_EQ(Cited("The function `f` in `src/a.rs`,\nlines 10-20, loops.\n"),
            (Texts{"src/a.rs:10-20"}));
}

TEST(Find, TheBytesOfEachNumber) {
  const std::string document = "Ünder `src/a.rs:120-131`.\n";
  const std::vector<Reference> found = Find(document);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].text, "src/a.rs:120-131");
  ASSERT_EQ(found[0].numbers.size(), 2U);
  const auto digits = [&](const NumberPlace& place) {
    return document.substr(place.begin, place.end - place.begin);
  };
  EXPECT_EQ(digits(found[0].numbers[0]), "120");
  EXPECT_EQ(digits(found[0].numbers[1]), "131");
}

std::vector<std::string> OwnNames(const Reference& reference) {
  std::vector<std::string> names;
  for (const ClaimedName& name : reference.claim.names) {
    if (name.is_own) names.push_back(name.text);
  }
  return names;
}

TEST(Find, ClaimsNamesBeforeACitation) {
  const std::vector<Reference> found = Find("`run` (`a.rs:1`), then `stop` (`a.rs:9`).\n");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(OwnNames(found[0]), (Texts{"run"}));
  EXPECT_EQ(OwnNames(found[1]), (Texts{"stop"}));
}

TEST(Find, ClaimsNamesAfterACitationThatComesFirst) {
  const std::vector<Reference> found = Find("- `a.rs:1`: `run` starts it.\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(OwnNames(found[0]), (Texts{"run"}));
}

TEST(Find, ClaimsTheCodeThatFollows) {
  const std::vector<Reference> found =
      Find("**Copy** (`a.rs:1-3`):\n\n```rust\nlet copied = original.clone();\n```\n");
  ASSERT_EQ(found.size(), 1U);
  ASSERT_EQ(found[0].claim.names.size(), 1U);
  EXPECT_EQ(found[0].claim.names[0].kind, ClaimedName::Kind::kBlock);
}

TEST(Find, TheCommitOfAFrontMatter) {
  EXPECT_EQ(PinnedCommit("---\ntitle: x\ncommit: \"1a2b3c4d\"\n---\n# x\n"), "1a2b3c4d");
  EXPECT_EQ(PinnedCommit("# x\ncommit: 1a2b3c4d\n"), "");
}

RC_GTEST_PROP(Find, PointsIntoTheDocument, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "`a.rs:12`", "line 3", " of ", "b.py", "\n", "\n\n", "- ", "| ", "(L40)", "`f`", ":7-9",
      "[x](c.ts#L4)", "```\n", "// d.h:3", "é", "第 4 行", "~", "**"));
  std::string document;
  for (const std::string& piece : pieces) document += piece;
  for (const Reference& one : Find(document)) {
    RC_ASSERT(one.begin <= one.end && one.end <= document.size());
    RC_ASSERT(document.substr(one.begin, one.end - one.begin) == one.text);
    for (const NumberPlace& place : one.numbers) {
      const std::string digits = document.substr(place.begin, place.end - place.begin);
      RC_ASSERT(digits == std::to_string(place.is_last ? one.lines.last : one.lines.first));
    }
  }
}

}  // namespace
}  // namespace sibyl::references
