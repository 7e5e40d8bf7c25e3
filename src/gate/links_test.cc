// SPDX-License-Identifier: Apache-2.0
#include "gate/links.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/files/temporary_folder.h"
#include "base/percent.h"
#include "gate/test_book.h"

namespace sibyl::gate {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

TEST(Anchors, AreNumberedWhenAHeadingOccursTwice) {
  constexpr std::string_view kText = "# Notes\n\n## Notes\n\n<a name=\"old\"></a>\n";
  const statement::Anchors anchors(statement::ReadStatements(kText)->headings, kText);
  for (const std::string_view name : {"notes", "notes-1", "old", "", "NOTES"}) {
    EXPECT_TRUE(anchors.Has(name)) << name;
  }
  EXPECT_FALSE(anchors.Has("notes-2"));
  EXPECT_EQ(anchors.Nearest("note"), "notes");
}

TEST(Anchors, AreDecodedFromPercents) {
  EXPECT_EQ(DecodePercentLeniently("a%20b%2Fc%zz%"), "a b/c%zz%");
}

TEST(RelativePaths, DoNotLeaveTheOracle) {
  EXPECT_EQ(ResolveRelative("cuda/01-a.md", "02-b.md"), "cuda/02-b.md");
  EXPECT_EQ(ResolveRelative("cuda/01-a.md", "../x/./y.md"), "x/y.md");
  EXPECT_EQ(ResolveRelative("cuda/01-a.md", "/x.md"), "x.md");
  EXPECT_EQ(ResolveRelative("cuda/01-a.md", "../../etc/passwd"), std::nullopt);
  EXPECT_EQ(ResolveRelative("a.md", ".."), std::nullopt);
}

class Links : public ::testing::Test {
 protected:
  void Write(const fs::path& path, std::string_view text) {
    fs::create_directories((folder_.path() / path).parent_path());
    std::ofstream(folder_.path() / path) << text;
  }

  std::vector<statement::Judgement> Judge(const std::string& text) {
    const statement::Statements statements = *statement::ReadStatements(text);
    const Receipts receipts;
    OraclePages pages(folder_.path());
    pages.Put("cuda/01-a.md", statements, text);
    return JudgeLinks(
        {.name = "a.md", .text_view = text, .statements = statements, .receipts = receipts},
        "cuda/01-a.md", pages);
  }

