// SPDX-License-Identifier: Apache-2.0
#include "references/find/record.h"

#include <gtest/gtest.h>

namespace sibyl::references {
namespace {

TEST(Record, IsKnownByItsPath) {
  for (const char* path :
       {"CHANGELOG.md", "docs/HISTORY.md", "docs/DEFECT_LOG.md", "docs/archive/a.md",
        "docs/_archive/2025-12/a.md", "backlog/completed/046_x.md", "plans/2026-07-23-fixes.md",
        "reviews/review_20260223.md", ".claude/journal/x.md"}) {
    EXPECT_TRUE(IsRecord(path)) << path;
  }
  for (const char* path : {"README.md", "docs/logging.md", "docs/catalog.md", "docs/adr/0107-x.md",
                           "docs/v2026/a.md", "docs/20261399.md", "plans/next.md"}) {
    EXPECT_FALSE(IsRecord(path)) << path;
  }
}

TEST(Record, HasADate) {
  constexpr std::int64_t kDay = 86'400;
  constexpr std::int64_t kFebruary24 = 20'508 * kDay;
  EXPECT_EQ(DateOfPath("plans/2026-02-23-x.md"), kFebruary24);
  EXPECT_EQ(DateOfPath("plans/2026_02_23/x.md"), kFebruary24);
  EXPECT_EQ(DateOfPath("plans/2026-02-31-x.md"), std::nullopt);
  EXPECT_EQ(DateOfPath("a.md"), std::nullopt);
}

TEST(Record, MayNameACommit) {
  EXPECT_EQ(NamedCommit("# x\n\nLine numbers are as of commit `1A2b3c4`.\n"), "1a2b3c4");
  EXPECT_EQ(NamedCommit("**Commit:** 1a2b3c4d (main)\n"), "1a2b3c4d");
  EXPECT_EQ(NamedCommit("Verified at HEAD 1a2b3c4.\n"), "1a2b3c4");
  EXPECT_EQ(NamedCommit("The commit message says it; commit often.\n"), "");
  EXPECT_EQ(NamedCommit("overhead 1234567\n"), "");
  EXPECT_EQ(NamedCommit("commit defaced\n"), "");
}

}  // namespace
}  // namespace sibyl::references
