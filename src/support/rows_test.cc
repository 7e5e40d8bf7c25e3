// SPDX-License-Identifier: Apache-2.0
#include "support/rows.h"

#include <gtest/gtest.h>

#include "statement/statement.h"

namespace sibyl::support {
namespace {

constexpr std::string_view kVersions =
    "| torch | vision | Python |\n"
    "| ----- | ------ | ------ |\n"
    "| 2.13  | 0.28   | >=3.10 |\n"
    "| 2.12  | 0.27   | >=3.10 |\n"
    "| 2.11  | 0.26   | >=3.9  |\n";

std::string WrongIn(std::string_view said, std::string_view lines) {
  Tokenizer tokenizer;
  const auto statements = statement::ReadStatements(std::string(said));
  const EvidenceText evidence(lines, "", tokenizer);
  const LineTables tables = ReadTables(lines, evidence.tokens());
  const ReadStatement read = Read(statements->all.at(0), evidence, tokenizer);
  return WrongRow(read, evidence, tables).value_or("");
}

TEST(Rows, WhatIsSaidOfARowIsInOneRow) {
  EXPECT_EQ(WrongIn("With torch 2.12 the matching release is 0.27.", kVersions), "");
  EXPECT_EQ(WrongIn("With torch 2.12 the matching release is 0.28.", kVersions),
            "the cited lines have 2.12 and 0.28 in different rows");
}

TEST(Rows, SeveralRowsMayBeCompared) {
  EXPECT_EQ(WrongIn("Torch went from 2.11 to 2.12 and vision from 0.26 to 0.27.", kVersions), "");
}

TEST(Rows, ANumberIsInTheColumnThatIsNamed) {
  constexpr std::string_view kMemory =
      "| Settings  | Training Memory | Inference Memory |\n"
      "| --------- | --------------- | ---------------- |\n"
      "| default   | 26.92 GB        | 21.43 GB         |\n"
      "| bf16-true | 9.69 GB         | 7.30 GB          |\n";
  EXPECT_EQ(WrongIn("The training memory fell from 26.92 GB to 9.69 GB.", kMemory), "");
  EXPECT_NE(WrongIn("The training memory fell from 26.92 GB to 7.30 GB.", kMemory), "");
}

TEST(Rows, NamesOfTheFirstColumn) {
  constexpr std::string_view kSizes =
      "| Name  | Size          |\n"
      "| ----- | ------------- |\n"
      "| Deita | 9,500 samples |\n"
      "| Dolly | 15,011 samples |\n"
      "| Lima  | 1,084 samples |\n";
  EXPECT_EQ(WrongIn("Of the sets, Lima has 1,084 samples and Dolly 15,011.", kSizes), "");
  EXPECT_NE(WrongIn("Of the sets, Lima has 1,084 samples and Dolly 9,500.", kSizes), "");
}

TEST(Rows, EntriesAndPinsAreRows) {
  constexpr std::string_view kModes =
      "modes = {\n  0: \"kNone\",\n  1: \"kCausal\",\n  2: \"kCustom\",\n}\n";
  EXPECT_EQ(WrongIn("Mode 2 becomes `kCustom`.", kModes), "");
  EXPECT_NE(WrongIn("Mode 1 becomes `kCustom`.", kModes), "");
}

TEST(Rows, ARowOfAGridHasSeveralLines) {
  constexpr std::string_view kGrid =
      "+---------+-------------+\n"
      "| Release | CUDA        |\n"
      "+=========+=============+\n"
      "| 1.6.0   | 12.6, 12.8, |\n"
      "|         | 13.0        |\n"
      "+---------+-------------+\n"
      "| 1.5.0   | 12.4        |\n"
      "+---------+-------------+\n";
  EXPECT_EQ(WrongIn("Release 1.6.0 supports 12.6 and 13.0.", kGrid), "");
  EXPECT_NE(WrongIn("Release 1.5.0 supports 13.0.", kGrid), "");
}

TEST(Rows, TextWithoutTablesHasNone) {
  Tokenizer tokenizer;
  const std::string text = "a | b\nx = 1;\nif (a || b) {\n\n|\n||\n";
  EXPECT_TRUE(ReadTables(text, tokenizer.OfSource(text)).cells.empty());
  EXPECT_TRUE(ReadTables("", {}).cells.empty());
}

TEST(Rows, ARowMayBeNamedInPart) {
  constexpr std::string_view kCompilers =
      "| Compiler | Minimum version |\n|---|---|\n| GCC | 12 |\n| Clang | 16 |\n"
      "| MSVC | 14.43 |\n| Xcode (Apple Clang) | 16 |\n";
  EXPECT_EQ(WrongIn("It needs GCC 12, whereas the oldest Clang that will do is 16.", kCompilers),
            "");
}

TEST(Rows, ANameIsInTheColumnThatIsNamed) {
  constexpr std::string_view kLibraries =
      "| CUDA library | HIP library | ROCm library |\n|---|---|---|\n"
      "| cuBLAS | hipBLAS | rocBLAS |\n| cuFFT | hipFFT | rocFFT |\n";
  EXPECT_EQ(WrongIn("For cuBLAS, hipBLAS is the ROCm counterpart.", kLibraries),
            "the cited lines have hipBLAS in another column");
  EXPECT_EQ(WrongIn("For cuBLAS, rocBLAS is the ROCm counterpart.", kLibraries), "");
  EXPECT_EQ(WrongIn("For cuBLAS, hipBLAS calls the ROCm library rocBLAS.", kLibraries), "");
}

}  // namespace
}  // namespace sibyl::support
