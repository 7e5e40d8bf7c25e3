// SPDX-License-Identifier: Apache-2.0
// Rules that were found by reading documents of other repositories.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "references/find/find.h"

namespace sibyl::references {
namespace {

std::vector<Reference> All(std::string_view document) {
  const Result<FoundReferences> found = FindReferences(document);
  EXPECT_TRUE(found.ok());
  return found.ok() ? found->all : std::vector<Reference>();
}

std::vector<std::string> Places(std::string_view document) {
  std::vector<std::string> places;
  for (const Reference& one : All(document)) {
    places.push_back(
        one.path + ":" + std::to_string(one.lines.first) +
        (one.lines.last == one.lines.first ? std::string() : "-" + std::to_string(one.lines.last)));
  }
  return places;
}

std::vector<std::string> WholeOwnNames(const Reference& reference) {
  std::vector<std::string> names;
  for (const ClaimedName& name : reference.claim.names) {
    if (name.is_own && !name.is_part) names.push_back(name.text);
  }
  return names;
}

using Strings = std::vector<std::string>;

TEST(FindMore, ASymbolAndItsLine) {
  EXPECT_EQ(Places("`src/a.ts:197` reads it (`parseMetadataValue:173`)."),
            (Strings{"src/a.ts:197", "src/a.ts:173"}));
  EXPECT_EQ(Places("`src/a.ts:197` and `expiresAt:4102444800000`."), Strings{"src/a.ts:197"});
}

TEST(FindMore, AColumnWithARangeHasLines) {
  EXPECT_EQ(Places("| File | Lines |\n|---|---|\n| `a.sql` | 137 |\n| `b.ts` | 3-9 |\n"),
            (Strings{"a.sql:137", "b.ts:3-9"}));
  EXPECT_EQ(Places("| File | Lines |\n|---|---|\n| `a.sql` | 137 |\n"), Strings{});
  EXPECT_EQ(Places("| File | Line |\n|---|---|\n| `a.sql` | 137 (comment) |\n"),
            Strings{"a.sql:137"});
}

TEST(FindMore, ASectionThatListsOneFileNamesItForItsSiblings) {
  EXPECT_EQ(
      Places("## Phase\n\n### Files touched\n\n- `src/w.ts`\n\n### Work\n\nAfter lines 3-5.\n"),
      Strings{"src/w.ts:3-5"});
}

TEST(FindMore, NumbersThatWereCitedAboveAreOfTheSameFile) {
  EXPECT_EQ(Places("`a.rs:3-9` and `b.rs:5`.\n\nIt starts at line 5.\n"),
            (Strings{"a.rs:3-9", "b.rs:5", "b.rs:5"}));
  EXPECT_EQ(Places("`a.rs:3-9` and `b.rs:5`.\n\nThen line 260 of the same file.\n"),
            (Strings{"a.rs:3-9", "b.rs:5", "b.rs:260"}));
}

TEST(FindMore, ALineOfADrawingIsItsClaim) {
  const std::vector<Reference> all =
      All("```\nrun.rs:1  start()\n  -> a.rs:12  parse_text(input)\n```\n");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1].claim.names.front().text, "parse_text(input)");
  EXPECT_EQ(Places("```\na.py (line 57-59)\n  log(\"at b.py:12\")\n```\n"), Strings{"a.py:57-59"});
}

TEST(FindMore, AFileBeforeANumberWinsOverOneAfterIt) {
  EXPECT_EQ(Places("The file `Cargo.toml` has:\n\n- `bin` (line 46), with path `src/bin/x.rs`.\n"),
            Strings{"Cargo.toml:46"});
  EXPECT_EQ(Places("All in `sim.cpp`.\n\n- `weigh` (`:11`), see `clone.cpp:32`.\n"),
            (Strings{"sim.cpp:11", "clone.cpp:32"}));
  EXPECT_EQ(Places("Line 46 ends it, see `src/x.rs`.\n"), Strings{"src/x.rs:46"});
  EXPECT_EQ(Places("About `a.rs`.\n\n- Lines 4-6 (`b.rs`)\n"), Strings{"b.rs:4-6"});
}

