// SPDX-License-Identifier: Apache-2.0
#include "index/grep/regex_literals.h"

#include <gtest/gtest.h>

namespace sibyl::index {
namespace {

std::string Shown(std::string_view pattern) {
  std::string shown;
  for (const auto& clause : RequiredLiterals(pattern).clauses) {
    if (!shown.empty()) shown += " & ";
    for (std::size_t i = 0; i < clause.size(); ++i) shown += (i > 0 ? "|" : "") + clause[i];
  }
  return shown;
}

TEST(RegexLiterals, KeepWhatEveryMatchContains) {
  EXPECT_EQ(Shown("cudaGraphLaunch"), "cudagraphlaunch");
  EXPECT_EQ(Shown("mma\\.sync\\.aligned"), "mma.sync.aligned");
  EXPECT_EQ(Shown("TORCH_CHECK\\(.*is_cuda"), "torch_check( & is_cuda");
  EXPECT_EQ(Shown("__launch_bounds__\\(\\s*\\d+"), "__launch_bounds__(");
}

TEST(RegexLiterals, KnowAlternatives) {
  EXPECT_EQ(Shown("foo|bar"), "foo|bar");
  EXPECT_EQ(Shown("std::(vector|map)<int"), "std::vector<int|std::map<int");
  EXPECT_EQ(Shown("abc.*def|xyz"), "abc|xyz");
  EXPECT_EQ(Shown("foo|.*"), "");
}

TEST(RegexLiterals, KnowRepetition) {
  EXPECT_EQ(Shown("ab?c"), "abc|ac");
  EXPECT_EQ(Shown("ab*c"), "a & c");
  EXPECT_EQ(Shown("ab+c"), "a & b & c");
  EXPECT_EQ(Shown("(abc){2,3}d"), "abc & d");
  EXPECT_EQ(Shown("(abc){0,3}d"), "d");
  EXPECT_EQ(Shown("x{"), "x{");
}

TEST(RegexLiterals, KnowSmallClassesAndNoOthers) {
  EXPECT_EQ(Shown("sm_[89]0"), "sm_80|sm_90");
  EXPECT_EQ(Shown("a[^b]c"), "a & c");
  EXPECT_EQ(Shown("a[[:alpha:]]c"), "a & c");
  EXPECT_EQ(Shown("a[]x]c"), "a]c|axc");
  EXPECT_EQ(Shown("a[\\d-]c"), "a & c");
  EXPECT_EQ(Shown("a[a-z]c"), "a & c");
}

TEST(RegexLiterals, ReadEscapesAndFlags) {
  EXPECT_EQ(Shown("\\bword\\b"), "word");
  EXPECT_EQ(Shown("\\Qa.b\\E+"), "a.b");
  EXPECT_EQ(Shown("a\\x41b"), "a & b");
  EXPECT_EQ(Shown("a\\x{1F600}b"), "a & b");
  EXPECT_EQ(Shown("a\\pLb\\p{Greek}c"), "a & b & c");
  EXPECT_EQ(Shown("(?i)CUDA_?arch"), "cuda_arch|cudaarch");
  EXPECT_EQ(Shown("(?P<name>abc)d"), "abcd");
  EXPECT_EQ(Shown("(?i:\xC3\xA9t\xC3\xA9)x"), "t & x");
}

TEST(RegexLiterals, RequireNothingWhereTheyUnderstandNothing) {
  EXPECT_EQ(Shown(""), "");
  EXPECT_EQ(Shown("a|"), "");
  EXPECT_EQ(Shown("(?<odd>x"), "");
  EXPECT_EQ(Shown(std::string(1000, '(') + "a" + std::string(1000, ')')), "");
}

}  // namespace
}  // namespace sibyl::index
