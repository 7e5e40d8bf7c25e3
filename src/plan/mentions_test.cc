// SPDX-License-Identifier: Apache-2.0
#include "plan/mentions.h"

#include <gtest/gtest.h>

namespace sibyl::plan {
namespace {

using Strings = std::vector<std::string>;

Strings Queries(std::string_view text, QueryContext context = QueryContext::kNone) {
  return FindQueries(text, context);
}

TEST(FindQueries, ReadsTheWaysPeopleWriteThem) {
  EXPECT_EQ(Queries("Search: \"a b\""), (Strings{"a b"}));
  EXPECT_EQ(Queries("Search GitHub: \"a b\" (official)"), (Strings{"a b"}));
  EXPECT_EQ(Queries("**Search:** “curly quotes”"), (Strings{"curly quotes"}));
  EXPECT_EQ(Queries("Web search: bare words (why)"), (Strings{"bare words"}));
  EXPECT_EQ(Queries("Search: \"one\", \"two\""), (Strings{"one", "two"}));
  EXPECT_EQ(Queries("Search: \"one\" OR \"two\""), (Strings{"\"one\" OR \"two\""}));
  EXPECT_EQ(Queries("Search for \"one\" and \"two\""), (Strings{"one", "two"}));
  EXPECT_EQ(Queries("Search: `in code font`"), (Strings{"in code font"}));
  EXPECT_EQ(Queries("search_engine(query=\"a b\", engine=\"google\")"), (Strings{"a b"}));
  EXPECT_EQ(Queries("Use mcp__web__search_engine(query='a b')"), (Strings{"a b"}));
  EXPECT_EQ(Queries("call web_search(\"a b\")"), (Strings{"a b"}));
  EXPECT_EQ(Queries("{\"query\": \"a b\"}"), (Strings{"a b"}));
  EXPECT_EQ(Queries("\"a b\"", QueryContext::kListed), (Strings{"a b"}));
}

TEST(FindQueries, LeavesProseAlone) {
  EXPECT_TRUE(Queries("Search strategies: grid, random").empty());
  EXPECT_TRUE(Queries("Query planning in \"fast\" mode").empty());
  EXPECT_TRUE(Queries("Grep for \"docker\" in cuda/").empty());
  EXPECT_TRUE(Queries("Search for \"cache\" in oracle").empty());
  EXPECT_TRUE(Queries("Search for \"cache\"", QueryContext::kKnowledge).empty());
  EXPECT_TRUE(Queries("\"quoted\" words").empty());
}

TEST(FindUrls, StopsWhereProseGoesOn) {
  EXPECT_EQ(FindUrls("see https://a.org/x_(y)."), (Strings{"https://a.org/x_(y)"}));
  EXPECT_EQ(FindUrls("[a](https://a.org/b) and <http://c.org>"),
            (Strings{"https://a.org/b", "http://c.org"}));
  EXPECT_TRUE(FindUrls("https:// nothing").empty());
}

TEST(FindRepositories, WantsTheLineToSpeakOfOne) {
  const auto plain = [](std::string_view text) {
    return FindRepositories(text, RepositoryContext::kNone);
  };
  EXPECT_EQ(plain("Cite: GitHub NVIDIA/cutlass code"), (Strings{"NVIDIA/cutlass"}));
  EXPECT_EQ(plain("https://github.com/a-b/c.git and more"), (Strings{"a-b/c"}));
  EXPECT_EQ(plain("PyTorch GitHub (pytorch/pytorch) build"), (Strings{"pytorch/pytorch"}));
  EXPECT_EQ(plain("acme/gadget repository"), (Strings{"acme/gadget"}));
  EXPECT_EQ(plain("nvidia-docker GitHub repo (configs)"), (Strings{"nvidia-docker"}));
  EXPECT_TRUE(plain("GitHub Actions CI/CD").empty());
  EXPECT_TRUE(plain("GitHub: ResNet/BERT/GPT scripts").empty());
  EXPECT_TRUE(plain("PyTorch GitHub cmake/Dependencies.cmake").empty());
  EXPECT_TRUE(plain("FP16/BF16 decisions").empty());
  EXPECT_TRUE(plain("in the repository, `torch/amp` holds it").empty());
  EXPECT_EQ(FindRepositories("acme/gadget (tools)", RepositoryContext::kListed),
            (Strings{"acme/gadget"}));
}

TEST(FindReads, FindsFilesFoldersAndLines) {
  const std::vector<Read> reads = FindReads("Read docs/a.md lines 10-40 and b/ (c.md, d/e)", 7);
  ASSERT_EQ(reads.size(), 2U);
  EXPECT_EQ(reads[0].path, "docs/a.md");
  EXPECT_EQ(reads[0].from, 10U);
  EXPECT_EQ(reads[0].to, 40U);
  EXPECT_EQ(reads[1].path, "b/");
  EXPECT_FALSE(reads[1].from.has_value());
  EXPECT_EQ(reads[0].line, 7U);
  EXPECT_EQ(FindReads("Read `a.md:3-9`", 1).at(0).to, 9U);
  EXPECT_EQ(FindReads("Read a.md#L3-L9", 1).at(0).from, 3U);
  EXPECT_EQ(FindReads("Review a.md (lines 5–8)", 1).at(0).to, 8U);
  EXPECT_EQ(FindReads("Read a.md lines 1-2 and lines 8-9", 1).size(), 2U);
  EXPECT_TRUE(FindReads("Extract lines 1-9", 1).empty());
  EXPECT_TRUE(FindReads("Read the FP16/BF16 notes", 1).empty());
}

TEST(FindDrop, TakesTheNameWithItsPlaceholder) {
  EXPECT_EQ(FindDrop("Create KNOWLEDGE-DROP-a-2026-[TIME].md."), "KNOWLEDGE-DROP-a-2026-[TIME].md");
  EXPECT_EQ(FindDrop("Create KNOWLEDGE-DROP-*.md"), "");
}

}  // namespace
}  // namespace sibyl::plan
