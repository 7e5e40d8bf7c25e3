// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/question/unknowable.h"

#include <gtest/gtest.h>

#include "draft/test_passages.h"

namespace sibyl::draft {
namespace {

using Strings = std::vector<std::string>;

TEST(Unknowable, TasteIsAnsweredByNothing) {
  for (const char* question :
       {"should I learn Triton or CUDA first", "what is your favourite profiler",
        "best GPU under 500 dollars", "is it worth buying an A100", "the best book on CUDA"}) {
    EXPECT_FALSE(Decides(ReadJudgement(question), "the best book to learn it is better"))
        << question;
  }
  for (const char* question : {"should I use cudaMallocAsync or cudaMalloc", "best block size",
                               "when is a graph worth it", "can I upgrade to CUDA 13"}) {
    EXPECT_TRUE(Decides(ReadJudgement(question), "use it")) << question;
  }
}

TEST(Unknowable, AWinnerIsNamedWhereBothAreCompared) {
  const AskedJudgement asked = ReadJudgement("is JAX better than PyTorch?");
  EXPECT_EQ(asked.sides, (Strings{"jax", "pytorch"}));
  EXPECT_FALSE(Decides(asked, "in pytorch amax is reduced, in jax always"));
  EXPECT_FALSE(Decides(asked, "pytorch is faster than before"));
  EXPECT_TRUE(Decides(asked, "for this jax is faster than pytorch"));
  EXPECT_TRUE(Decides(ReadJudgement("is there a better way to copy?"), "copy in streams"));
}

TEST(Unknowable, ADateIsWantedOnlyOfAReleaseToCome) {
  EXPECT_FALSE(Decides(ReadJudgement("release date of CUDA 15"), "cuda 15 is planned"));
  EXPECT_TRUE(Decides(ReadJudgement("when was CUDA 12 released"), "cuda 12 of december 2022"));
  EXPECT_TRUE(Decides(ReadJudgement("when is memory released"), "the pool frees it in 2024"));
  EXPECT_TRUE(Decides(ReadJudgement("which memory is released"), "that of the pool"));
}

class NamesTest : public PassageTest {
 protected:
  NamesTest() {
    Add("docs/streams.md", "markdown",
        "# Streams\n\nSince CUDA 12.4 `cudaStreamWait` and TORCH_STREAM_MODE are there.\n");
  }
  Strings Absent(std::string_view question) {
    return NamesOfNothing(ReadQuestion(question), {&searcher()});
  }
};

TEST_F(NamesTest, ANameThatOccursNowhereIsNamed) {
  EXPECT_EQ(Absent("what does cudaStreamTeleport do"), Strings{"cudaStreamTeleport"});
  EXPECT_EQ(Absent("TORCH_TURBO_MODE default"), Strings{"TORCH_TURBO_MODE"});
  EXPECT_EQ(Absent("what does --auto-tensorcore do"), Strings{"--auto-tensorcore"});
  EXPECT_EQ(Absent("cudaStreamWait and TORCH_STREAM_MODE"), Strings{});
  // Names of the program that failed, and of whoever asks.
  EXPECT_EQ(Absent("RuntimeError: no kernel for fancy_op"), Strings{});
  EXPECT_EQ(Absent("why is my_kernel slow"), Strings{});
}

TEST_F(NamesTest, AVersionThatOccursNowhereIsNamed) {
  EXPECT_EQ(Absent("what is new in CUDA 15"), Strings{"CUDA 15"});
  EXPECT_EQ(Absent("what is new in CUDA 12.4"), Strings{});
  EXPECT_EQ(Absent("what is new in CUDA 12"), Strings{});
  EXPECT_EQ(Absent("what is new in CUDA 2"), Strings{"CUDA 2"});
  EXPECT_EQ(Absent("does an RTX 5090 work"), Strings{});  // a model, not a version
}

}  // namespace
}  // namespace sibyl::draft
