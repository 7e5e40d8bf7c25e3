// SPDX-License-Identifier: Apache-2.0
#include "draft/point/point.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sibyl::draft {
namespace {

using Names = std::vector<std::string>;

Names Written(const Question& question) {
  Names words;
  for (const QuestionWord& word : question.words) words.push_back(word.written);
  return words;
}

class PlanPointTest : public testing::Test {
 protected:
  PlanPoint Read(std::string_view text, std::string_view title = "Profiling gadgets") {
    evidence::Lock lock;
    lock.pins = {{.name = "pytorch"}, {.name = "cuda-headers"}, {.name = "cmake"}};
    section_.title = "Tools";
    return ReadPlanPoint(text, {.plan = plan_, .part = part_, .section = section_}, title, lock);
  }

  plan::Plan plan_;
  plan::Part part_;
  plan::Section section_;
};

TEST_F(PlanPointTest, IsAboutTheWordsBeforeItsBrackets) {
  EXPECT_EQ(Written(Read("Cache mount strategies (pip, apt)").subject.core),
            (Names{"Cache", "mount"}));
  EXPECT_EQ(Written(Read("Example: matrix multiplication").subject.core),
            (Names{"matrix", "multiplication"}));
  EXPECT_TRUE(Read("When to use each").subject.core.words.empty());
}

TEST_F(PlanPointTest, AValueIsNotAskedFor) {
  EXPECT_EQ(Read("USE_CUDA=ON").subject.names, Names{"USE_CUDA"});
  EXPECT_EQ(Written(Read("USE_CUDA=ON").subject.core), Names{"USE_CUDA"});
  EXPECT_EQ(Written(Read("install(EXPORT) usage").subject.core), (Names{"install", "EXPORT"}));
  EXPECT_EQ(Written(Read("a == b of loops").subject.details), Names{});
}

TEST_F(PlanPointTest, ListsNamesOfCode) {
  EXPECT_EQ(Read("CUDA flags (USE_CUDA, CUDA_NVCC_FLAGS)").listed,
            (Names{"USE_CUDA", "CUDA_NVCC_FLAGS"}));
  EXPECT_EQ(Read("Formats (FP32, BF16)").listed, Names{});
}

TEST_F(PlanPointTest, TakesNamesAsTheyAreWritten) {
  const PlanPoint point = Read("mma.sync.aligned.m16n8k16 instruction");
  EXPECT_EQ(point.subject.names, Names{"mma.sync.aligned.m16n8k16"});
  EXPECT_TRUE(point.subject.needs_home);
  EXPECT_FALSE(HasName("mma.sp.sync.aligned.m16n8k16.row.col", "mma.sync.aligned.m16n8k16"));
  EXPECT_TRUE(HasName("mma.sync.aligned.m16n8k16.row.col", "mma.sync.aligned.m16n8k16"));
  EXPECT_TRUE(HasName("void load_matrix_sync(…)", "wmma::load_matrix_sync"));
  EXPECT_FALSE(HasName("void load(…)", "cpp_extension.load"));
}

TEST_F(PlanPointTest, SourcesThatAreNotNamedAreForeignIfOneIs) {
  EXPECT_TRUE(Read("Overhead").subject.foreign.empty());
  EXPECT_EQ(Read("Overhead", "PyTorch profiling").subject.foreign,
            (std::set<std::string>{"cmake", "cuda-headers"}));
  EXPECT_EQ(Read("CUDA overhead", "PyTorch profiling").subject.foreign,
            (std::set<std::string>{"cmake"}));
}

TEST_F(PlanPointTest, KnowsWhatShapeIsAskedFor) {
  EXPECT_TRUE(Read("What is a gadget").subject.needs_definition);
  EXPECT_TRUE(Read("Gadget usage").subject.allows_code);
  EXPECT_FALSE(Read("Gadget overhead").subject.allows_code);
}

TEST(OpeningSentence, EndsAtAFullStopAParagraphOrAList) {
  EXPECT_EQ(OpeningSentence("One is e.g. two. Three."), "One is e.g. two.");
  EXPECT_EQ(OpeningSentence("Modes:\n- one. Two\n- three"), "Modes:");
  EXPECT_EQ(OpeningSentence("no stop"), "no stop");
  EXPECT_EQ(OpeningSentence(""), "");
}

TEST(DefinedSubject, IsWhatADefinitionDefines) {
  EXPECT_EQ(DefinedSubject("CUPTI is a library for tools."), "CUPTI");
  EXPECT_EQ(DefinedSubject("If it hangs, CUPTI is a help."), "");
  EXPECT_EQ(DefinedSubject("Runs the tools."), "");
}

}  // namespace
}  // namespace sibyl::draft
