// SPDX-License-Identifier: Apache-2.0
#include "gate/gate_config.h"

#include <gtest/gtest.h>

namespace sibyl::gate {
namespace {

TEST(GateConfigTest, HasADefault) {
  EXPECT_EQ(ParseGateConfig("[source]\n", "sibyl.toml")->max_undecided, kMaxUndecided);
}

TEST(GateConfigTest, IsRead) {
  EXPECT_EQ(ParseGateConfig("[gate]\nmax_undecided = 0.25\n", "sibyl.toml")->max_undecided, 0.25);
  EXPECT_EQ(ParseGateConfig("[gate]\nmax_undecided = 1\n", "sibyl.toml")->max_undecided, 1);
}

TEST(GateConfigTest, MistakesAreToldWithTheirLine) {
  for (const char* text :
       {"gate = 1\n", "[gate]\nmax_undecided = 1.5\n", "[gate]\nmax_undecided = \"all\"\n",
        "[gate]\nother = 1\n", "[gate]\nmax_undecided = nan\n"}) {
    const auto config = ParseGateConfig(text, "sibyl.toml");
    ASSERT_FALSE(config.ok()) << text;
    EXPECT_GT(config.error().place->line, 0U) << text;
    EXPECT_FALSE(config.error().hint.empty()) << text;
  }
}

}  // namespace
}  // namespace sibyl::gate