TEST(FindMore, ACommentAtTheEndOfALineOfCodeMayCite) {
  EXPECT_EQ(Places("```sql\nCREATE TABLE t (\n  id TEXT, -- the folder, see start.rs:47\n"
                   "  error TEXT\n);\n```\n"),
            Strings{"start.rs:47"});
  EXPECT_TRUE(Places("```sql\nSELECT 'start.rs:47';\n```\n").empty());
  EXPECT_TRUE(Places("```\nSyntax error in a.rs:47:\n```\n").empty());
}

TEST(FindMore, APortIsNotALine) {
  EXPECT_TRUE(Places("`srv.go` listens on `:8080`.\n").empty());
  EXPECT_TRUE(Places("Run `x.pb -http=:8080` on `srv.go`.\n").empty());
}

TEST(FindMore, TheLengthOfAFileIsNotACitation) {
  EXPECT_TRUE(Places("| File | Lines |\n| --- | --- |\n| `a.py` | 438 |\n").empty());
  EXPECT_TRUE(Places("| File | Lines |\n| --- | --- |\n| `a.py` | 1,216 |\n").empty());
  EXPECT_TRUE(Places("| File | Current Lines |\n| --- | --- |\n| `a.py` | 438 |\n").empty());
  EXPECT_EQ(Places("| File | Lines |\n| --- | --- |\n| `a.py` | 4-38 |\n"), Strings{"a.py:4-38"});
  EXPECT_EQ(Places("| File | Line |\n| --- | --- |\n| `a.py` | 438 |\n"), Strings{"a.py:438"});
}

TEST(FindMore, AnyCellOfTheHeaderMayNameTheFile) {
  EXPECT_EQ(Places("| In src/a.rs | Line |\n| --- | --- |\n| `run` | 80 |\n"),
            Strings{"src/a.rs:80"});
}

TEST(FindMore, UnderscoresThatMarkdownTakesForEmphasisBelongToThePath) {
  const std::vector<Reference> all = All("Fixed __init__.py:65 and pkg/__main__.py:7.\n");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].path, "__init__.py");
  EXPECT_EQ(all[0].text, "__init__.py:65");
  EXPECT_EQ(all[1].path, "pkg/__main__.py");
}

TEST(FindMore, ARangeMayGoOverTheEndOfALine) {
  EXPECT_EQ(Places("See `src/a.rs:68-\n71` here.\n"), Strings{"src/a.rs:68-71"});
}

TEST(FindMore, PlacesThatAreNotExactAreNotCorrected) {
  const std::vector<Reference> all =
      All("10. wrapped: the function `step`\n    (`src/a.rs:68-\n    71`) ends.\n");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].lines, (LineRange{68, 71}));
  EXPECT_EQ(all[0].text, "src/a.rs");
  EXPECT_TRUE(all[0].numbers.empty());
  EXPECT_EQ(all[0].path_end, 0U);
}

TEST(FindMore, AHashWithoutAFileIsNotACitation) {
  EXPECT_TRUE(Places("In `a.md`: `path#L10-L20` is the form.\n").empty());
}

TEST(FindMore, ACellWithASentenceIsNotAboutOtherCells) {
  const std::string head = "| Op | What | N |\n| --- | --- | --- |\n";
  const std::vector<Reference> sentence =
      All(head + "| `LBU` | load the word and extract (`a.rs:35`) | 8 |\n");
  ASSERT_EQ(sentence.size(), 1U);
  EXPECT_TRUE(WholeOwnNames(sentence[0]).empty());
  const std::vector<Reference> alone = All(head + "| `LBU` | used at `a.rs:35` | 8 |\n");
  ASSERT_EQ(alone.size(), 1U);
  EXPECT_EQ(WholeOwnNames(alone[0]), Strings{"LBU"});
}

TEST(FindMore, ACallNamesItsFunction) {
  const std::vector<Reference> all = All("`build(ctx, event)` is generic (`a.rs:35`).\n");
  ASSERT_EQ(all.size(), 1U);
  const Strings names = WholeOwnNames(all[0]);
  EXPECT_NE(std::find(names.begin(), names.end(), "build"), names.end());
  EXPECT_EQ(std::find(names.begin(), names.end(), "ctx"), names.end());
}

