// SPDX-License-Identifier: Apache-2.0
#include "library/front_matter.h"

#include <gtest/gtest.h>

namespace sibyl::library {
namespace {

TEST(FrontMatter, ReadsValuesBlocksAndMaps) {
  const FrontMatter front = ReadFrontMatter(
      "---\n"
      "name: gadget  \n"
      "# a comment: this\n"
      "description: >\n"
      "  How Gadget works:\n"
      "  # all of it\n"
      "license: 'MIT: plain'\n"
      "compatibility: needs\n"
      "  a GPU\n"
      "metadata:\n"
      "  # why\n"
      "  version: \"1\"\n"
      "  author: Ada\n"
      "---\n"
      "# Body\n");
  ASSERT_TRUE(front.is_whole);
  ASSERT_EQ(front.fields.size(), 5U);
  EXPECT_EQ(front.Find("name")->value, "gadget");
  EXPECT_EQ(front.Find("name")->line, 2U);
  EXPECT_TRUE(front.Find("name")->is_plain);
  EXPECT_EQ(front.Find("description")->value, "How Gadget works: # all of it");
  EXPECT_FALSE(front.Find("description")->is_plain);
  EXPECT_EQ(front.Find("license")->value, "MIT: plain");
  EXPECT_FALSE(front.Find("license")->is_plain);
  EXPECT_EQ(front.Find("compatibility")->value, "needs a GPU");
  EXPECT_EQ(front.Find("metadata")->members.at("version"), "1");
  EXPECT_EQ(front.Find("metadata")->members.size(), 2U);
  EXPECT_EQ(front.Find("nothing"), nullptr);
  ASSERT_EQ(front.body.size(), 1U);
  EXPECT_EQ(front.body[0], "# Body");
}

TEST(FrontMatter, NeedsBothOfItsLines) {
  EXPECT_FALSE(ReadFrontMatter("").is_whole);
  EXPECT_FALSE(ReadFrontMatter("# Title\n").is_whole);
  EXPECT_EQ(ReadFrontMatter("# Title\n").body.size(), 1U);
  const FrontMatter open = ReadFrontMatter("---\nname: a\n");
  EXPECT_FALSE(open.is_whole);
  EXPECT_EQ(open.Find("name")->value, "a");
}

}  // namespace
}  // namespace sibyl::library
