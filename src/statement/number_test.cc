// SPDX-License-Identifier: Apache-2.0
#include "statement/number.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <utility>
#include <vector>

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

TEST(Numbers, KnowEveryDimension) {
  const std::pair<const char*, Dimension> kCases[] = {{"80 GB", Dimension::kBytes},
                                                      {"3 TB/s", Dimension::kBytesPerSecond},
                                                      {"400 Gb/s", Dimension::kBitsPerSecond},
                                                      {"19.5 TFLOPS", Dimension::kFlops},
                                                      {"624 TOPS", Dimension::kOps},
                                                      {"1.4 GHz", Dimension::kHertz},
                                                      {"5 ms", Dimension::kSeconds},
                                                      {"700 W", Dimension::kWatts},
                                                      {"50%", Dimension::kPercent},
                                                      {"2x", Dimension::kTimes},
                                                      {"16-bit", Dimension::kBits},
                                                      {"32 threads", Dimension::kNone}};
  for (const auto& [text, dimension] : kCases) {
    EXPECT_EQ(Only(text).dimension, dimension) << text;
  }
}

TEST(Numbers, AreInTheBaseUnit) {
  EXPECT_DOUBLE_EQ(Only("48 KB").value, 48e3);
  EXPECT_DOUBLE_EQ(Only("48 KiB").value, 48.0 * 1024);
  EXPECT_DOUBLE_EQ(Only("5 ms").value, 5e-3);
  EXPECT_DOUBLE_EQ(Only("5 µs").value, 5e-6) << "the micro sign";
  EXPECT_DOUBLE_EQ(Only("5 μs").value, 5e-6) << "the Greek letter";
  EXPECT_DOUBLE_EQ(Only("2 hours").value, 7200);
  EXPECT_EQ(Only("48 KB").digits, 48);
}

TEST(Numbers, ReadThousandsAndPoints) {
  EXPECT_DOUBLE_EQ(Only("1,979 TFLOPS").value, 1979e12);
  EXPECT_DOUBLE_EQ(Only("1,234,567 bytes").value, 1234567);
  EXPECT_DOUBLE_EQ(Only("3.35TB/s").value, 3.35e12);
  const std::vector<Number> listed = ReadNumbers("1,2 GB");
  ASSERT_EQ(listed.size(), 1U) << "a list and not a thousand";
  EXPECT_DOUBLE_EQ(listed[0].value, 2e9);
}

TEST(Numbers, SayWhereTheyStandInTheOrderOfTheText) {
  const std::string text = "From 48 KB to 228 KB per SM.";
  const std::vector<Number> numbers = ReadNumbers(text);
  ASSERT_EQ(numbers.size(), 2U);
  EXPECT_EQ(text.substr(numbers[0].offset, numbers[0].end - numbers[0].offset), "48 KB");
  EXPECT_EQ(text.substr(numbers[1].offset, numbers[1].end - numbers[1].offset), "228 KB");
}

TEST(Numbers, ReadRangesWithBothDashes) {
  for (const char* text : {"80-100 GB", "80–100 GB"}) {
    EXPECT_DOUBLE_EQ(Only(text).value, 80e9) << text;
    EXPECT_DOUBLE_EQ(Only(text).upper, 100e9) << text;
  }
}

TEST(Numbers, KnowTheWordsOfDoubt) {
  for (const char* text : {"~48 KB", "about 48 KB", "roughly 48 KB", "up to 48 KB", "over 48 KB",
                           "more than 48 KB", "at least 48 KB", "≈48 KB", "Approximately 48 KB"}) {
    EXPECT_TRUE(Only(text).is_about) << text;
  }
  EXPECT_FALSE(Only("exactly 48 KB").is_about);
}

TEST(Numbers, CountNounsInTheSingularThroughOneAdjective) {
  EXPECT_EQ(Only("4 Tensor Cores").noun, "core");
  EXPECT_EQ(Only("132 SMs").noun, "sm");
  EXPECT_EQ(Only("64 entries").noun, "entry");
  EXPECT_TRUE(ReadNumbers("4 large green cores").empty()) << "two adjectives";
  EXPECT_TRUE(ReadNumbers("4 apples").empty()) << "not what people count here";
}

TEST(Numbers, OfNothingAreNone) {
  for (const char* text : {"", "GB", "12", "12.", "-", "1.2.3 GB", "v3 GB", "#12 GB", "a/4 GB",
                           "12345678901234567890 GB", "4 x 4"}) {
    EXPECT_TRUE(ReadNumbers(text).empty()) << text;
  }
}

TEST(Numbers, AUnitIsAWholeWord) {
  EXPECT_TRUE(ReadNumbers("4 GBit").empty());
  EXPECT_TRUE(ReadNumbers("10 Watts").empty()) << "W goes on";
  EXPECT_TRUE(ReadNumbers("10 B200").empty()) << "the name of a chip";
}

TEST(Numbers, OfDifferentMeasuresAreNotCompared) {
  EXPECT_FALSE(SameMeasure(Only("4 GB"), Only("4 GB/s")));
  EXPECT_FALSE(SameMeasure(Only("4 cores"), Only("4 threads")));
  EXPECT_TRUE(SameMeasure(Only("4 cores"), Only("9 cores")));
  EXPECT_FALSE(SameQuantity(Only("4 cores"), Only("9 cores")));
  EXPECT_TRUE(SameQuantity(Only("0 GB"), Only("0 MB")));
}

TEST(Numbers, ARangeIsNotItsBeginning) {
  EXPECT_FALSE(SameQuantity(Only("80-100 GB"), Only("80-200 GB")));
  EXPECT_TRUE(SameQuantity(Only("80-100 GB"), Only("80–100 GB")));
}

TEST(Numbers, SameQuantityIsTheSameBothWaysAndForItself) {
  EXPECT_TRUE(rc::check([] {
    const auto text = rc::gen::map(
        rc::gen::pair(
            rc::gen::inRange(0, 2000),
            rc::gen::element<std::string>(" GB", " GiB", " TFLOPS", " cores", " ms", "%")),
        [](const std::pair<int, std::string>& made) {
          return std::to_string(made.first) + made.second;
        });
    const std::vector<Number> a = ReadNumbers(*text);
    const std::vector<Number> b = ReadNumbers(*text);
    RC_PRE(a.size() == 1 && b.size() == 1);
    RC_ASSERT(SameQuantity(a[0], a[0]));
    RC_ASSERT(SameQuantity(a[0], b[0]) == SameQuantity(b[0], a[0]));
    RC_ASSERT(SameMeasure(a[0], b[0]) || !SameQuantity(a[0], b[0]));
  }));
}

}  // namespace
}  // namespace sibyl::statement