  TemporaryFolder folder_;
};

TEST_F(Links, LeadToFilesAndHeadingsThatExist) {
  Write("cuda/02-b.md", "# B\n\n## The profiler\n");
  Write("other/src/x.cc", "int x;\n");
  const auto judgements = Judge(
      "# A\n\n[1](02-b.md) [2](02-b.md#the-profiler) [3](#a) [4](../other/src) "
      "[5](../other/src/x.cc#L10) [6](https://example.org/) [7](mailto:a@b.c)\n");
  EXPECT_TRUE(Failures(judgements).empty());
  EXPECT_EQ(judgements.size(), 7U);
  const statement::VerdictCounts counts = statement::CountVerdicts(judgements);
  EXPECT_EQ(counts.undecidable, 3U) << "places in code, and what is on the network";
}

TEST_F(Links, AreBrokenWhenTheyDoNotAndSayWhatWasMeant) {
  Write("cuda/02-b.md", "# B\n\n## 2. The profiler\n");
  const auto judgements =
      Judge("# A\n\n[1](03-c.md), [2](02-b.md#the-profilers),\n[3](#b) [4](../../../etc/passwd)\n");
  EXPECT_EQ(Failures(judgements),
            (Strings{"3 link/broken absent", "3 link/broken absent", "4 link/broken absent"}));
  EXPECT_EQ(judgements[0].message, "the oracle has no cuda/03-c.md");
  EXPECT_EQ(judgements[1].nearest, "#2-the-profiler");
  EXPECT_EQ(judgements[3].verdict, statement::Verdict::kUndecidable);
}

TEST_F(Links, OfAnotherFolderAreNotRead) {
  Write("secret.md", "# Secret\n");
  fs::create_directories(folder_.path() / "oracle/cuda");
  fs::create_symlink(folder_.path() / "secret.md", folder_.path() / "oracle/cuda/way-out.md");
  OraclePages pages(folder_.path() / "oracle");
  EXPECT_FALSE(pages.Exists("cuda/way-out.md"));
  EXPECT_EQ(pages.AnchorsOf("cuda/way-out.md"), nullptr);
}

TEST_F(Links, ByTheHundredThousandStayWithinLimits) {
  std::string text = "# A\n\n";
  for (int i = 0; i < 100'000; ++i) text += "[x](b" + std::to_string(i) + ".md)\n";
  const auto judgements = Judge(text);
  EXPECT_EQ(judgements.size(), 20'001U);
  EXPECT_TRUE(judgements.back().message.starts_with("not checked")) << "there are more";
  EXPECT_EQ(judgements.back().verdict, statement::Verdict::kUndecidable);
}

TEST_F(Links, AreJudgedOncePerTarget) {
  const auto judgements = Judge("# A\n\n[1](b.md) [2](b.md) ![3](b.md) [4](b.md#x)\n");
  EXPECT_EQ(judgements.size(), 2U);
}

TEST_F(Links, ToNothingLeadToThePageItself) {
  EXPECT_TRUE(Failures(Judge("# A\n\n[1](#) [2](#top) [3](#A)\n")).empty());
  EXPECT_EQ(Failures(Judge("# A\n\n[1](#nowhere)\n")), Strings{"3 link/broken absent"});
}

TEST_F(Links, MayHaveQueriesPercentsAndOtherScripts) {
  Write("cuda/größe der queue.md", "# Größe\n");
  EXPECT_TRUE(
      Failures(Judge("# A\n\n[1](gr%C3%B6%C3%9Fe%20der%20queue.md?raw=1#gr%C3%B6%C3%9Fe)\n"))
          .empty());
}

TEST_F(Links, WithAnySchemeAreNotAsked) {
  const auto judgements = Judge(
      "# A\n\n[1](https://example.org/a) [2](//example.org/a) [3](mailto:a@example.org) "
      "[4](tel:1)\n");
  ASSERT_EQ(judgements.size(), 4U);
  for (const statement::Judgement& judgement : judgements) {
    EXPECT_EQ(judgement.verdict, statement::Verdict::kUndecidable) << judgement.text;
  }
}

TEST_F(Links, OfPicturesAreNamedSo) {
  const auto judgements = Judge("# A\n\n![a picture](none.png)\n");
  ASSERT_EQ(judgements.size(), 1U);
  EXPECT_EQ(judgements[0].kind, "image");
  EXPECT_EQ(judgements[0].verdict, statement::Verdict::kAbsent);
}

TEST(UnsafeLinks, RunAScriptOrHoldTheirContent) {
  const auto unsafe = [](const std::string& url) {
    const std::string text = "A [link](<" + url + ">) here.\n";
    const statement::Statements statements = *statement::ReadStatements(text);
    const Receipts receipts;
    const auto judgements = JudgeUnsafeLinks(
        {.name = "a.md", .text_view = text, .statements = statements, .receipts = receipts});
    return !judgements.empty() && judgements[0].code == "link/unsafe";
  };
  for (const char* url :
       {"javascript:alert(1)", "JavaScript:x", "java&#x73;cript:x", "%6aavascript:x",
        "data:text/html,x", "vbscript:x", "file:///etc/passwd"}) {
    EXPECT_TRUE(unsafe(url)) << url;
  }
  for (const char* url : {"https://example.org/javascript:x", "a.md", "#data:x", "mailto:a@b.c",
                          "javascript.md", "data/x.md"}) {
    EXPECT_FALSE(unsafe(url)) << url;
  }
}

}  // namespace
}  // namespace sibyl::gate
