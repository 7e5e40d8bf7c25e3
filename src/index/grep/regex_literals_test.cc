// SPDX-License-Identifier: Apache-2.0
#include "index/grep/regex_literals.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>
#include <random>
#include <string>

#include "index/words/term_forms.h"

namespace sibyl::index {
namespace {

std::string Shown(std::string_view pattern) {
  std::string shown;
  for (auto clause : RequiredLiterals(pattern).clauses) {
    std::sort(clause.begin(), clause.end());
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
  EXPECT_EQ(Shown("foo|bar"), "bar|foo");
  EXPECT_EQ(Shown("std::(vector|map)<int"), "std::map<int|std::vector<int");
  EXPECT_EQ(Shown("abc.*def|xyz"), "abc|xyz");
  EXPECT_EQ(Shown("(one|two).*(three|four)"), "four|three & one|two");
  EXPECT_EQ(Shown("foo|.*"), "");
}

TEST(RegexLiterals, KnowRepetition) {
  EXPECT_EQ(Shown("foo_?bar"), "foo & bar");
  EXPECT_EQ(Shown("foo-*bar"), "foo & bar");
  EXPECT_EQ(Shown("(abc){2,3}def"), "abcabc & def");
  EXPECT_EQ(Shown("(abc){0,3}def"), "def");
  EXPECT_EQ(Shown("xyz{"), "xyz{");
}

TEST(RegexLiterals, KnowSmallClassesAndNoOthers) {
  EXPECT_EQ(Shown("sm_[89]0"), "sm_80|sm_90");
  EXPECT_EQ(Shown("abc[^b]def"), "abc & def");
  EXPECT_EQ(Shown("abc[[:alpha:]]def"), "abc & def");
  EXPECT_EQ(Shown("a[]x]c"), "a]c|axc");
}

TEST(RegexLiterals, ReadEscapesAndFlags) {
  EXPECT_EQ(Shown("\\bword\\b"), "word");
  EXPECT_EQ(Shown("\\Qa.b.c\\E"), "a.b.c");
  EXPECT_EQ(Shown("\\x66oo"), "foo");
  EXPECT_EQ(Shown("abc\\pLdef\\p{Greek}ghi"), "abc & def & ghi");
  EXPECT_EQ(Shown("(?i)CUDA_?ARCH"), "cuda & arch");
  EXPECT_EQ(Shown("(?i)ASSESS"), "assess");
  EXPECT_EQ(Shown("(?P<name>abc)d"), "abcd");
}

// The index keeps non-ASCII letters as they are; RE2 lower-cases them.
TEST(RegexLiterals, LookUpOtherLettersInPlainTextOnly) {
  EXPECT_EQ(Shown("\xC3\x89tude"), "\xC3\x89tude");
  EXPECT_EQ(Shown("\xC3\x89tude.*"), "tude");
  EXPECT_EQ(Shown("(?i)\xC3\xA9t\xC3\xA9"), "t");
  EXPECT_EQ(Shown("(\xE4\xBD\xA0\xE5\xA5\xBD)+"), "");
}

TEST(RegexLiterals, RequireNothingWhereNothingCanBeLookedUp) {
  EXPECT_EQ(Shown(""), "");
  EXPECT_EQ(Shown("a|"), "");
  EXPECT_EQ(Shown("ab+c"), "");
  EXPECT_EQ(Shown("(?<odd>x"), "");
  EXPECT_EQ(Shown(std::string(100'000, 'a') + "."), "");
  std::string words = "0word";
  for (int i = 1; i < 100; ++i) words += "|" + std::to_string(i * 7919) + "word";
  EXPECT_EQ(Shown(words), "");
}

/// Makes expressions from fragments, and lines from fragments and parts of the expression.
class Expressions {
 public:
  std::string Expression() {
    std::string text;
    for (std::size_t pieces = Below(6) + 1; pieces > 0; --pieces) text += Piece(3);
    return text;
  }

  std::string Line(std::string_view expression) {
    std::string line;
    for (std::size_t pieces = Below(14); pieces > 0; --pieces) {
      if (Below(3) == 0) {
        line += expression.substr(Below(expression.size()), Below(4));
      } else {
        line += One(kCharacters);
      }
    }
    return line;
  }

 private:
  static constexpr std::string_view kCharacters[] = {
      "a", "b", "A", "k",        "K",        "s",        "S",
      "_", " ", "0", "\xC3\xA9", "\xC3\x89", "\xC5\xBF", "\xE2\x84\xAA",
      "-", "=", ":", ",",        "{",        "}"};
  static constexpr std::string_view kOthers[] = {
      ".",   "^",      "$",     "\\b",   "\\d",    "\\w",        "\\x61", "\\pL",
      "[a]", "[^a]",   "[a-c]", "[kK]",  "(?i)",   "(?-i)",      "\\.",   "\\Qa.b\\E",
      "a|b", "[]a-]a", "\\141", "[\\d]", "\\Q\\E", "[\xC3\xA9k]"};
  static constexpr std::string_view kRepeated[] = {"*",     "+",     "?",    "*?",   "{2}",
                                                   "{0,2}", "{1,2}", "{2,}", "{,2}", "{0}"};

  std::size_t Below(std::size_t end) { return end == 0 ? 0 : random_() % end; }
  template <std::size_t kSize>
  std::string One(const std::string_view (&of)[kSize]) {
    return std::string(of[Below(kSize)]);
  }

  std::string Piece(int depth) {
    const std::size_t kind = Below(depth > 0 ? 9 : 5);
    if (kind < 4) return One(kCharacters);
    if (kind == 4) return One(kOthers);
    if (kind == 5) return Piece(depth - 1) + One(kRepeated);
    if (kind == 6) return Piece(depth - 1) + '|' + Piece(depth - 1);
    if (kind == 7) return (Below(2) == 0 ? "(" : "(?i:") + Piece(depth - 1) + ')';
    return Piece(depth - 1) + Piece(depth - 1);
  }

  std::mt19937 random_{11};
};

TEST(RegexLiterals, NeverRuleOutALineThatMatches) {
  Expressions expressions;
  std::size_t matches = 0;
  for (int i = 0; i < 5'000; ++i) {
    const std::string expression = expressions.Expression();
    RE2::Options options;
    options.set_log_errors(false);
    const RE2 regex("(?m:" + expression + ")", options);
    if (!regex.ok()) continue;
    const LiteralRequirement requirement = RequiredLiterals(expression);
    for (int j = 0; j < 20; ++j) {
      const std::string line = expressions.Line(expression);
      if (!RE2::PartialMatch(line, regex)) continue;
      ++matches;
      std::string lower;
      AppendLower(line, lower);
      for (const auto& clause : requirement.clauses) {
        EXPECT_TRUE(std::any_of(
            clause.begin(), clause.end(),
            [&](const std::string& literal) { return lower.find(literal) != std::string::npos; }))
            << expression << " matches " << line;
      }
    }
  }
  EXPECT_GT(matches, 10'000U);
}

}  // namespace
}  // namespace sibyl::index
