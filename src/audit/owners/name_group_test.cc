// SPDX-License-Identifier: Apache-2.0
#include "audit/owners/name_group.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "audit/audit.h"
#include "audit/test_witness.h"

namespace sibyl::audit {
namespace {

std::vector<std::string> AlarmsOf(const std::string& text) {
  static const TestWitness* const kSources = new TestWitness(
      {{.name = "gizmo",
        .files = {{"alloc.cpp",
                   "constexpr int kSmallBuffer = 2;\nconstexpr int kLargeBuffer = 20;\n"
                   "constexpr int kMinBlockSize = 512;\n"},
                  {"gizmo.h",
                   "struct gizmoDeviceProperties { int warpSize; int clusterLaunch; "
                   "int totalMemory; int l2CacheSize; };\n"},
                  {"old.h", "int clockRate;\n"}}}});
  const auto judged = Auditor(**kSources).Audit({.file = "n.md", .text = "# Gizmo\n\n" + text});
  std::vector<std::string> alarms;
  for (const statement::Judgement& judgement : *judged) {
    if (judgement.Fails()) alarms.push_back(judgement.text);
  }
  return alarms;
}

using List = std::vector<std::string>;

TEST(NameGroup, ListedNamesBelongToTheOwnerThatIntroducesThem) {
  EXPECT_EQ(AlarmsOf("This fills a `gizmoDeviceProperties`. What I use:\n\n- `warpSize`, "
                     "`clusterLaunch`\n- `totalMemory` in bytes\n- `l2CacheSize`\n"
                     "- `clockRate` in kHz\n"),
            List{"clockRate"});
  EXPECT_EQ(AlarmsOf("This fills a `gizmoDeviceProperties`. What I use:\n\n- `warpSize`\n"
                     "- `clockRate` in kHz\n"),
            List{})
      << "too few are members";
}

TEST(NameGroup, AStrangerAmongNamesOfOneFileIsAbsent) {
  EXPECT_EQ(AlarmsOf("| constant | value |\n| - | - |\n| `kMinBlockSize` | 512 |\n"
                     "| `kSmallBuffer` | 2 |\n| `kLargeBuffer` | 20 |\n| `kHugeBuffer` | 1 |\n"),
            List{"kHugeBuffer"});
  EXPECT_EQ(AlarmsOf("`kSmallBuffer` and `run_my_step` and `other_own_name`."), List{});
}

}  // namespace
}  // namespace sibyl::audit
