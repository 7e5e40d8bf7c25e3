// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspectors.h"

#include <gtest/gtest.h>

#include <set>

namespace sibyl::inspect {
namespace {

TEST(Inspectors, WhatARowDetectsItAlsoReads) {
  std::set<std::string_view> kinds = {kOtherKind};
  for (const Inspector& inspector : Inspectors()) {
    EXPECT_TRUE(kinds.insert(inspector.kind).second) << inspector.kind << " has two rows";
    EXPECT_EQ(inspector.is_file == nullptr, inspector.read_file == nullptr) << inspector.kind;
    EXPECT_EQ(inspector.is_file == nullptr, inspector.plural.empty()) << inspector.kind;
    EXPECT_EQ(inspector.is_folder == nullptr, inspector.read_folder == nullptr) << inspector.kind;
    EXPECT_EQ(inspector.levels_below == nullptr, inspector.read_found_folder == nullptr)
        << inspector.kind;
  }
}

TEST(Inspectors, EveryCodeHasOneRule) {
  std::set<std::string_view> codes;
  for (const Rule& rule : FindingRules()) {
    EXPECT_TRUE(codes.insert(rule.code).second) << rule.code;
    EXPECT_FALSE(rule.meaning.empty()) << rule.code;
  }
  EXPECT_TRUE(codes.contains("inspect/limit"));
  // Those of a machine are the doctor's.
  EXPECT_FALSE(codes.contains("machine/no-gpu"));
}

TEST(Inspectors, AreListedForPeopleInTheOrderOfTheTable) {
  EXPECT_EQ(SupportedFiles(),
            "ELF files, static archives, cubins, fatbins, PTX, LTO-IR, CMakeCache.txt, "
            "Dockerfiles, wheels and images");
  EXPECT_EQ(CitableInspectors(), (std::vector<std::string_view>{"elf", "cuda", "cmake",
                                                                "dockerfile", "wheel", "image"}));
}

}  // namespace
}  // namespace sibyl::inspect
