// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/gather.h"

#include <gtest/gtest.h>

#include "draft/extract/declarations.h"
#include "draft/title.h"
#include "index/test_index.h"

namespace sibyl::draft {
namespace {

using Strings = std::vector<std::string>;

// One source, "gadget", of six files.
class GatherTest : public testing::Test {
 protected:
  GatherTest() {
    Add("docs/streams.md", "markdown",
        "# Streams\n\nA stream orders kernel launches. Streams overlap copies with kernels.\n");
    Add("src/stream.cu", "cuda",
        "// Overlaps the copy of the next tile with the kernel.\n"
        "void OverlapStreams(Stream* stream) {\n"
        "  CopyAsync(stream);\n"
        "  Launch(stream);\n"
        "}\n");
    Add("docs/build.md", "markdown", "# Build\n\nThe build needs a compiler and a linker.\n");
    Add("cmake/Prof.cmake", "cmake", "find_library(PROF_LIBRARY NAMES prof)\n");
    Add("cmake/Options.cmake", "cmake",
        "if(USE_STREAMS)\nendif()\noption(USE_STREAMS \"Copy in streams\" ON)\n");
    Add("src/uses.cu", "cuda",
        "#ifdef USE_STREAMS\nvoid Use() { USE_STREAMS; USE_STREAMS; }\n#endif\n");
    built_.Build(source_);
    index_.emplace(built_.Open("gadget"));
    searcher_.emplace(std::vector<const index::Index*>{&*index_});
    lock_.Put({.name = "gadget", .origin = "https://example.org/gadget", .tree = index::BlobOf(9)});
    plan_.topic = "Streams";
    part_ = {.number = 1, .title = "Streams", .target = "cuda/01-streams.md"};
  }

  void Add(std::string path, std::string language, std::string text) {
    const auto bytes = static_cast<std::uint32_t>(text.size());
    const auto lines = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
    const bool is_prose = language == "markdown";
    source_.Add({.path = std::move(path),
                 .text = std::move(text),
                 .language = std::move(language),
                 .passages = {{.last_line = lines,
                               .end = bytes,
                               .kind = is_prose ? index::PassageKind::kProse
                                                : index::PassageKind::kDefinition}},
                 .blob = index::BlobOf(++blobs_)});
  }

  GatheredPoint Gather(std::string point, const std::vector<KnowledgeFile>& knowledge = {}) {
    part_.sections = {{.title = "Streams", .points = {{.text = std::move(point)}}}};
    const GatherInputs inputs{
        .plan = plan_, .part = part_, .searcher = *searcher_, .knowledge = knowledge};
    return draft::Gather(inputs, {.lock = lock_}).sections.at(0).points.at(0);
  }

