// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/matcher.h"

#include <gtest/gtest.h>

#include "draft/test_passages.h"

namespace sibyl::draft {
namespace {

class MatcherTest : public PassageTest {
 protected:
  MatcherTest() { Add("docs/a.md", "markdown", "# Tools\n\nA tool shows metrics.\n"); }
};

TEST_F(MatcherTest, ANicknameIsMetByTheOtherNameAsAWhole) {
  TermReader reader(searcher());
  Matcher matcher(ReadQuestion("ncu metrics"), reader);
  ASSERT_EQ(matcher.terms().size(), 2U);
  EXPECT_EQ(matcher.MaskOf("Nsight Compute has metrics"), 3U);
  EXPECT_EQ(matcher.MaskOf("ncu"), 1U);
  EXPECT_EQ(matcher.MaskOf("compute with Nsight"), 0U);
  EXPECT_GT(matcher.Coverage("Nsight Compute"), 0.9);
}

}  // namespace
}  // namespace sibyl::draft
