// SPDX-License-Identifier: Apache-2.0
#include "audit/topic.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "audit/test_witness.h"

namespace sibyl::audit {
namespace {

const Witness& NamedSources() {
  static const TestWitness* const kNamed =
      new TestWitness({{.name = "pytorch", .files = {{"a.md", "x\n"}}},
                       {.name = "te",
                        .files = {{"b.md", "x\n"}},
                        .origin = "https://example.org/NVIDIA/TransformerEngine.git"}});
  return **kNamed;
}

// The topic of the statement that has the words.
Topic TopicOf(std::string_view text, std::string_view words, std::string_view file = "notes.md") {
  const auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok());
  const TopicReader reader(NamedSources(), *statements, file);
  for (std::size_t i = 0; i < statements->all.size(); ++i) {
    if (statements->all[i].text.find(words) != std::string::npos) return reader.Of(i);
  }
  ADD_FAILURE() << "no statement has " << words;
  return {};
}

using Named = std::vector<bool>;

TEST(Topic, IsWhatTheStatementItselfNames) {
  EXPECT_EQ(TopicOf("PyTorch reads it.\n", "reads").names_source, (Named{true, false}));
  EXPECT_EQ(TopicOf("Nobody reads it.\n", "reads").names_source, (Named{false, false}));
}

TEST(Topic, IsWhatItsParagraphNames) {
  EXPECT_TRUE(TopicOf("PyTorch is large. It is old.\n", "old").names_source[0]);
  EXPECT_FALSE(TopicOf("PyTorch is large.\n\nIt is old.\n", "old").names_source[0]);
}

TEST(Topic, IsWhatTheHeadingsAboveName) {
  constexpr std::string_view kText =
      "# PyTorch\n\n## Streams\n\nThey end.\n\n# Other\n\n## Streams\n\nThey begin.\n";
  EXPECT_TRUE(TopicOf(kText, "end").names_source[0]);
  EXPECT_FALSE(TopicOf(kText, "begin").names_source[0]);
}

TEST(Topic, IsWhatTheFileIsCalled) {
  EXPECT_TRUE(TopicOf("It is old.\n", "old", "pytorch/01-notes.md").names_source[0]);
}

TEST(Topic, KnowsASourceByItsRepositoryHoweverItIsWritten) {
  for (const char* name : {"Transformer Engine", "transformer-engine", "TransformerEngine"}) {
    EXPECT_EQ(TopicOf(std::string(name) + " is used.\n", "used").names_source, (Named{false, true}))
        << name;
  }
}

TEST(Topic, AShortNameIsPartOfTooManyWords) {
  EXPECT_FALSE(TopicOf("Tests and notes: te.\n", "notes").names_source[1]);
}

TEST(Topic, ABlockIsIntroducedByWhatComesRightBeforeIt) {
  constexpr std::string_view kText = "PyTorch does it so:\n\n```sh\nrun it\n```\n\nNo more.\n";
  EXPECT_TRUE(TopicOf(kText, "run it").names_source[0]);
  EXPECT_FALSE(TopicOf(kText, "run it").is_prose);
  EXPECT_FALSE(TopicOf(kText, "No more").names_source[0]);
}

TEST(Topic, KnowsCMakeByItsWordAndByItsCode) {
  EXPECT_TRUE(TopicOf("# CMake\n\nSet it.\n", "Set it").is_cmake);
  EXPECT_TRUE(TopicOf("```cmake\nset(X 1)\n```\n", "set(X").is_cmake);
  EXPECT_FALSE(TopicOf("Set it.\n", "Set it").is_cmake);
}

TEST(Topic, CMakeIsNearInItsParagraphOrHeading) {
  EXPECT_TRUE(TopicOf("Use CMake. Set it.\n", "Set it").is_cmake_near);
  EXPECT_TRUE(TopicOf("# Notes\n\n## With CMake\n\nSet it.\n", "Set it").is_cmake_near);
  EXPECT_FALSE(TopicOf("# Notes\n\nUse CMake.\n\n## Then\n\nSet it.\n", "Set it").is_cmake_near);
}

TEST(Topic, KnowsCudaByCodeAndInProseByItsWords) {
  EXPECT_TRUE(TopicOf("```cpp\n__global__ void f();\n```\n", "global").is_cuda);
  EXPECT_TRUE(TopicOf("A kernel ends.\n", "ends").is_cuda);
  EXPECT_FALSE(TopicOf("# CUDA\n\n```python\nx = 1\n```\n", "x = 1").is_cuda);
  EXPECT_FALSE(TopicOf("A page ends.\n", "ends").is_cuda);
}

TEST(Topic, AnEmptyTextHasNone) {
  const auto statements = statement::ReadStatements("");
  ASSERT_TRUE(statements.ok());
  const TopicReader reader(NamedSources(), *statements, "");
  EXPECT_TRUE(statements->all.empty());
}

}  // namespace
}  // namespace sibyl::audit
