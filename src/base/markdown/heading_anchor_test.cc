// SPDX-License-Identifier: Apache-2.0
#include "base/markdown/heading_anchor.h"

#include <gtest/gtest.h>

namespace sibyl {
namespace {

TEST(AnchorOf, IsWhatGitHubMakesOfAHeading) {
  EXPECT_EQ(AnchorOf("3.1 What this machine has"), "31-what-this-machine-has");
  EXPECT_EQ(AnchorOf("1.1 Detection order (CUDA, cuDNN)"), "11-detection-order-cuda-cudnn");
  EXPECT_EQ(AnchorOf("`cudaMalloc()` & friends"), "cudamalloc--friends");
  EXPECT_EQ(AnchorOf("snake_case – and-dash"), "snake_case--and-dash");
  EXPECT_EQ(AnchorOf("Größe µs ✓"), "größe-µs-");
  EXPECT_EQ(AnchorOf(" padded "), "padded");
}

TEST(WithoutNumber, IsTheTitleAlone) {
  EXPECT_EQ(WithoutNumber("1.1 Detection order"), "Detection order");
  EXPECT_EQ(WithoutNumber(" 2. Switches "), "Switches");
  EXPECT_EQ(WithoutNumber("Section 3: Switches"), "Switches");
  EXPECT_EQ(WithoutNumber("3D textures"), "3D textures");
  EXPECT_EQ(WithoutNumber("2.5x faster"), "2.5x faster");
  EXPECT_EQ(WithoutNumber("1.2"), "1.2");
  EXPECT_EQ(WithoutNumber(".5 and up"), ".5 and up");
  EXPECT_EQ(WithoutNumber("Section 3"), "Section 3");
  EXPECT_EQ(WithoutNumber(""), "");
}

TEST(HeadingAnchors, NumbersRepeatedHeadings) {
  HeadingAnchors anchors;
  EXPECT_EQ(anchors.Next("Notes"), "notes");
  EXPECT_EQ(anchors.Next("notes!"), "notes-1");
  EXPECT_EQ(anchors.Next("Notes"), "notes-2");
  EXPECT_EQ(anchors.Next("Other"), "other");
}

}  // namespace
}  // namespace sibyl
