// SPDX-License-Identifier: Apache-2.0
#include "gate/cited/nearest_lines.h"

#include <gtest/gtest.h>

#include <string>

namespace sibyl::gate {
namespace {

constexpr std::string_view kFile =
    "// Licensed to nobody.\n"
    "\n"
    "// The number of entries in the task queue.\n"
    "constexpr int kEntries = 64;\n"
    "\n"
    "// The cache of compiled kernels is kept below the home folder.\n"
    "std::string CacheFolder();\n";

std::optional<LineRange> Nearest(std::string_view text) {
  support::Grounder grounder;
  return NearestLines(statement::ReadStatements(text)->all.front(), kFile, grounder);
}

TEST(NearestLines, AreThoseThatCarryTheStatement) {
  EXPECT_EQ(Nearest("The task queue has 64 entries."), (LineRange{3, 4}));
  EXPECT_EQ(Nearest("Compiled kernels are kept in a cache below the home folder."),
            (LineRange{6, 7}));
}

TEST(NearestLines, AreNotInventedWhereNoneDo) {
  EXPECT_EQ(Nearest("The task queue has 32 entries."), std::nullopt);
  EXPECT_EQ(Nearest("Bananas are rich in potassium."), std::nullopt);
}

}  // namespace
}  // namespace sibyl::gate
