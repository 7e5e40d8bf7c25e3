// SPDX-License-Identifier: Apache-2.0
#include "passages/cards.h"

#include <gtest/gtest.h>

#include <string>

namespace sibyl::passages {
namespace {

// "name=value", one per line.
std::string Read(std::string_view text) {
  std::string all;
  for (const Card& card : ReadCards(text)) all += card.name + "=" + card.value + "\n";
  return all;
}

TEST(Cards, OfMacrosAndConstants) {
  EXPECT_EQ(Read("#define DEPTH 64\n#define F(x) x\n"), "DEPTH=64\n");
  EXPECT_EQ(Read("constexpr int kDepth = 64;  // why\n"), "kDepth=64\n");
  EXPECT_EQ(Read("  std::size_t depth{64};\n"), "depth=64\n");
  EXPECT_EQ(Read("constexpr int kSize = 1 << 20;\n"), "kSize=1 << 20\n");
}

TEST(Cards, OfArgumentsAndFields) {
  EXPECT_EQ(Read("def f(a, depth: int = 64, wide=True):\n"), "depth=64\nwide=True\n");
  EXPECT_EQ(Read("    depth: int | None = None\n"), "depth=None\n");
  EXPECT_EQ(Read("    count: int = Field(4, ge=0)\n"), "count=4\n");
  EXPECT_EQ(Read("    count: float = Field(default=0.92, gt=0)\n"), "count=0.92\n");
}

TEST(Cards, OfOptions) {
  EXPECT_EQ(Read("option(USE_X \"Use x\" ON)\n"), "USE_X=ON\n");
  EXPECT_EQ(Read("option(USE_X\n  \"Use x\"\n  OFF\n)\n"), "USE_X=OFF\n");
  EXPECT_EQ(Read("option(USE_X \"Use x\")\n"), "USE_X=OFF\n");
  EXPECT_EQ(Read("parser.add_argument('-p', '--parallel', type=int, default=1, help='n')\n"),
            "parallel=1\n");
  EXPECT_EQ(Read("DEFINE_bool(fast, true, \"Be fast\");\n"), "fast=true\n");
  EXPECT_EQ(Read("NCCL_PARAM(ShmDisable, \"SHM_DISABLE\", 0);\n"), "SHM_DISABLE=0\n");
}

TEST(Cards, OfTheEnvironment) {
  EXPECT_EQ(Read("x = os.getenv(\"DEPTH\", \"4\")\n"), "DEPTH=4\n");
  EXPECT_EQ(Read("export LEVEL=${LEVEL:-4}\n"), "LEVEL=4\n");
}

TEST(Cards, OfEntries) {
  EXPECT_EQ(Read("  fail-fast: false\n"), "fail-fast=false\n");
  EXPECT_EQ(Read("  \"depth\": 64,\n"), "depth=64\n");
}

TEST(Cards, OfDocumentation) {
  EXPECT_EQ(Read("- `DEPTH` (default: `64`)\n"), "DEPTH=64\n");
  EXPECT_EQ(Read("- `DEPTH=<0|1>` (default: `0`)\n").substr(0, 8), "DEPTH=0\n");
  EXPECT_EQ(Read("  --depth N   how deep, defaults to 64\n"), "depth=64\n");
  EXPECT_EQ(Read("capturable (bool, optional): whether it can be\n   captured. (default: False)\n"),
            "capturable=False\n");
  EXPECT_EQ(Read("`--fsdp_version` | `1` is the default option\n"), "fsdp_version=1\n");
}

TEST(Cards, OfNothing) {
  EXPECT_EQ(Read(""), "");
  EXPECT_EQ(Read("if (a == b && c <= d) return;\n"), "");
  EXPECT_EQ(Read("option(\n"), "");
  EXPECT_EQ(Read("= = =\n((((\n\"\"\"\n"), "");
}

}  // namespace
}  // namespace sibyl::passages