TEST(FindMore, APathWithAPatternIsNotAName) {
  const std::vector<Reference> all =
      All("It is in a.rs:117 and in src/camera/camera_follow.{h,cpp}.\n");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_TRUE(WholeOwnNames(all[0]).empty());
}

TEST(FindMore, AFileOfDataBesideACitationIsClaimed) {
  const std::vector<Reference> all = All("It writes `settings.json` (`home.rs:20`).\n");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(WholeOwnNames(all[0]), Strings{"settings.json"});
  const std::vector<Reference> far =
      All("`home.rs:20` calls the builder with the name of `settings.json`.\n");
  ASSERT_EQ(far.size(), 1U);
  EXPECT_TRUE(WholeOwnNames(far[0]).empty());
}

TEST(FindMore, CodeRightBelowACitationMayBeItsLines) {
  const std::vector<Reference> all =
      All("**Location**: `a.py:20-22`\n\n```python\ncount = compute(all_items)\n```\n");
  ASSERT_EQ(all.size(), 1U);
  ASSERT_EQ(all[0].claim.names.size(), 1U);
  EXPECT_EQ(all[0].claim.names[0].kind, ClaimedName::Kind::kBlock);
  EXPECT_GT(all[0].claim.names[0].distance, 80U);
}

TEST(FindMore, NumbersThatAreNotLines) {
  EXPECT_TRUE(Places("# `src/a.rs`\n\nIt is `ln(2)`, and ln(2).\n").empty());
  EXPECT_TRUE(Places("# `src/a.rs`\n\n**Lines**: 239\n").empty());
  EXPECT_TRUE(Places("`src/a.rs` listens with `-http=:8080`.\n").empty());
  EXPECT_TRUE(Places("A link has the form `path#L10-L20`.\n").empty());
  EXPECT_EQ(Places("# `src/a.rs`\n\n**Lines**: 239-250\n"), (Strings{"src/a.rs:239-250"}));
}

TEST(FindMore, IssuesAndMessagesAreNotLines) {
  EXPECT_TRUE(Places("# `src/a.rs`\n\nIt has 20 net lines (#6088-#6091).\n").empty());
  EXPECT_EQ(Places("# `src/a.rs`\n\nThe loop is at line #12.\n"), (Strings{"src/a.rs:12"}));
  EXPECT_TRUE(Places("# `src/a.sh`\n\nIt dies: `line 509: x: unbound variable`.\n").empty());
  EXPECT_TRUE(Places("```\n- src/a.sh:45 - SC2086 word splitting\n```\n").empty());
}

TEST(FindMore, ABareNumberGoesOnWithTheFileBeforeIt) {
  EXPECT_EQ(Places("`index.h:28-29` and `:30` (`other.h`)\n"),
            (Strings{"index.h:28-29", "index.h:30"}));
}

TEST(FindMore, AFileWithItsOwnNumberIsNotThatOfAnEarlierOne) {
  EXPECT_EQ(Places("The vision (L112) and ROADMAP.md (L101) say so.\n"),
            (Strings{"ROADMAP.md:101"}));
}

TEST(FindMore, NumbersInParenthesesAndInJapanese) {
  EXPECT_EQ(Places("See `foo.cs(17)`.\n"), (Strings{"foo.cs:17"}));
  EXPECT_TRUE(Places("`foo.cs`(170), `bar.cs`(20)\n").empty());
  EXPECT_EQ(Places("`foo.rs` の17行目\n"), (Strings{"foo.rs:17"}));
}

TEST(FindMore, PathsWithBlanksAndOtherLetters) {
  const FindOptions options{.is_known = [](std::string_view name) {
    return name == "my dir/foo bar.rs" || name == "ünï/föö.rs";
  }};
  const auto found = FindReferences("`my dir/foo bar.rs:10` and `ünï/föö.rs:12`\n", options);
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->all.size(), 2U);
  EXPECT_EQ(found->all[0].path, "my dir/foo bar.rs");
  EXPECT_EQ(found->all[1].path, "ünï/föö.rs");
}

std::vector<std::string> Unasserted(const Reference& reference) {
  std::vector<std::string> names;
  for (const ClaimedName& name : reference.claim.names) {
    if (!name.is_asserted) names.push_back(name.text);
  }
  return names;
}

