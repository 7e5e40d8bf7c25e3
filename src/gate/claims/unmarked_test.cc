// SPDX-License-Identifier: Apache-2.0
#include "gate/claims/unmarked.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gate/test_book.h"
#include "gate/uncited.h"

namespace sibyl::gate {
namespace {

using Strings = std::vector<std::string>;

// A source about retries, and pages that cite it.
class Unmarked : public testing::Test {
 protected:
  Unmarked() {
    book_.git().Write("retry.md",
                      "# Retries\n\n"
                      "The server retries a failed connection 34 times by default.\n"
                      "The first pause lasts 100 milliseconds, and later pauses grow.\n"
                      "The cache keeps every entry in a directory named after its key.\n"
                      "The cache may be cleared while the server runs.\n"
                      "Interval: 250, \"how long it waits. The unit is milliseconds (ms).\"\n");
    book_.git().Commit();
    EXPECT_TRUE(evidence::SyncSource("gadget", book_.around()).ok());
  }

  // What fails on a page with two cited statements at its end.
  Strings Judge(const std::string& text, const std::string& after = "") const {
    const TestFile file(book_, text +
                                   "The server retries a failed connection 34 times by "
                                   "default.[^1] The first pause lasts 100 milliseconds.[^2]\n\n" +
                                   after + "\n\n" + book_.Define("1", "retry.md:3") +
                                   book_.Define("2", "retry.md:4") +
                                   book_.Define("3", "retry.md:5-6") +
                                   book_.Define("4", "retry.md:7"));
    return Failures(FindUncited(file.cited()));
  }