  index::MemorySource source_;
  index::TestIndex built_;
  std::optional<index::Index> index_;
  std::optional<index::Searcher> searcher_;
  evidence::Lock lock_;
  plan::Plan plan_;
  plan::Part part_;
  std::uint32_t blobs_ = 0;
};

TEST_F(GatherTest, FindsWhatSpeaksOfThePoint) {
  const GatheredPoint point = Gather("Overlap of **copies** and kernels");
  EXPECT_EQ(point.point, "Overlap of copies and kernels");
  ASSERT_EQ(point.excerpts.size(), 2U);
  EXPECT_EQ(point.excerpts[0].path, "docs/streams.md");
  EXPECT_EQ(point.excerpts[1].path, "src/stream.cu");
  EXPECT_FALSE(point.nearest);
}

TEST_F(GatherTest, LeavesAPointOpenWithItsNearestMiss) {
  const GatheredPoint point = Gather("Overlap on the Zork accelerator of Frobozz");
  EXPECT_TRUE(point.excerpts.empty());
  ASSERT_TRUE(point.nearest);
  EXPECT_EQ(point.missing, (Strings{"Zork", "accelerator", "Frobozz"}));
}

TEST_F(GatherTest, LinksWhatTheOracleKnowsAlready) {
  const std::vector<KnowledgeFile> known = {
      {.path = "cuda/00-known.md",
       .text = "# Known\n\n## 1. Overlap of copies and kernels\n\nThey overlap.[^1]\n"}};
  const GatheredPoint point = Gather("Overlap of copies and kernels", known);
  ASSERT_TRUE(point.covered);
  EXPECT_EQ(point.covered->path, "cuda/00-known.md");
  EXPECT_EQ(point.covered->anchor, "1-overlap-of-copies-and-kernels");
  EXPECT_TRUE(point.excerpts.empty());
}

TEST_F(GatherTest, DoesNotTakeAnUncitedOrItsOwnPageForKnowledge) {
  EXPECT_FALSE(Gather("Overlap of copies",
                      {{.path = "cuda/00-known.md", .text = "## Overlap of copies\n\nYes.\n"}})
                   .covered);
  EXPECT_FALSE(Gather("Overlap of copies", {{.path = "cuda/01-streams.md",
                                             .text = "## Overlap of copies\n\nYes.[^1]\n"}})
                   .covered);
}

TEST_F(GatherTest, CitesByCommitOrTree) {
  const GatheredPoint point = Gather("Overlap of copies and kernels");
  ASSERT_FALSE(point.excerpts.empty());
  const auto citation = std::get<evidence::SourceCitation>(point.excerpts[0].Cite(3, 3));
  EXPECT_EQ(citation.origin, "https://example.org/gadget");
  EXPECT_EQ(citation.anchor, evidence::SourceCitation::Anchor::kTree);
  EXPECT_EQ(citation.lines, (sibyl::LineRange{3, 3}));
}

TEST_F(GatherTest, FindsWhereANameIsDeclaredAmongItsUses) {
  const std::vector<index::Hit> declared = DeclarationsOf("USE_STREAMS", *searcher_);
  ASSERT_EQ(declared.size(), 1U);
  EXPECT_EQ(declared[0].path_view, "cmake/Options.cmake");
  EXPECT_TRUE(DeclarationsOf("-gencode", *searcher_).empty());
  EXPECT_TRUE(DeclarationsOf("NO_SUCH_NAME", *searcher_).empty());
}

TEST(Queries, LoseWhatOnlyAWebSearchNeeds) {
  EXPECT_EQ(CleanQuery("Search: \"pytorch cmake github 2024 2025\""), "pytorch cmake");
}

TEST(Queries, AreBroaderTheSecondTime) {
  const plan::Plan plan{.topic = "CUDA"};
  const plan::Part part{.title = "x"};
  const plan::Section section{.title = "Tools"};
  const PointPlace place{.plan = plan, .part = part, .section = section};
  const auto first = QueriesOf("Tools (CUPTI, Nsight)", place, 1);
  const auto second = QueriesOf("Tools (CUPTI, Nsight)", place, 2);
  EXPECT_GT(second.size(), first.size());
  EXPECT_TRUE(std::any_of(second.begin(), second.end(),
                          [](const PointQuery& query) { return query.text == "CUPTI"; }));
}

TEST(Symbols, AreNamesAsProgramsWriteThem) {
  EXPECT_EQ(SymbolsIn("torch.profiler and USE_CUDA, -gencode, plain words, cudaGraphLaunch()"),
            (Strings{"torch.profiler", "USE_CUDA", "-gencode", "cudaGraphLaunch"}));
}

TEST(Title, ComesFromTheFileNameWhenThePartIsAChore) {
  const plan::Plan plan{.topic = "CUPTI and PyTorch"};
  EXPECT_EQ(TitleOf(plan, {.title = "Create cuda/20-cupti-deep-dive.md",
                           .target = "cuda/20-cupti-deep-dive.md"}),
            "CUPTI deep dive");
  EXPECT_EQ(TitleOf(plan, {.title = "Streams & Events", .target = "cuda/01-x.md"}),
            "Streams & Events");
}

}  // namespace
}  // namespace sibyl::draft
