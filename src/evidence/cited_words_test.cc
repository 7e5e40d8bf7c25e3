// SPDX-License-Identifier: Apache-2.0
#include "evidence/cited_words.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

namespace sibyl::evidence {
namespace {

constexpr std::string_view kFile =
    "/// The number of threads per warp\n"
    "/// is 32 on every device.\n"
    "constexpr int kWarpSize = 32;\n"
    "constexpr int kLanes = 32;\n";

std::string_view Cut(const ByteRange& range) { return kFile.substr(range.first, range.size()); }

TEST(CitedWords, AreFoundInTheLines) {
  const auto found = FindWords(kFile, {3, 3}, "kWarpSize = 32");
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(Cut(*found), "kWarpSize = 32");
}

TEST(CitedWords, RunOverLinesAndCommentMarks) {
  const auto found = FindWords(kFile, {1, 2}, "threads  per warp is 32");
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(Cut(*found), "threads per warp\n/// is 32");
  EXPECT_EQ(WordsOnOneLine(Cut(*found)), "threads per warp is 32");
}

TEST(CitedWords, KeepOperatorsThatLookLikeCommentMarks) {
  const std::string_view code = "#include <a>\n*p = 4;\n# a note\n";
  EXPECT_TRUE(FindWords(code, {1, 1}, "#include <a>").ok());
  EXPECT_TRUE(FindWords(code, {2, 2}, "*p = 4").ok());
  EXPECT_TRUE(FindWords(code, {2, 3}, "4; a note").ok());
}

TEST(CitedWords, MayHaveQuotationMarks) {
  constexpr std::string_view kFile = "a = {\n  \"CUDACXX\": \"CUDA_NVCC_EXECUTABLE\",\n}\n";
  for (const std::string_view given : {R"(x.py:2 ""CUDACXX": "CUDA_NVCC_EXECUTABLE"")",
                                       R"(x.py:2 "\"CUDACXX\": \"CUDA_NVCC_EXECUTABLE\"")"}) {
    const auto [target, words] = SplitWords(given);
    EXPECT_EQ(target, "x.py:2");
    const auto found = FindWords(kFile, {2, 2}, words);
    ASSERT_TRUE(found.ok()) << given;
    EXPECT_EQ(kFile.substr(found->first, found->size()), R"("CUDACXX": "CUDA_NVCC_EXECUTABLE")");
  }
  // A file that has the backslash itself.
  EXPECT_TRUE(FindWords("puts(\"say \\\"now\\\"\");\n", {1, 1}, R"(say \"now\")").ok());
}

TEST(CitedWords, MustBeThereOnce) {
  EXPECT_EQ(FindWords(kFile, {3, 4}, "= 32").error().kind, ErrorKind::kUsage);
  EXPECT_EQ(FindWords(kFile, {3, 3}, "kLanes").error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(FindWords(kFile, {3, 9}, "kLanes").error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(FindWords(kFile, {1, 1}, "Threads per warp").error().kind, ErrorKind::kNotFound);
}

TEST(CitedWords, AreFewAndNotNothing) {
  std::string many;
  for (int i = 0; i < 31; ++i) many += "a ";
  EXPECT_EQ(FindWords(kFile, {1, 4}, many).error().kind, ErrorKind::kUsage);
  EXPECT_EQ(FindWords(kFile, {1, 4}, std::string(500, 'a')).error().kind, ErrorKind::kUsage);
  EXPECT_EQ(FindWords(kFile, {1, 4}, " = ").error().kind, ErrorKind::kUsage);
  EXPECT_EQ(FindWords(kFile, {1, 4}, "").error().kind, ErrorKind::kUsage);
}

TEST(CitedWords, StandAfterATarget) {
  const auto split = SplitWords("cutlass:a b.h:10-14 \"per warp\"");
  EXPECT_EQ(split.target, "cutlass:a b.h:10-14");
  EXPECT_EQ(split.words, "per warp");
  EXPECT_EQ(SplitWords("a.h:1").target, "a.h:1");
  EXPECT_EQ(SplitWords("a.h:1").words, "");
  EXPECT_EQ(SplitWords("a.h:1 \"say \"hi\"\"").words, "say \"hi\"");
  EXPECT_EQ(SplitWords("\"a\"").target, "\"a\"");
}

TEST(CitedWords, AreWhereTheyAreSaidToBe) {
  EXPECT_TRUE(rc::check("what is found is what was asked for", [] {
    const auto text = *rc::gen::container<std::string>(rc::gen::element('a', 'b', ' ', '\n', '*'));
    const auto words = *rc::gen::container<std::string>(rc::gen::element('a', 'b', ' '));
    const auto found = FindWords(text, {}, words);
    if (!found.ok()) return;
    RC_ASSERT(found->last < text.size());
    RC_ASSERT(WordsOnOneLine(std::string_view(text).substr(found->first, found->size())) ==
              WordsOnOneLine(words));
  }));
}

}  // namespace
}  // namespace sibyl::evidence