TEST(FindMore, KeywordsAndTheNameOfTheFileProveNothingWhereTheyAreAbsent) {
  EXPECT_EQ(Unasserted(All("`can_accept` is `false` (`a.rs:18`).")[0]), Strings{"false"});
  EXPECT_EQ(Unasserted(All("**scan_all** (scan_all.rs lines 70-76)")[0]), Strings{"scan_all"});
}

TEST(FindMore, WhatIsBeforeADotIsAQualifier) {
  EXPECT_EQ(WholeOwnNames(All("`Reader.parse_all()` (`a.py:18`)")[0]), Strings{"parse_all"});
  EXPECT_EQ(WholeOwnNames(All("`SO_PEERCRED.uid` (`a.py:18`)")[0]),
            (Strings{"uid", "SO_PEERCRED"}));
}

TEST(FindMore, ANameWithItsValueIsClaimed) {
  EXPECT_EQ(WholeOwnNames(All("`GRACE_MS = 100` (`a.py:18`)")[0]),
            (Strings{"GRACE_MS = 100", "GRACE_MS"}));
}

TEST(FindMore, OtherBoxesOfADrawingSayNothing) {
  const auto found = All("```\n| x |\n│ a.rs:12 parse() │ each touch() refreshes │\n```\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(WholeOwnNames(found[0]), (Strings{"parse()", "parse"}));
}

TEST(FindMore, ACommentAboveCodeNamesItsLines) {
  const std::string block = "```ts\n// Lines 15-17: parsing\nlet limit = read();\n```\n";
  EXPECT_EQ(Places("**File:** `src/a.ts`\n" + block), std::vector<std::string>{"src/a.ts:15-17"});
  EXPECT_TRUE(Places("Two files: `src/a.ts` and `src/b.ts`\n" + block).empty());
  EXPECT_TRUE(Places("Some code:\n" + block).empty());
}

TEST(FindMore, ASliceIsNoCitation) {
  EXPECT_EQ(Places("`src/a.py:19` has `md5(path).hexdigest()[:8]`."), Strings{"src/a.py:19"});
}

TEST(FindMore, KnowsWhatLeadsToAList) {
  const auto found = All("# Stores\n\nCallers of `load_store`:\n\n1. `a.rs:12` - `run`\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].claim.context.find("load_store"), std::string::npos);
  EXPECT_NE(found[0].claim.context.find("Stores"), std::string::npos);
  EXPECT_EQ(found[0].claim.context.find("a.rs"), std::string::npos);
}

TEST(FindMore, AnItemThatSaysWhereNamesTheFileOfItsSiblings) {
  EXPECT_EQ(Places("- **BUG-1**: leak\n  - **Location:** `src/a.py:3-9`\n  - **Problem:** line 5\n"
                   "- **BUG-2**: crash\n  - **File:** `src/b.py`\n  - **Line:** 7\n"),
            (Strings{"src/a.py:3-9", "src/a.py:5", "src/b.py:7"}));
  EXPECT_EQ(Places("## Fix\n\n**File:** `src/a.tsx`\n\nState (line 12).\n\n## Other\n\nLine 9.\n"),
            Strings{"src/a.tsx:12"});
}

TEST(FindMore, AnItemThatBeginsWithItsFileHasNumbersInBrackets) {
  EXPECT_EQ(Places("- `src/a.rs`: `parse` (10–20), `kLimit` (34), `Db::open` (48-98).\n"),
            (Strings{"src/a.rs:10-20", "src/a.rs:34", "src/a.rs:48-98"}));
  EXPECT_TRUE(Places("- `src/a.rs`: `parse` (34) and the rest (10–20).\n").empty());
  EXPECT_TRUE(Places("The file `src/a.rs` has `parse` (10–20).\n").empty());
}

TEST(FindMore, ANumberMayBeOfTheFileThatAParagraphAloneNames) {
  EXPECT_EQ(
      Places(
          "## Task\n\nFiles:\n- Modify: `src/a.rs`\n- Test: none\n\nRework `parse` at ~line 34.\n"),
      Strings{"src/a.rs:34"});
}

}  // namespace
}  // namespace sibyl::references
