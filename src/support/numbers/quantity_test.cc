// SPDX-License-Identifier: Apache-2.0
#include "support/numbers/quantity.h"

#include <gtest/gtest.h>

#include <string_view>

#include "support/numbers/number_words.h"

namespace sibyl::support {
namespace {

// How the first number of a statement fits the lines.
QuantityFit Fit(std::string_view said, std::string_view lines) {
  const auto numbers = ReadQuantities(said, false);
  EXPECT_FALSE(numbers.empty()) << said;
  if (numbers.empty()) return QuantityFit::kNone;
  return Match(numbers.front(), ReadQuantities(lines, true), ReadUnitHints(lines)).fit;
}

TEST(Quantity, IsTheSameInOtherUnits) {
  EXPECT_EQ(Fit("4 KiB", "size = 4096;"), QuantityFit::kSame);
  EXPECT_EQ(Fit("16 ms", "takes 0.016 s"), QuantityFit::kSame);
  EXPECT_EQ(Fit("92 %", "ratio = 0.92"), QuantityFit::kSame);
  EXPECT_EQ(Fit("a 32-bit word", "uint32_t word;"), QuantityFit::kSame);
  EXPECT_EQ(Fit("4 KiB", "size = 8192;"), QuantityFit::kNone);
}

TEST(Quantity, HasTheUnitOfAPartOfItsKey) {
  EXPECT_EQ(Fit("60 seconds", "delaySeconds: 60\n# 30s"), QuantityFit::kSame);
  EXPECT_EQ(Fit("five seconds", "milliseconds kRunMSecs(500);\nseconds kWaitSecs(5);"),
            QuantityFit::kSame);
  EXPECT_EQ(Fit("half a second", "milliseconds kRunMSecs(500);"), QuantityFit::kSame);
  EXPECT_EQ(Fit("20 ms", "Duration::from_millis(20)"), QuantityFit::kSame);
  EXPECT_EQ(Fit("3.4 kHz", "the highest (Hz). Default: 3400"), QuantityFit::kSame);
  EXPECT_EQ(Fit("3.4 kHz", "the highest (Hz). Default: 3200"), QuantityFit::kNone);
}

TEST(Quantity, IsTheValueOfAnExpression) {
  EXPECT_EQ(Fit("32 MiB", "empty(32 * 1024 * 1024)"), QuantityFit::kSame);
  EXPECT_EQ(Fit("32 KiB", "empty(32 * 1024 * 1024)"), QuantityFit::kNone) << "32 is a part of it";
  EXPECT_EQ(Fit("1048576 entries", "1UL << 20"), QuantityFit::kSame);
}

TEST(Quantity, MayBeWrittenInTwoWords) {
  EXPECT_EQ(NumberWordsAt("twenty-one bits", 0)->value, 21);
  EXPECT_EQ(NumberWordsAt("sixty-four bits", 0)->value, 64);
}

TEST(Quantity, MayBeAPower) {
  EXPECT_EQ(Fit("2^31-1 threads", "limit = 2147483647;"), QuantityFit::kSame);
  EXPECT_EQ(Fit("2^31 threads", "limit = 2147483647;"), QuantityFit::kNone);
  EXPECT_EQ(Fit("2^{31}-1 threads", "at most :math:`2^{31}-1` of them"), QuantityFit::kSame);
  EXPECT_EQ(Fit("2^{31} threads", "at most :math:`2^{31}-1` of them"), QuantityFit::kSame);
  EXPECT_EQ(Fit("10⁻⁸", "eps = 1e-8"), QuantityFit::kSame);
  EXPECT_EQ(Fit("10⁻⁸", "eps = 1e-6"), QuantityFit::kNone);
  EXPECT_EQ(Fit("256² values", "size = 65536"), QuantityFit::kSame);
  EXPECT_EQ(Fit("1 << 20 entries", "size = 1048576"), QuantityFit::kSame);
}

TEST(Quantity, MayBeAWordOrAVersion) {
  EXPECT_EQ(Fit("sixteen rows", "kRows = 16"), QuantityFit::kSame);
  EXPECT_EQ(Fit("twelve rows", "kRows = 16"), QuantityFit::kNone);
  EXPECT_EQ(Fit("half a dozen rows", "kRows = 6"), QuantityFit::kSame);
  EXPECT_EQ(Fit("half a dozen rows", "kRows = 12"), QuantityFit::kNone);
  EXPECT_EQ(Fit("CUDA 12.8", "Version(\"12.8\")"), QuantityFit::kSame);
  EXPECT_EQ(Fit("CUDA 12.8", "Version(\"12.6\")"), QuantityFit::kNone);
  EXPECT_EQ(Fit("capability 9.0", "__CUDA_ARCH__ >= 900"), QuantityFit::kSame);
}

TEST(Quantity, MayBeRoundedToTheDigitsThatAreGiven) {
  EXPECT_EQ(Fit("roughly 5.4 seconds", "**5360ms**"), QuantityFit::kSame);
  EXPECT_EQ(Fit("about 5 seconds", "**5360ms**"), QuantityFit::kSame);
  EXPECT_EQ(Fit("over 5.3 seconds", "**5360ms**"), QuantityFit::kSame);
  EXPECT_EQ(Fit("nearly 5.4 seconds", "**5360ms**"), QuantityFit::kSame);
  EXPECT_EQ(Fit("roughly 5.5 seconds", "**5360ms**"), QuantityFit::kNone);
  EXPECT_EQ(Fit("over 5.4 seconds", "**5360ms**"), QuantityFit::kNone) << "it is less";
  EXPECT_EQ(Fit("about 100 rows", "60 rows"), QuantityFit::kNone);
}

TEST(Quantity, RoundedWithoutAWordIsADoubtFromTwoDigitsOn) {
  EXPECT_EQ(Fit("5.4 seconds", "**5360ms**"), QuantityFit::kRounded);
  EXPECT_EQ(Fit("5 seconds", "**5360ms**"), QuantityFit::kNone);
  EXPECT_EQ(Fit("CUDA 12", "CUDA 12.4"), QuantityFit::kNone) << "no unit";
}

TEST(Quantity, ThousandsAndMillionsAreSuffixes) {
  EXPECT_EQ(Fit("a million vectors", "the 1M subset"), QuantityFit::kSame);
  EXPECT_EQ(Fit("ten million vectors", "the 10M subset"), QuantityFit::kSame);
  EXPECT_EQ(Fit("ten thousand queries", "10k queries"), QuantityFit::kSame);
  EXPECT_EQ(Fit("2.5 million rows", "kRows = 2'500'000;"), QuantityFit::kSame);
  EXPECT_EQ(Fit("two hundred thousand rows", "kRows = 200000;"), QuantityFit::kSame);
  EXPECT_EQ(Fit("seven billion parameters", "a model of 7B parameters"), QuantityFit::kSame);
  EXPECT_EQ(Fit("ten million vectors", "the 1M subset"), QuantityFit::kNone);
  EXPECT_EQ(Fit("ten million vectors", "10 vectors"), QuantityFit::kNone);
}

TEST(Quantity, HasTheUnitOfItsKey) {
  EXPECT_EQ(Fit("180 minutes", "timeout-minutes: 180"), QuantityFit::kSame);
  EXPECT_EQ(Fit("180 seconds", "timeout-minutes: 180"), QuantityFit::kNone);
  EXPECT_EQ(Fit("500 ms", "timeout_ms = 500"), QuantityFit::kSame);
}

TEST(Quantity, UnitsOfOneNumberAreNotThoseOfAnother) {
  EXPECT_EQ(Fit("64 MB", "less than 64KB\nMAX = 65536"), QuantityFit::kNone);
  EXPECT_EQ(Fit("10 seconds", "at least 10 samples"), QuantityFit::kDoubtful);
}

TEST(Quantity, OfAVersionMayBeInTwoNumbers) {
  EXPECT_EQ(Fit("10.7", "compute_capability{10, 7}"), QuantityFit::kSame);
  EXPECT_EQ(Fit("12.4", "__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ >= 4"),
            QuantityFit::kSame);
  EXPECT_NE(Fit("12.5", "__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ >= 4"),
            QuantityFit::kSame);
}

TEST(Quantity, MayBeRoundedInAnExponent) {
  EXPECT_EQ(Fit("about 3.39e+38", "max = 3.3895313892515355e+38"), QuantityFit::kSame);
  EXPECT_EQ(Fit("about 3.49e+38", "max = 3.3895313892515355e+38"), QuantityFit::kNone);
}

TEST(Quantity, OfAFactorIsNotASize) {
  EXPECT_EQ(Fit("one kibibyte", "size = 1024 * 1024;"), QuantityFit::kNone);
  EXPECT_EQ(Fit("one mebibyte", "size = 1024 * 1024;"), QuantityFit::kSame);
  EXPECT_EQ(Fit("a quarter of the nodes", "maxUnavailable: 25%"), QuantityFit::kSame);
  EXPECT_EQ(Fit("835 TFLOPS", "return 835e12"), QuantityFit::kSame);
}

}  // namespace
}  // namespace sibyl::support
