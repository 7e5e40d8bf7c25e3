// SPDX-License-Identifier: Apache-2.0
#include "audit/nearest.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

#include "audit/test_witness.h"

namespace sibyl::audit {
namespace {

TEST(Likeness, IsOneForTheSameNameWhateverItsCase) {
  EXPECT_DOUBLE_EQ(Likeness("cudaMalloc", "cudaMalloc"), 1.0);
  EXPECT_DOUBLE_EQ(Likeness("", ""), 1.0);
  EXPECT_GE(Likeness("CUDA_ARCH", "cuda_arch"), 0.99);
}

TEST(Likeness, GoesByPartsHoweverTheyAreJoined) {
  EXPECT_GT(Likeness("cudaGraphLaunch", "CUDA_GRAPH_LAUNCH"), 0.8);
  EXPECT_GT(Likeness("CMAKE_CUDA_ARCHITECTURE", "CMAKE_CUDA_ARCHITECTURES"), 0.9);
  EXPECT_GT(Likeness("cudaGraphLaunchAsync", "cudagraphlaunch"), 0.62)
      << "as a dictionary has it, without capitals";
}

TEST(Likeness, IsLowForNamesOfOtherThings) {
  EXPECT_LT(Likeness("cudaMalloc", "find_package"), 0.4);
  EXPECT_LT(Likeness("x", "cudaMalloc"), 0.3);
  EXPECT_DOUBLE_EQ(Likeness("abc", ""), 0.0);
}

TEST(Likeness, IsHighForASlipOfThePen) {
  EXPECT_GT(Likeness("parralel", "parallel"), 0.62);
  EXPECT_GT(Likeness("--use_fast_maths", "--use_fast_math"), 0.8);
}

TEST(Likeness, IsBetweenZeroAndOneAndTheSameBothWaysForLetters) {
  EXPECT_TRUE(rc::check([] {
    const auto name = rc::gen::container<std::string>(
        rc::gen::element('a', 'b', 'A', 'B', '_', '-', '.', ':', '/', '1', '\xC3'));
    const std::string a = *name;
    const std::string b = *name;
    const double likeness = Likeness(a, b);
    RC_ASSERT(likeness >= 0.0);
    RC_ASSERT(likeness <= 1.0 + 1e-9);
    RC_ASSERT(Likeness(a, a) >= likeness - 1e-9);
  }));
}

TEST(NearestOf, IsTheMostAlike) {
  EXPECT_EQ(NearestOf("parralel.py", {"parallel.py", "queue.py", "parallax.py"}), "parallel.py");
  EXPECT_EQ(NearestOf("CUDA::cuptii", {"CUDA::cupti", "CUDA::cudart"}), "CUDA::cupti");
}

TEST(NearestOf, IsNothingWhenNoneIsAlikeEnough) {
  EXPECT_EQ(NearestOf("zeppelin.py", {"parallel.py", "queue.py"}), std::nullopt);
  EXPECT_EQ(NearestOf("zeppelin.py", {}), std::nullopt);
  EXPECT_EQ(NearestOf("", {"parallel.py"}), std::nullopt);
  EXPECT_EQ(NearestOf("ab", {std::string(10'000, 'a')}), std::nullopt);
}

TEST(NearestOf, IsOneOfThoseThatWereGiven) {
  EXPECT_TRUE(rc::check([](const std::string& name, const std::vector<std::string>& candidates) {
    const auto nearest = NearestOf(name, candidates);
    if (!nearest) return;
    RC_ASSERT(std::find(candidates.begin(), candidates.end(), *nearest) != candidates.end());
  }));
}

const Witness& NamesOfTwo() {
  static const TestWitness* const kNames = new TestWitness(
      {{.name = "cmake",
        .files = {{"Help/variable/CMAKE_CUDA_ARCHITECTURES.rst",
                   "CMAKE_CUDA_ARCHITECTURES\n------------------------\n\nDefault value.\n"},
                  {"Help/guide.rst", "Set CMAKE_CUDA_ARCHITECTURES or CMAKE_CUDA_FLAGS.\n"}}},
       {.name = "other", .files = {{"a.md", "CMAKE_CUDA_ARCHITECTURE is wrong.\n"}}}});
  return **kNames;
}

TEST(NearestInSource, GivesTheNameAsItIsWrittenAndWhereToReadAboutIt) {
  const auto nearest = NearestInSource(NamesOfTwo(), 0, "CMAKE_CUDA_ARCHITECTURE");
  ASSERT_TRUE(nearest.has_value());
  EXPECT_EQ(nearest->name, "CMAKE_CUDA_ARCHITECTURES");
  EXPECT_EQ(nearest->where, "cmake@0123abc Help/variable/CMAKE_CUDA_ARCHITECTURES.rst:1");
}

TEST(NearestInSource, IsNeverTheNameItself) {
  const auto nearest = NearestInSource(NamesOfTwo(), 0, "CMAKE_CUDA_ARCHITECTURES");
  EXPECT_TRUE(!nearest || nearest->name != "CMAKE_CUDA_ARCHITECTURES");
}

TEST(NearestInSource, LooksIntoThatSourceAlone) {
  const auto nearest = NearestInSource(NamesOfTwo(), 1, "CMAKE_CUDA_FLAG");
  EXPECT_TRUE(!nearest || nearest->name != "CMAKE_CUDA_FLAGS");
}

TEST(NearestInSource, IsNothingForNothing) {
  EXPECT_FALSE(NearestInSource(NamesOfTwo(), 0, "").has_value());
  EXPECT_FALSE(NearestInSource(NamesOfTwo(), 0, "___").has_value());
  EXPECT_FALSE(NearestInSource(NamesOfTwo(), 0, "zeppelin_price").has_value());
}

}  // namespace
}  // namespace sibyl::audit
