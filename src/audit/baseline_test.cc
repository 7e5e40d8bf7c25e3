// SPDX-License-Identifier: Apache-2.0
#include "audit/baseline.h"

#include <gtest/gtest.h>

namespace sibyl::audit {
namespace {

statement::Judgement Known() {
  return {.verdict = statement::Verdict::kAbsent,
          .code = "ident/unknown",
          .text = "CUDA_ARCH",
          .place = {.file = "x/a.md", .line = 7, .column = 3, .text = "Set `CUDA_ARCH`  first."}};
}

TEST(Baseline, KnowsAFindingWhereverItsLineStands) {
  Baseline baseline;
  baseline.Add(Known(), "a.md");
  statement::Judgement moved = Known();
  moved.place.line = 90;
  moved.place.file = "../a.md";
  moved.place.text = "  Set `CUDA_ARCH` first.";
  EXPECT_EQ(baseline.left(), 1U);
  EXPECT_TRUE(baseline.Take(moved, "a.md"));
  EXPECT_FALSE(baseline.Take(moved, "a.md")) << "once for each time it was accepted";
  EXPECT_EQ(baseline.left(), 0U);
}

TEST(Baseline, DoesNotKnowAnotherFileTextOrLine) {
  Baseline baseline;
  baseline.Add(Known(), "a.md");
  statement::Judgement other = Known();
  other.place.text = "Set `CUDA_ARCH` last.";
  EXPECT_FALSE(baseline.Take(other, "a.md"));
  EXPECT_FALSE(baseline.Take(Known(), "b.md"));
  other = Known();
  other.text = "CUDA_ARCHS";
  EXPECT_FALSE(baseline.Take(other, "a.md"));
}

TEST(Baseline, IsWrittenAndReadAsTheSame) {
  Baseline baseline;
  baseline.Add(Known(), "a.md");
  baseline.Add(Known(), "a.md");
  baseline.Add(Known(), "b\nc.md");
  const std::string text = baseline.Format();
  auto read = Baseline::Parse(text);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->Format(), text);
  EXPECT_EQ(read->left(), 3U);
  EXPECT_TRUE(read->Take(Known(), "a.md"));
  EXPECT_TRUE(read->Take(Known(), "a.md"));
}

TEST(Baseline, RefusesWhatIsNone) {
  for (const std::string_view text :
       {"", "x", "sibyl baseline 2\n", "sibyl baseline 1\nabc 1 x\n",
        "sibyl baseline 1\n0123456789abcdef 0 x\n", "sibyl baseline 1\n0123456789abcdef x\n",
        "sibyl baseline 1\n0123456789abcdef 1 x\n0123456789abcdef 1 x\n"}) {
    EXPECT_FALSE(Baseline::Parse(text).ok()) << text;
  }
  EXPECT_TRUE(Baseline::Parse("sibyl baseline 1\n").ok());
}

}  // namespace
}  // namespace sibyl::audit
