// SPDX-License-Identifier: Apache-2.0
#include "support/clauses/taken_value.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sibyl::support {
namespace {

std::string SiblingIn(std::string_view text, std::string_view lines) {
  const auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok() && !statements->all.empty()) << text;
  Tokenizer tokenizer;
  const EvidenceText evidence(lines, "", tokenizer);
  const auto found = FindOtherSibling(Read(statements->all.front(), evidence, tokenizer), evidence);
  return found ? found->there : std::string();
}

std::string AssignedIn(std::string_view text, std::string_view lines) {
  const auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok() && !statements->all.empty()) << text;
  Tokenizer tokenizer;
  const EvidenceText evidence(lines, "", tokenizer);
  const auto found =
      FindOtherAssigned(Read(statements->all.front(), evidence, tokenizer), evidence);
  return found ? found->there : std::string();
}

TEST(TakenValue, OfSeveralNamesOneIsMarkedAsTheDefault) {
  constexpr std::string_view kLines =
      "`GRID_BACKEND`: either `GRID_BACKEND_CUDA` or `GRID_BACKEND_OPENMP`.\n"
      "**default:** `GRID_BACKEND_CUDA`\n";
  EXPECT_EQ(SiblingIn("OpenMP is built if `GRID_BACKEND` is not set.", kLines),
            "grid_backend_cuda");
  EXPECT_EQ(SiblingIn("CUDA is built if `GRID_BACKEND` is not set.", kLines), "");
  EXPECT_EQ(SiblingIn("OpenMP is one of the values of `GRID_BACKEND`.", kLines), "")
      << "it is not about the default";
}

TEST(TakenValue, OfAnAssignment) {
  constexpr std::string_view kLines =
      "if c.Entries == 0 {\n  c.Entries = noLimit\n}\n"
      "if c.Committed == 0 {\n  c.Committed = c.PerMessage\n}\n";
  EXPECT_EQ(AssignedIn("At zero `Committed` takes the value of `noLimit`.", kLines), "permessage");
  EXPECT_EQ(AssignedIn("At zero `Committed` takes the value of `PerMessage`.", kLines), "");
  EXPECT_EQ(AssignedIn("At zero `Committed` is compared with `noLimit`.", kLines), "");
}

}  // namespace
}  // namespace sibyl::support