  TestBook book_;
};

TEST_F(Unmarked, HeadingsThatNameTheirSubjectPass) {
  for (const char* heading :
       {"# Retries of connections", "## How the server retries", "## The first pause",
        "## Timing: 34 retries", "## Failed connections\n\n### Pauses between retries",
        "Pauses\n------", "## Overview", "## The server retries a failed connection",
        "## What happens when the cache is full", "## When is a connection too slow?",
        "## Choosing the best pause", "## Two kinds of retries"}) {
    EXPECT_EQ(Judge(std::string(heading) + "\n\n"), Strings{}) << heading;
  }
}

TEST_F(Unmarked, CommentsAddedToQuotedCodeAreJudged) {
  const auto code = [](std::string_view comment) {
    return fmt::format("It says:[^1]\n\n```text\n{}\nThe server retries.\n```\n\n", comment);
  };
  EXPECT_EQ(Judge(code("// The server never gives up.")), Strings{"4 text/claim absent"});
  EXPECT_EQ(Judge(code("// retries a failed connection 34 times")), Strings{});
  EXPECT_EQ(Judge(code("// retry.md:3")), Strings{});
}

TEST_F(Unmarked, HeadingsThatClaimMoreAreRefused) {
  for (const char* heading :
       {"## 16 retries by default", "## The server gives up after 34 seconds",
        "## Retries: never more than two", "## The fastest client",
        "## Pauses shrink over time, and the server is idle", "## A guaranteed connection",
        "## `retry_forever` and its pauses", "## The server silently drops connections",
        "## Deprecated retries"}) {
    EXPECT_EQ(Judge(std::string(heading) + "\n\n"), Strings{"1 text/claim absent"}) << heading;
  }
  EXPECT_EQ(Judge("Every connection is encrypted\n-----\n\n"), Strings{"1 text/claim absent"});
}

TEST_F(Unmarked, ThePlanChoosesItsHeadings) {
  const std::string stamp = "\n\n> sibyl 0.1 · 2026-11-15 · 2 of 2 citations hold\n\n";
  EXPECT_EQ(Judge("# Gadget 12 never sleeps" + stamp + "## 1. All about queues\n\n"), Strings{});
  EXPECT_EQ(Judge("# T" + stamp + "## 1. Queues\n\n### Every queue is empty\n\n"),
            Strings{"7 text/claim absent"});
  const std::string table = "| planned | covered by |\n| - | - |\n| Every queue | 1.1 |\n\n";
  EXPECT_EQ(Judge("# T" + stamp + table + "## 1. Queues\n\n### 1.1 Every queue\n\n"), Strings{});
}

TEST_F(Unmarked, AHeadingThatOnlyLooksPlannedIsJudgedInADraft) {
  const TestFile file(book_,
                      "# T\n\n> sibyl 0.1 · x\n\n## 1. Every queue is empty\n\n"
                      "The server retries a failed connection 34 times by default.[^1]\n\n" +
                          book_.Define("1", "retry.md:3"));
  EXPECT_EQ(Failures(FindUncited(file.cited())), Strings{});
  EXPECT_EQ(Failures(JudgeUnplanned(file.cited(), {.title = "T"})), Strings{"5 text/claim absent"});
  EXPECT_EQ(Failures(JudgeUnplanned(
                file.cited(), {.title = "T", .sections = {{.title = "Every queue is empty"}}})),
            Strings{});
}

TEST_F(Unmarked, LabelsQuestionsAndIntroductionsAreJudged) {
  EXPECT_EQ(Judge("**In short.** "), Strings{});
  EXPECT_EQ(Judge("**Thread-safe.** "), Strings{"1 text/claim absent"});
  EXPECT_EQ(Judge("What happens when a connection fails? "), Strings{});
  EXPECT_EQ(Judge("Why does the server silently ignore errors? "), Strings{"1 text/claim absent"});
  EXPECT_EQ(Judge("It works like this:\n\n"), Strings{});
  EXPECT_EQ(Judge("The retries of the server:\n\n"), Strings{});
  EXPECT_EQ(Judge("Since the server needs an API key, set these options first:\n\n"),
            Strings{"1 text/claim absent"});
}

TEST_F(Unmarked, AltTextsTitlesAndCommentsOfExamplesAreJudged) {
  EXPECT_EQ(Judge("![Diagram of the pauses](x.png)\n\n"), Strings{});
  EXPECT_EQ(Judge("![The server handles 5000 connections](x.png)\n\n"),
            Strings{"1 text/claim absent"});
  EXPECT_EQ(Judge("![Every pause is encrypted][r]\n\n[r]: x.png\n\n"),
            Strings{"1 text/claim absent"});
  EXPECT_EQ(Judge("See [it](x.md \"the pauses\").\n\n"), Strings{});
  EXPECT_EQ(Judge("![First pause of 34 milliseconds, later a failed server connection](x.png)\n\n"),
            Strings{"1 text/claim absent"});
  EXPECT_EQ(Judge("See [it](x.md \"pauses are encrypted\").\n\n"), Strings{"1 text/claim absent"});
  EXPECT_EQ(Judge("", "```py example\nx = 1  # the first pause\n```\n[^1]\n"), Strings{});
  EXPECT_EQ(Judge("", "```py example\nx = 1  # this is always encrypted\n```\n[^1]\n"),
            Strings{"4 text/claim absent"});
}

TEST_F(Unmarked, CellsMayGiveTheUnitThatTheLinesCountIn) {
  const auto table = [](std::string_view cell) {
    return fmt::format(
        "| Default | What it is |\n| --- | --- |\n| {} | how long it waits[^4] |\n\n", cell);
  };
  EXPECT_EQ(Judge(table("250 ms")), Strings{});
  EXPECT_EQ(Judge(table("250 s")), Strings{"3 text/claim absent"});
}

TEST_F(Unmarked, CellsWithoutAMarkRelyOnTheirRow) {
  const std::string head = "| Setting | Default | Remark |\n| - | - | - |\n";
  EXPECT_EQ(Judge(head + "| connection | 34 times[^1] | a failed connection |\n\n"), Strings{});
  EXPECT_EQ(Judge(head + "| connection | 34 times[^1] | shared by all ranks |\n\n"),
            Strings{"3 text/claim absent"});
  EXPECT_EQ(Judge("| Setting (all of them stable) | Default |\n| - | - |\n"
                  "| connection[^1] | 34 times[^1] |\n\n"),
            Strings{"1 text/claim absent"});
}

TEST_F(Unmarked, LinkTextsAndSeeAlsoLinesAreJudged) {
  EXPECT_EQ(Judge("See also: [the queue](a.md), [How it grows](b.md).\n\n"), Strings{});
  EXPECT_EQ(Judge("- [The server never loses a connection](a.md)\n\n"),
            Strings{"1 text/claim absent"});
  EXPECT_EQ(Judge("See also the fact that pauses are encrypted.\n\n"),
            Strings{"1 text/claim absent"});
}

TEST_F(Unmarked, ALinkInTheWordsOfItsHeadingIsNotAClaim) {
  EXPECT_EQ(Judge("See also: [Never more than 400 lines](b.md#12-never-more-than-400-lines)\n\n"),
            Strings{});
  EXPECT_EQ(Judge("See also: [Never more than 400 lines](b.md#lines)\n\n"),
            Strings{"1 text/claim absent"});
  EXPECT_EQ(Judge("See also: [Never slow](https://b.org/a#never-slow), and it is never slow\n\n"),
            Strings{"1 text/claim absent"});
}

TEST_F(Unmarked, APlaceInTheSourcesIsNotAClaim) {
  EXPECT_EQ(Judge("Declared in gadget `retry.md`, Retries:\n\n"), Strings{});
  EXPECT_EQ(Judge("See also: gadget `retry.md`, Retries 3-4[^1]; gadget `retry.md` 5-6[^3]\n\n"),
            Strings{});
  EXPECT_EQ(Judge("Declared in gadget `retry.md`, and encrypted:\n\n"),
            Strings{"1 text/claim absent"});
}

TEST_F(Unmarked, AClauseAfterADashIsJudged) {
  EXPECT_EQ(
      Judge("", "The cache keeps every entry — and entries are encrypted with passwords.[^3]"),
      Strings{"3 text/claim absent"});
  EXPECT_EQ(
      Judge("", "The cache keeps every entry - and entries are encrypted with passwords.[^3]"),
      Strings{"3 text/claim absent"});
  EXPECT_EQ(Judge("",
                  "The cache keeps every entry — and it may be cleared while the server "
                  "runs.[^3]"),
            Strings{});
}

TEST_F(Unmarked, WhatFollowsTheLastMarkOfASentenceIsJudged) {
  EXPECT_EQ(Judge("", "The cache keeps every entry[^3], and the cache is encrypted."),
            Strings{"3 text/claim absent"});
  EXPECT_EQ(Judge("", "The cache keeps every entry[^3], and entries are named after their key."),
            Strings{});
  EXPECT_EQ(Judge("", "The cache keeps an entry[^3], and always clears the directory."),
            Strings{"3 text/claim absent"});
}

TEST_F(Unmarked, WordsOfOtherScriptsMustBeInTheLines) {
  EXPECT_EQ(Judge("## Очередь пуста\n\n"), Strings{"1 text/claim absent"});
  EXPECT_EQ(Judge("", "缓存在每台主机上加密。"), Strings{"3 cite/missing absent"});
}

// Issue 26: a table of FP16 and FP8 values fell for the header "16-bit".
TEST_F(Unmarked, TheBitsOfATypeMayBeInItsName) {
  book_.git().Write("peaks.md", "H100: peak_fp16 is 1979 and peak_float8 is 3958.\n");
  book_.git().Commit();
  ASSERT_TRUE(evidence::SyncSource("gadget", book_.around()).ok());
  const auto judge = [&](const std::string& head) {
    const TestFile file(book_, "| GPU | " + head + " |\n| - | - |\n| H100 | 1979[^1] |\n\n" +
                                   book_.Define("1", "peaks.md:1"));
    return Failures(FindUncited(file.cited()));
  };
  EXPECT_EQ(judge("16-bit peak"), Strings{});
  EXPECT_EQ(judge("32-bit peak"), Strings{"1 text/claim absent"});
  EXPECT_EQ(judge("16 ms peak"), Strings{"1 text/claim absent"});
}

// Issue 26: "two" had to be a word of the lines.
TEST_F(Unmarked, ASentenceMayCountItsOwnItems) {
  book_.git().Write("home.py", "if HOME is None:\n    raise Unknown(HOME)  # not set, see A, B\n");
  book_.git().Commit();
  ASSERT_TRUE(evidence::SyncSource("gadget", book_.around()).ok());
  const auto judge = [&](const std::string& text) {
    const TestFile file(book_, text + "\n\n" + book_.Define("1", "home.py:1-2"));
    return Failures(FindUncited(file.cited()));
  };
  EXPECT_EQ(judge("It sees A and B; `HOME` is not set for the last two.[^1]"), Strings{});
  EXPECT_EQ(judge("It sees A and B; `HOME` is not set for two of them.[^1]"),
            Strings{"1 text/claim absent"});
}

TEST_F(Unmarked, WordsBesideACitationAreJudged) {
  std::string definition = book_.Define("1", "retry.md:3");
  definition.insert(definition.find(" <!--"), " — the server is always encrypted");
  const TestFile file(book_, "The server retries a failed connection.[^1]\n\n" + definition);
  EXPECT_EQ(Failures(FindUncited(file.cited())), Strings{"3 text/claim absent"});
}

TEST_F(Unmarked, WhatIsCitedAndCannotBeReadIsNotHeldAgainstATitle) {
  const TestFile file(book_, "## Every queue is empty\n\nA.[^1]\n\n[^1]: not a citation\n");
  EXPECT_EQ(Failures(FindUncited(file.cited())), Strings{});
}

TEST_F(Unmarked, ACitationCarriesASentenceNextToIt) {
  EXPECT_EQ(Judge("",
                  "The cache keeps every entry in a directory.[^3] "
                  "The directory of an entry is named after its key."),
            Strings{});
  EXPECT_EQ(
      Judge("", "The cache keeps every entry in a directory.[^3] It is shared between hosts."),
      Strings{"3 cite/missing absent"});
  EXPECT_EQ(Judge("", "The cache keeps every entry in a directory[^3]; it is the fastest."),
            Strings{"3 cite/missing absent"});
}

TEST_F(Unmarked, ALeadInNeedsNoCitationIfWhatFollowsCarriesIt) {
  EXPECT_EQ(Judge("The server retries a failed connection.\n\n"), Strings{});
  EXPECT_EQ(Judge("The server encrypts a failed connection with a password.\n\n"),
            Strings{"1 cite/missing absent"});
  EXPECT_EQ(Judge("", "The server retries a failed connection."), Strings{"3 cite/missing absent"})
      << "nothing follows";
}

TEST_F(Unmarked, ANestedItemNeedsItsOwnCitation) {
  EXPECT_EQ(
      Judge("- The first pause lasts 100 milliseconds.[^2]\n  - It turns the server off.\n\n"),
      Strings{"2 cite/missing absent"});
}

// Issue 18: claims in ordinary clauses.
TEST_F(Unmarked, PartsOfACitedSentenceAreClaims) {
  const auto failures = [&](const std::string& text) { return Judge("", text).size(); };
  EXPECT_EQ(failures("**The cache:** every entry is kept in a directory.[^3]"), 0U);
  EXPECT_EQ(failures("**The fastest cache:** every entry is kept in a directory.[^3]"), 1U);
  EXPECT_EQ(failures("**Recommended for Windows:** every entry is kept in a directory.[^3]"), 1U);
  EXPECT_EQ(failures("The cache (encrypted by openssl) keeps every entry in a directory.[^3]"), 1U);
  EXPECT_EQ(failures("The cache (named after its key) keeps every entry in a directory.[^3]"), 0U);
  EXPECT_EQ(failures("The cache, whose only dependency is libc, keeps every entry.[^3]"), 1U);
  EXPECT_EQ(failures("The cache, whose entries have a directory, keeps every entry.[^3]"), 0U);
  EXPECT_EQ(
      failures("The cache keeps every entry; what it measures is the wattage of a processor.[^3]"),
      1U);
}

TEST_F(Unmarked, DefaultsInHeadersAndHeadings) {
  book_.git().Write("switch.md",
                    "- **quotes:** Curly quotes. Defaults to `true`.\n"
                    "By default, remote access is disabled.\n");
  book_.git().Commit();
  EXPECT_TRUE(evidence::SyncSource("gadget", book_.around()).ok());
  const auto failures = [&](const std::string& text) {
    const TestFile file(
        book_, text + "\n\n" + book_.Define("1", "switch.md:1") + book_.Define("2", "switch.md:2"));
    return Failures(FindUncited(file.cited())).size();
  };
  EXPECT_EQ(failures("| Option | What it adds (off by default) |\n| --- | --- |\n"
                     "| `quotes` | curly quotes[^1] |"),
            1U);
  EXPECT_EQ(failures("| Option | What it adds (on by default) |\n| --- | --- |\n"
                     "| `quotes` | curly quotes[^1] |"),
            0U);
  EXPECT_EQ(failures("## Remote access, enabled out of the box\n\n"
                     "Remote access has a default.[^2]"),
            1U);
  EXPECT_EQ(failures("## Remote access, disabled by default\n\nRemote access has a default.[^2]"),
            0U);
}

TEST(Claims, HeadingsOfAWritersSectionGiveNoExemption) {
  const auto exemption = [](std::string_view text) {
    const statement::Statements read = *statement::ReadStatements(text);
    return ExemptionName(ExemptionOf(read, read.all.size() - 1));
  };
  EXPECT_EQ(exemption("## Not found\n\nNothing was found here.\n"), "open point");
  EXPECT_EQ(exemption("## A\n\n### Not found\n\nIt never fails at all.\n"), "none");
  EXPECT_EQ(exemption("## A\n\n### Sources\n\nIt never fails at all.\n"), "none");
  EXPECT_EQ(exemption("## A\n\n| planned | b |\n| - | - |\n| It never fails at all | c |\n"),
            "none");
}

TEST_F(Unmarked, LeadInsAndTransitionsPass) {
  for (const char* text :
       {"Two settings are of particular interest:", "There are several remedies:",
        "A few pauses deserve attention:", "The following table matches pauses with retries."}) {
    EXPECT_EQ(Judge("## Retries\n\n" + std::string(text) + "\n\n"), Strings{}) << text;
  }
  EXPECT_EQ(Judge("",
                  "The cache is a matter of its own. It may be cleared while the server "
                  "runs.[^3]"),
            Strings{});
}

TEST_F(Unmarked, TransitionsThatSaySomethingAreRefused) {
  for (const char* text : {"The cache is encrypted.", "The queue is a matter of its own.",
                           "Nothing more is worth knowing."}) {
    EXPECT_EQ(Judge("", std::string(text) + " It may be cleared while the server runs.[^3]").size(),
              1U)
        << text;
  }
}

TEST_F(Unmarked, ASwitchInAHeadingIsJudged) {
  EXPECT_EQ(Judge("## Retries, switched off until a pause is set\n\n").size(), 1U);
}

TEST_F(Unmarked, AProperNameInALabelIsJudged) {
  EXPECT_EQ(Judge("**Retries of the server, launched from Haskell.** ").size(), 1U);
  EXPECT_EQ(Judge("**Retries of the Server.** "), Strings{});
}

}  // namespace
}  // namespace sibyl::gate
