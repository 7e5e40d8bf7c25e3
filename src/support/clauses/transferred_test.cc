// SPDX-License-Identifier: Apache-2.0
#include "support/clauses/transferred.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sibyl::support {
namespace {

// Reads both, and asks one of the checks.
template <typename Check>
auto Ask(std::string_view text, std::string_view lines, Check check) {
  const auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok() && !statements->all.empty()) << text;
  Tokenizer tokenizer;
  const EvidenceText evidence(lines, "", tokenizer);
  const LineSentences sentences(lines, evidence.tokens());
  return check(Read(statements->all.front(), evidence, tokenizer), evidence, sentences);
}

std::string OwnerOfRemark(std::string_view text, std::string_view lines) {
  return Ask(text, lines, [](const auto& read, const auto& evidence, const auto&) {
    const auto found = FindTransferredRemark(read, evidence);
    return found ? found->owner : std::string();
  });
}

std::string UnlikeThings(std::string_view text, std::string_view lines) {
  return Ask(text, lines, [](const auto& read, const auto& evidence, const auto& sentences) {
    return FindFalseLikeness(read, evidence, sentences).value_or("");
  });
}

TEST(Transferred, ARemarkInBracketsBelongsToTheWordBeforeIt) {
  constexpr std::string_view kLines = "- backends: CUDA, OpenMP and HIP (experimental)\n";
  EXPECT_EQ(OwnerOfRemark("It has CUDA, OpenMP (still experimental) and HIP.", kLines), "hip");
  EXPECT_EQ(OwnerOfRemark("It has CUDA, OpenMP and HIP (still experimental).", kLines), "");
  EXPECT_EQ(OwnerOfRemark("It has CUDA, OpenMP (a standard) and HIP.", kLines), "");
  EXPECT_EQ(OwnerOfRemark("It has OpenMP (still experimental) and HIP.",
                          "- backends: OpenMP and HIP (experimental). All are experimental.\n"),
            "");
}

TEST(Transferred, WhatIsSaidLikewiseIsNotSaidOfItByTheLines) {
  constexpr std::string_view kLines =
      "The target must be requested for static builds, but is enabled by default for runtime "
      "dispatch.\n";
  EXPECT_EQ(UnlikeThings("The target has to be requested for static builds, and for runtime "
                         "dispatch likewise.",
                         kLines),
            "and for runtime dispatch");
  EXPECT_EQ(UnlikeThings("The target has to be requested for static builds, and for runtime "
                         "dispatch likewise.",
                         "It must be requested for static builds and for runtime dispatch.\n"),
            "");
  EXPECT_EQ(UnlikeThings("Runtime dispatch enables it as well.", kLines), "")
      << "the clause has a verb of its own";
}

}  // namespace
}  // namespace sibyl::support
