// SPDX-License-Identifier: Apache-2.0
#include "gate/receipt.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gate/rules.h"
#include "gate/test_book.h"

namespace sibyl::gate {
namespace {

using statement::Verdict;

const TestBook& Desk() {
  static const TestBook* const kDesk = new TestBook();
  return *kDesk;
}

Receipts ReceiptsIn(const std::string& text) {
  return ReadReceipts(*statement::ReadStatements(text));
}

TEST(ReceiptTest, IsReadFromEachDefinition) {
  const Receipts receipts =
      ReceiptsIn("One.[^1] Two.[^1] Three.[^b]\n\n" + Desk().Define("1", "README.md:3") +
                 "[^b]: nonsense\n" + Desk().Define("never", "README.md:1"));
  ASSERT_EQ(receipts.size(), 3U);
  EXPECT_EQ(receipts.at("1").uses, 2U);
  EXPECT_EQ(receipts.at("1").line, 3U);
  ASSERT_NE(receipts.at("1").source(), nullptr);
  EXPECT_EQ(receipts.at("1").source()->path, "README.md");
  EXPECT_EQ(receipts.at("1").page(), nullptr);
  EXPECT_FALSE(receipts.at("b").citation.has_value());
  EXPECT_FALSE(receipts.at("b").problem.empty());
  EXPECT_EQ(receipts.at("never").uses, 0U);
}

TEST(ReceiptTest, OfATextWithoutDefinitionsIsNone) {
  EXPECT_TRUE(ReceiptsIn("").empty());
  EXPECT_TRUE(ReceiptsIn("One.[^1]\n").empty());
}

TEST(ReceiptTest, HasACommentThatIsNoCitationAsItsProblem) {
  const Receipts receipts = ReceiptsIn("A.[^1]\n\n[^1]: x <!-- swh:1:cnt:short -->\n");
  EXPECT_FALSE(receipts.at("1").citation.has_value());
  EXPECT_FALSE(receipts.at("1").problem.empty());
}

TEST(ReceiptTest, HasNoWordsUntilItIsResolved) {
  Receipts receipts = ReceiptsIn("A.[^1]\n\n" + Desk().Define("1", "README.md:3"));
  EXPECT_FALSE(receipts.at("1").Resolves());
  EXPECT_EQ(receipts.at("1").Span(), std::nullopt);
  const CitationResolver resolver = Desk().Resolver();
  ResolveReceipts({&receipts}, resolver);
  EXPECT_TRUE(receipts.at("1").Resolves());
  EXPECT_EQ(receipts.at("1").Span(), "The profiler is optional.\n");
}

TEST(ReceiptTest, OfAnArtifactIsResolvedByWhoeverCan) {
  const std::string fact = evidence::FormatCitation(evidence::FactCitation{
      .sha256 = std::string(64, 'a'), .inspector = "cuda", .key = "cubin.count"});
  Receipts receipts = ReceiptsIn("A.[^1]\n\n[^1]: a fact <!-- " + fact + " -->\n");
  const CitationResolver resolver = Desk().Resolver();
  ResolveReceipts({&receipts}, resolver);
  EXPECT_FALSE(receipts.at("1").other.has_value()) << "nobody looks at artifacts here";
  for (const auto& [verdict, resolves] : {std::pair{Verdict::kSupported, true},
                                          {Verdict::kStale, true},
                                          {Verdict::kAbsent, false},
                                          {Verdict::kUndecidable, false}}) {
    ResolveReceipts({&receipts}, resolver, [given = verdict](const evidence::Citation&) {
      return OtherAnswer{.verdict = given, .text = "3 cubins"};
    });
    EXPECT_EQ(receipts.at("1").Resolves(), resolves) << statement::VerdictName(verdict);
    EXPECT_EQ(receipts.at("1").Span().value_or("none"), resolves ? "3 cubins" : "none");
  }
}

TEST(ReceiptTest, OfAPageThatIsNotPinnedDoesNotResolve) {
  const std::string page =
      evidence::FormatCitation(evidence::WebCitation{.sha256 = std::string(64, 'a'),
                                                     .url = "https://example.org/",
                                                     .accessed = "2026-11-15T00:00:00Z",
                                                     .first_char = 0,
                                                     .end_char = 5});
  Receipts receipts = ReceiptsIn("A.[^1]\n\n[^1]: a page <!-- " + page + " -->\n");
  ASSERT_NE(receipts.at("1").page(), nullptr);
  const CitationResolver resolver = Desk().Resolver();
  ResolveReceipts({&receipts}, resolver);
  ASSERT_TRUE(receipts.at("1").other.has_value());
  EXPECT_EQ(receipts.at("1").other->verdict, Verdict::kAbsent);
}

TEST(ReceiptTest, OfManyFilesIsResolvedInOneBatch) {
  Receipts one = ReceiptsIn("A.[^1]\n\n" + Desk().Define("1", "README.md:3"));
  Receipts two = ReceiptsIn("B.[^1]\n\n" + Desk().Define("1", "README.md:1"));
  const CitationResolver resolver = Desk().Resolver();
  ResolveReceipts({&one, &two}, resolver);
  EXPECT_EQ(one.at("1").Span(), "The profiler is optional.\n");
  EXPECT_EQ(two.at("1").Span(), "# Gadget\n");
  ResolveReceipts({}, resolver);
}

TEST(ReceiptTest, ThatIsNotStaleIsNotLookedForElsewhere) {
  Receipts receipts = ReceiptsIn("A.[^1]\n\n" + Desk().Define("1", "README.md:3"));
  const CitationResolver resolver = Desk().Resolver();
  ResolveReceipts({&receipts}, resolver);
  RefindStale({&receipts}, resolver);
  EXPECT_FALSE(receipts.at("1").refound.has_value());
}

TEST(DescribeSource, NamesPinPathAndLines) {
  const auto cited = evidence::MakeCitation("cmake/Profiler.cmake:3-5", Desk().around());
  ASSERT_TRUE(cited.ok());
  evidence::SourceCitation citation = cited->citation;
  const std::string commit = citation.anchor_id.Hex().substr(0, 7);
  const CitationResolver resolver = Desk().Resolver();
  const evidence::Pin& pin = resolver.lock().pins.at(0);
  EXPECT_EQ(DescribeSource(citation, &pin), "gadget@" + commit + " cmake/Profiler.cmake:3-5");
  citation.lines = {};
  EXPECT_EQ(DescribeSource(citation, &pin), "gadget@" + commit + " cmake/Profiler.cmake");
  citation.path.clear();
  EXPECT_EQ(DescribeSource(citation, &pin), "gadget@" + commit + " " + citation.blob.Hex());
  citation.origin = "https://example.org/x";
  citation.anchor = evidence::SourceCitation::Anchor::kNone;
  EXPECT_EQ(DescribeSource(citation, nullptr), "https://example.org/x " + citation.blob.Hex());
}

TEST(GateRules, NameEachCodeOnceWithASentence) {
  std::vector<std::string> codes;
  for (const Rule& rule : GateRules()) {
    codes.emplace_back(rule.code);
    EXPECT_NE(rule.code.find('/'), std::string_view::npos);
    EXPECT_FALSE(rule.meaning.empty());
    EXPECT_FALSE(rule.meaning.ends_with('.'));
  }
  std::vector<std::string> unique = codes;
  std::sort(unique.begin(), unique.end());
  EXPECT_EQ(std::unique(unique.begin(), unique.end()), unique.end());
  for (const char* code : {"cite/missing", "cite/unresolved", "cite/stale", "cite/instruction",
                           "text/control", "quote/mismatch", "ident/unknown", "number/ungrounded",
                           "link/broken", "struct/stamp", "struct/budget", "index/markers"}) {
    EXPECT_NE(std::find(codes.begin(), codes.end(), code), codes.end()) << code;
  }
}

}  // namespace
}  // namespace sibyl::gate
