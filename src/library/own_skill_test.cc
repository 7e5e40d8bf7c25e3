// SPDX-License-Identifier: Apache-2.0
// The skill that teaches an agent to use Sibyl is what Agent Skills allow, and
// names only tools that exist.
#include <gtest/gtest.h>

#include "base/files/files.h"
#include "base/strings.h"
#include "library/skill.h"

namespace sibyl::library {
namespace {

TEST(OwnSkill, IsValidAndShort) {
  const Result<std::string> text = ReadFile(std::string(SIBYL_SOURCE_DIR) + "/skill/SKILL.md");
  ASSERT_TRUE(text.ok()) << text.error().message;
  for (const Finding& finding : CheckSkill(*text, "sibyl")) {
    ADD_FAILURE() << finding.code << ": " << finding.message;
  }
  EXPECT_LT(SplitLines(*text).size(), 120U);
  for (const std::string_view line : SplitLines(*text)) {
    if (!line.starts_with("description:")) continue;
    EXPECT_LE(line.size(), 1024U);
    EXPECT_EQ(line.substr(12).find(": "), std::string_view::npos) << "YAML would break there";
  }
}

TEST(OwnSkill, TeachesEveryStep) {
  const Result<std::string> text = ReadFile(std::string(SIBYL_SOURCE_DIR) + "/skill/SKILL.md");
  ASSERT_TRUE(text.ok());
  for (const char* step :
       {"plan_status", "claim_part", "search", "read_source", "inspect", "lab_results",
        "draft_section", "submit_part", "release_part", "finalize"}) {
    EXPECT_NE(text->find(std::string("`") + step), std::string::npos) << step;
  }
}

}  // namespace
}  // namespace sibyl::library
