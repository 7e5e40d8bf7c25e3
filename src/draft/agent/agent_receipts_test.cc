// SPDX-License-Identifier: Apache-2.0
#include "draft/agent/agent_receipts.h"

#include <gtest/gtest.h>

#include "draft/test_passages.h"

namespace sibyl::draft {
namespace {

class AgentReceiptsTest : public PassageTest {
 protected:
  std::string Lines(std::uint32_t first, std::uint32_t last) const {
    return evidence::FormatCitation(Passage("cache.md", "markdown", "a\nb\nc\n").Cite(first, last));
  }

  // What is wrong with the definition, or "".
  std::string Define(const std::string& line, const LineOrigin& origin = {}) {
    const Status status = receipts_.Define(line, origin);
    return status.ok() ? "" : status.error().message;
  }

  AgentReceipts receipts_{
      "p3", lock_,
      AgentReceipts::Finders{
          .words = [](const evidence::SourceCitation& citation, std::string_view words) {
            return evidence::FindWords("alpha\nbeta gamma\ndelta\n", citation.lines, words);
          }}};
};

TEST_F(AgentReceiptsTest, ADefinitionIsALabelAndAColon) {
  EXPECT_TRUE(AgentReceipts::IsDefinition("[^a]: swh:1:cnt:0"));
  EXPECT_TRUE(AgentReceipts::IsDefinition("[^a]:"));
  for (const char* line : {"", "a", "[^a]", "[a]: x", "text [^a]: x", "[^]: x"}) {
    EXPECT_FALSE(AgentReceipts::IsDefinition(line)) << line;
  }
}

TEST_F(AgentReceiptsTest, ACitationIsBareInBackquotesOrInAComment) {
  EXPECT_EQ(Define("[^a]: " + Lines(1, 1)), "");
  EXPECT_EQ(Define("[^b]:   `" + Lines(2, 2) + "`  "), "");
  EXPECT_EQ(Define("[^c]: gadget, the cache <!-- " + Lines(3, 3) + " -->"), "");
  EXPECT_EQ(receipts_.Mark("x[^a] y[^b] z[^c]").text, "x[^p3-1] y[^p3-2] z[^p3-3]");
}

TEST_F(AgentReceiptsTest, WordsAfterACitationBecomeTheirPlace) {
  EXPECT_EQ(Define("[^a]: " + Lines(1, 2) + " \"beta gamma\""), "");
  EXPECT_EQ(Define("[^b]: `" + Lines(1, 2) + "` \"alpha beta\""), "");
  receipts_.Mark("x[^a] y[^b]");
  ASSERT_EQ(receipts_.Definitions().size(), 2U);
  EXPECT_NE(receipts_.Definitions()[0].text.find("lines=1-2;bytes=6-15"), std::string::npos);
  EXPECT_NE(receipts_.Definitions()[1].text.find("lines=1-2;bytes=0-9"), std::string::npos);
  EXPECT_EQ(Define("[^c]: " + Lines(1, 2) + " \"delta\""),
            "[^c] is not a citation: the words \"delta\" are not in the cited lines");
  EXPECT_EQ(
      Define("[^d]: fact:sha256:" + std::string(64, 'a') + ";inspector=elf;key=version \"alpha\""),
      "[^d] is not a citation: words can be cited only of files");
}

TEST_F(AgentReceiptsTest, APlaceIsLookedUpWithItsWords) {
  std::string asked;
  const evidence::Citation citation = *evidence::ParseCitation(Lines(2, 2));
  AgentReceipts receipts("p3", lock_, {.place = [&](std::string_view place) {
                           asked = place;
                           return Result<evidence::Citation>(citation);
                         }});
  EXPECT_TRUE(receipts.Define("[^a]: `gadget:cache.md:2`", {}).ok());
  EXPECT_EQ(asked, "gadget:cache.md:2");
  EXPECT_TRUE(receipts.Define("[^b]: web:cache.md:2 \"beta gamma\"", {}).ok());
  EXPECT_EQ(asked, "web:cache.md:2 \"beta gamma\"");
  asked.clear();
  // Whole citations and addresses are not places.
  EXPECT_TRUE(receipts.Define("[^c]: " + Lines(1, 1), {}).ok());
  EXPECT_FALSE(receipts.Define("[^d]: https://example.org/a:3", {}).ok());
  EXPECT_FALSE(receipts.Define("[^e]: swh:1:cnt:0", {}).ok());
  EXPECT_EQ(asked, "");
}

TEST_F(AgentReceiptsTest, WhatIsNotACitationLeavesTheLabelUndefined) {
  for (const char* text : {"", "https://example.org", "cache.md:3", "`", "``"}) {
    EXPECT_TRUE(Define("[^a]: " + std::string(text)).starts_with("[^a] is not a citation: "))
        << text;
  }
  const AgentReceipts::Marked marked = receipts_.Mark("It is so.[^a]");
  EXPECT_EQ(marked.text, "It is so.[^a]");
  EXPECT_EQ(marked.known, 0U);
  EXPECT_EQ(Define("[^a]: " + Lines(1, 1)), "") << "it may be defined after all";
}

TEST_F(AgentReceiptsTest, ALabelIsDefinedOnce) {
  EXPECT_EQ(Define("[^a]: " + Lines(1, 1)), "");
  EXPECT_EQ(Define("[^a]: " + Lines(2, 2)), "[^a] is defined twice");
  receipts_.Mark("[^a]");
  ASSERT_EQ(receipts_.Definitions().size(), 1U);
  EXPECT_NE(receipts_.Definitions()[0].text.find("lines=1"), std::string::npos)
      << "the first one counts";
}

TEST_F(AgentReceiptsTest, NumbersAreGivenInTheOrderOfUse) {
  Define("[^a]: " + Lines(1, 1));
  Define("[^b]: " + Lines(2, 2));
  EXPECT_EQ(receipts_.Mark("One.[^b][^a] Two.[^b]").text, "One.[^p3-1][^p3-2] Two.[^p3-1]");
  EXPECT_EQ(receipts_.size(), 2U);
}

TEST_F(AgentReceiptsTest, OnePlaceHasOneNumberWhateverItsLabels) {
  Define("[^a]: " + Lines(1, 1));
  receipts_.Mark("[^a]");
  receipts_.BeginSection();
  EXPECT_EQ(receipts_.Mark("[^a]").known, 0U) << "labels are of one section";
  Define("[^z]: " + Lines(1, 1));
  EXPECT_EQ(receipts_.Mark("[^z]").text, "[^p3-1]");
  EXPECT_EQ(receipts_.size(), 1U);
}

TEST_F(AgentReceiptsTest, MarksInCodeAreCode) {
  Define("[^a]: " + Lines(1, 1));
  const AgentReceipts::Marked marked = receipts_.Mark("`x[^a]` and y[^a], [^ and [^a");
  EXPECT_EQ(marked.text, "`x[^a]` and y[^p3-1], [^ and [^a");
  EXPECT_EQ(marked.known, 1U);
}

TEST_F(AgentReceiptsTest, WhatIsNotUsedIsNotDefined) {
  Define("[^a]: " + Lines(1, 1));
  EXPECT_TRUE(receipts_.Definitions().empty());
  EXPECT_TRUE(receipts_.Sources().empty());
  EXPECT_TRUE(receipts_.Pins().empty());
}

TEST_F(AgentReceiptsTest, ADefinitionKnowsItsFirstUse) {
  Define("[^a]: " + Lines(1, 1), {.section = 2, .line = 7});
  receipts_.Mark("[^a]");
  receipts_.BeginSection();
  Define("[^b]: " + Lines(1, 1), {.section = 3, .line = 9});
  receipts_.Mark("[^b]");
  ASSERT_EQ(receipts_.Definitions().size(), 1U);
  EXPECT_EQ(receipts_.Definitions()[0].origin.section, 2U);
  EXPECT_EQ(receipts_.Definitions()[0].origin.line, 7U);
  EXPECT_TRUE(receipts_.Definitions()[0].text.starts_with("[^p3-1]: "));
}

TEST_F(AgentReceiptsTest, SourcesAreCountedByPlaces) {
  Define("[^a]: " + Lines(1, 1));
  Define("[^b]: " + Lines(2, 2));
  receipts_.Mark("[^a][^b][^a]");
  const std::vector<UsedSource> sources = receipts_.Sources();
  ASSERT_EQ(sources.size(), 1U);
  EXPECT_EQ(sources[0].name, "gadget");
  EXPECT_EQ(sources[0].citations, 2U);
  EXPECT_EQ(receipts_.Pins().size(), 1U);
  EXPECT_TRUE(receipts_.Pins()[0].starts_with("gadget@"));
}

TEST_F(AgentReceiptsTest, ThePinIsThatOfTheCitation) {
  const Excerpt passage = Passage("cache.md", "markdown", "a\n");
  auto citation = std::get<evidence::SourceCitation>(passage.Cite(1, 1));
  citation.anchor_id = index::BlobOf(99);
  Define("[^a]: " + evidence::FormatCitation(citation));
  receipts_.Mark("[^a]");
  EXPECT_EQ(receipts_.Pins(),
            std::vector<std::string>{"gadget@" + index::BlobOf(99).Hex().substr(0, 7)});
}

TEST_F(AgentReceiptsTest, AnUnknownOriginHasNoSource) {
  auto citation =
      std::get<evidence::SourceCitation>(Passage("cache.md", "markdown", "a\n").Cite(1, 1));
  citation.origin = "https://example.org/other";
  Define("[^a]: " + evidence::FormatCitation(citation));
  EXPECT_EQ(receipts_.Mark("[^a]").known, 1U);
  EXPECT_TRUE(receipts_.Sources().empty());
  EXPECT_EQ(receipts_.Definitions().size(), 1U) << "the gate says what is wrong with it";
}

}  // namespace
}  // namespace sibyl::draft
