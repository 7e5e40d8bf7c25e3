// SPDX-License-Identifier: Apache-2.0
#include "cards/cards.h"

#include <gtest/gtest.h>

#include <string>

namespace sibyl::cards {
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

TEST(Cards, OfCommandLinesInCpp) {
  EXPECT_EQ(Read("cmdline.get_cmd_line_argument(\"seed\", seed, 2019);\n"), "seed=2019\n");
}

TEST(Cards, OfMakefiles) {
  EXPECT_EQ(Read("CUDA_VERSION             ?= 12.1.1\n"), "CUDA_VERSION=12.1.1\n");
}

TEST(Cards, OfOptionsThatAreMethods) {
  EXPECT_EQ(Read("@click.option(\n  \"-m\",\n  \"--search-mode\",\n  default=\"latency\")\n")
                .substr(0, 20),
            "search-mode=latency\n");
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

TEST(Cards, OfSettingsInMacros) {
  EXPECT_EQ(Read("POOL_SETTING(int64_t, depth, 64)\n"), "depth=64\n");
  EXPECT_EQ(Read("SETTING(bool, wide, true)\n"), "wide=true\n");
  EXPECT_EQ(Read("MAX(int, a, b)\n"), "");
  EXPECT_EQ(Read("check(bool, wide, true)\n"), "");
}

TEST(Cards, OfFlagsAndFallbacks) {
  EXPECT_EQ(Read("ABSL_FLAG(int, depth, 64, \"how deep\");\n"), "depth=64\n");
  EXPECT_EQ(Read("x = kwargs.pop(\"depth\", 64)\n"), "depth=64\n");
  EXPECT_EQ(Read("use(depth.value_or(64));\n"), "depth=64\n");
  EXPECT_EQ(Read("kokkos_enable_option(DEPRECATED ON \"Whether\")\n"), "DEPRECATED=ON\n");
  EXPECT_EQ(Read("template <int n, bool wide = true> struct Tile {\n"), "wide=true\n");
}

TEST(Cards, OfTablesWithAColumnOfDefaults) {
  EXPECT_EQ(Read("| Option | Default | Meaning |\n| --- | --- | --- |\n"
                 "| `--depth` | 64 | how deep |\n"),
            "depth=64\n");
}

TEST(Cards, OfDescriptionsBelowTheirName) {
  EXPECT_EQ(Read(".. envvar:: DEPTH\n\n   Default: ``64``\n"), "DEPTH=64\n");
  // Issue 26: it was read as the default of `inf`.
  EXPECT_EQ(Read("    error_if (bool, optional): if True, an error is thrown if it is\n"
                 "        ``inf``, or ``-inf``. Default: False\n"),
            "error_if=False\n");
  EXPECT_EQ(Read("### NUM_JOBS\n\nHow many. Default: 4\n"), "NUM_JOBS=4\n");
  EXPECT_EQ(Read("**DEPTH**: \"0\" - Disabled, \"1\" - Enabled (default).\n"), "DEPTH=on\n");
}

TEST(Cards, OfDocumentationHaveTheNameOfTheParameter) {
  EXPECT_EQ(Read("split_compile : int, optional\n    Value of 1 disables split\n"
                 "    compilation (default).\n    Default: 1.\n"),
            "split_compile=1\n");
  EXPECT_EQ(Read("It starts the\nthreads (see below).\nDefault: 1.\n"), "");
  EXPECT_EQ(Read("Value of 1 disables split\ncompilation (default).\nDefault: 1.\n"), "");
}

TEST(Cards, HaveTheirChoices) {
  const auto choices = [](std::string_view text) {
    const std::vector<Card> cards = ReadCards(text);
    std::string all;
    for (const std::string& choice : cards.empty() ? std::vector<std::string>() : cards[0].choices)
      all += choice + " ";
    return all;
  };
  EXPECT_EQ(choices("p.add_argument('--mode', default='a', choices=['a', 'b'])\n"), "a b ");
  EXPECT_EQ(choices("mode: Literal[\"max\", \"recent\"] = \"max\"\n"), "max recent ");
  EXPECT_EQ(choices("  --mode <isa|bin>   # default: bin\n"), "isa bin ");
  EXPECT_EQ(choices("depth = 4\n"), "");
}

TEST(Cards, OfInitialisers) {
  EXPECT_EQ(Read("Config::Config()\n    : depth_(64),\n      wide_(false),\n      x_(other) {\n"),
            "depth_=64\nwide_=false\n");
  EXPECT_EQ(Read("constexpr seconds kDelay(5);\n"), "kDelay=5\n");
  EXPECT_EQ(Read("return Depth(5);\n  Depth(5);\n"), "");
}

TEST(Cards, OfFlagsInGo) {
  EXPECT_EQ(Read("flag.BoolVar(&wide, \"wide\", false,\n\t\"Be wide.\")\n"), "wide=false\n");
  EXPECT_EQ(Read("c.Flags().IntP(\"depth\", \"d\", 64, \"how deep\")\n"), "depth=64\n");
  EXPECT_EQ(Read("&cli.IntFlag{\n\tName:  \"depth\",\n\tUsage: \"how deep\",\n"
                 "\tValue: 64,\n}\n"),
            "Name=depth\nUsage=how deep\ndepth=64\n");
}

TEST(Cards, OfKeysBelowTheirOwner) {
  EXPECT_EQ(Read("cache:\n  # why\n  enabled: false\n"), "cache=false\nenabled=false\n");
  EXPECT_EQ(Read("inputs:\n  depth:\n    default: 64\n  other: 1\n"), "depth=64\nother=1\n");
  EXPECT_EQ(Read("- name: DEPTH\n  value: \"64\"\n"), "name=DEPTH\nDEPTH=64\n");
}

TEST(Cards, OfRegisteredOptions) {
  EXPECT_EQ(Read("register_option(\n  \"spill\",\n  env_bool(\"X_SPILL\", False),\n  \"doc\")\n"),
            "spill=False\nX_SPILL=False\n");
}

TEST(Cards, NotOfTypesInSignatures) {
  EXPECT_EQ(Read("def f(\n    model: torch.nn.Module,\n    depth: int = 64,\n):\n"), "depth=64\n");
}

TEST(Cards, OfACommentAreNotOfTheDefinitionBefore) {
  EXPECT_EQ(Read("bool wide = false;\n}\n\n// Default is true.\nbool fast = true;\n"),
            "wide=false\nfast=true\n");
}

TEST(Cards, OfNothing) {
  EXPECT_EQ(Read(""), "");
  EXPECT_EQ(Read("if (a == b && c <= d) return;\n"), "");
  EXPECT_EQ(Read("option(\n"), "");
  EXPECT_EQ(Read("enable_option()\n"), "");
  EXPECT_EQ(Read("||\n|"), "");
  EXPECT_EQ(Read("= = =\n((((\n\"\"\"\n"), "");
}

TEST(Cards, OfATypedParameterAndANamedState) {
  EXPECT_EQ(Read("  wide (`bool`, *optional*, defaults to True):\n    Makes it wide.\n"),
            "wide=True\n");
  EXPECT_EQ(Read("raise_errors = bool_state(\n    name='jax_raise_errors',\n    default=False,\n"
                 "    help='x')\n")
                .substr(0, 23),
            "jax_raise_errors=False\n");
}

}  // namespace
}  // namespace sibyl::cards
