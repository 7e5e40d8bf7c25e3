// SPDX-License-Identifier: Apache-2.0
#include "audit/section_home.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "audit/test_witness.h"

namespace sibyl::audit {
namespace {

std::optional<std::size_t> HomeOf(std::string_view text) {
  static const TestWitness* const kSources = new TestWitness(
      {{.name = "gizmo",
        .files = {{"gizmo/layers.py",
                   "class FusedAdam:\n  pass\nclass FusedLamb:\n  pass\n"
                   "def make_graphed(num_warmup):\n  max_split_size = 1\n"}}},
       {.name = "other", .files = {{"other.py", "class FusedAdam:\n  shared_name = 1\n"}}}});
  const auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok());
  const SectionHomes homes(**kSources, *statements);
  return homes.Of(statements->all.back().heading);
}

TEST(SectionHomes, TheSourceOfNearlyAllNamesIsMeant) {
  EXPECT_EQ(HomeOf("`FusedAdam`, `FusedLamb` and `make_graphed` read `max_split_size`.\n"), 0U);
}

TEST(SectionHomes, FewOrForeignNamesDoNotTell) {
  EXPECT_EQ(HomeOf("`FusedAdam`, `FusedLamb` and `make_graphed`.\n"), std::nullopt);
  EXPECT_EQ(
      HomeOf("`FusedAdam`, `FusedLamb`, `make_graphed` and `max_split_size` of the text's own "
             "`own_thing` and `OwnThing`.\n"),
      std::nullopt);
}

TEST(SectionHomes, ASectionIsNotTheNext) {
  EXPECT_EQ(HomeOf("# A\n\n`FusedAdam`, `FusedLamb`, `make_graphed`, `max_split_size`.\n\n# B\n\n"
                   "Something else.\n"),
            std::nullopt);
}

}  // namespace
}  // namespace sibyl::audit
