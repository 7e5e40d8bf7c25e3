// SPDX-License-Identifier: Apache-2.0
#include "statement/number.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace sibyl::statement {
namespace {

Number Only(std::string_view text) {
  const std::vector<Number> numbers = ReadNumbers(text);
  EXPECT_EQ(numbers.size(), 1U) << text;
  return numbers.empty() ? Number{} : numbers.front();
}

TEST(Numbers, AreOneQuantityHoweverTheUnitIsSpelled) {
  for (const char* text :
       {"156 TFLOPS", "156TFLOPs", "156 TFLOP/s", "0.156 PFLOPS", "156,000 GFLOPS"}) {
    EXPECT_TRUE(SameQuantity(Only(text), Only("156 TFLOPS"))) << text;
  }
  EXPECT_FALSE(SameQuantity(Only("312 TFLOPS"), Only("156 TFLOPS")));
  EXPECT_FALSE(SameQuantity(Only("156 TOPS"), Only("156 TFLOPS")));
}

TEST(Numbers, ForgiveBinaryAndDecimalPrefixesOfTheSameDigits) {
  EXPECT_TRUE(SameQuantity(Only("80 GB"), Only("80GiB")));
  EXPECT_TRUE(SameQuantity(Only("3.35TB/s"), Only("3350 GB/s")));
  EXPECT_FALSE(SameQuantity(Only("80 GB"), Only("80 MB")));
}

TEST(Numbers, AreNotPartsOfNamesVersionsOrBareCounts) {
  EXPECT_TRUE(ReadNumbers("A100, sm_90, CUDA 12.4.1, v2 and line 17 of a-100").empty());
  EXPECT_TRUE(ReadNumbers("3D textures, p4d.24xlarge").empty());
}

TEST(Numbers, KnowRangesCountsAndDoubt) {
  const Number range = Only("2-3x faster");
  EXPECT_EQ(range.value, 2);
  EXPECT_EQ(range.upper, 3);
  EXPECT_EQ(Only("64 CUDA cores").noun, "core");
  EXPECT_EQ(Only("1,024 threads per block").value, 1024);
  EXPECT_TRUE(Only("about 48 KB").is_about);
  EXPECT_FALSE(Only("has 48 KB").is_about);
}

TEST(Numbers, NeverReachOutsideTheText) {
  EXPECT_TRUE(rc::check("offsets lie within", [](const std::string& text) {
    for (const Number& number : ReadNumbers(text)) {
      RC_ASSERT(number.offset < number.end);
      RC_ASSERT(number.end <= text.size());
    }
  }));
}

}  // namespace
}  // namespace sibyl::statement
