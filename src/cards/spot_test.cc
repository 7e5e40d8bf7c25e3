// SPDX-License-Identifier: Apache-2.0
#include "cards/spot.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "cards/fold.h"
#include "passages/passage.h"

namespace sibyl::cards {
namespace {

// "kind name=value first-last", one per line.
std::string Spot(std::string_view path, std::string_view language, std::string_view text) {
  const passages::LineTable lines(text);
  passages::OutlineNotes notes;
  passages::SplitPassages(language, lines, notes);
  std::string all;
  for (const CardSpot& spot : SpotCards({path, language, lines, notes})) {
    all += std::string(CardKindName(spot.kind)) + " " +
           std::string(text.substr(spot.name, spot.name_bytes));
    if (spot.value_bytes > 0) all += "=" + std::string(text.substr(spot.value, spot.value_bytes));
    all += " " + std::to_string(spot.first_line) + "-" + std::to_string(spot.last_line) + "\n";
  }
  return all;
}

TEST(SpotCards, DeclarationsOfAHeaderWithTheirComments) {
  EXPECT_EQ(
      Spot("include/pool.h", "c++",
           "#ifndef POOL_H\n#define POOL_H\n"
           "/**\n * \\brief Copies data.\n */\n"
           "extern __host__ poolError_t POOLAPI poolCopyAsync(void *dst, const void *src,\n"
           "                                                 stream_t stream __dv(0));\n"
           "namespace pool {\n"
           "// A pool of blocks.\nclass Pool {\n public:\n  /// Its size.\n  int size() const;\n"
           "  void Grow(int by) { size_ += by; }\n  using Base = int;\n"
           " private:\n  int size_ = 4;\n};\n"
           "inline constexpr int kMostBlocks = 128;\n"
           "struct Forward;\nusing Id = int;\ntypedef void (*Callback)(int);\n}\n#endif\n"),
      "function poolCopyAsync 3-7\n"
      "type Pool 9-18\n"
      "method size 12-13\n"
      "method Grow 14-14\n"
      "constant size_=4 17-17\n"
      "constant kMostBlocks=128 19-19\n"
      "type Id=int 21-21\n"
      "type Callback 22-22\n");
}

TEST(SpotCards, EnumeratorsWithTheCommentAboveThemOrOnTheirLine) {
  EXPECT_EQ(Spot("a.h", "c",
                 "enum poolError {\n"
                 "    /** All is well. */\n    poolSuccess = 0,\n\n"
                 "    /**\n     * It failed.\n     */\n    poolErrorLaunchFailure = 719,\n};\n"
                 "typedef enum {\n  POOL_FAST = 0x1,  // quick, or not\n  POOL_SAFE = (1 << 2),\n"
                 "} poolMode_t;\n"),
            "type poolError 1-9\n"
            "error code poolSuccess=0 2-3\n"
            "error code poolErrorLaunchFailure=719 5-8\n"
            "enumerator POOL_FAST=0x1 11-11\n"
            "enumerator POOL_SAFE=(1 << 2) 12-12\n"
            "type poolMode_t 10-13\n");
}

TEST(SpotCards, MacrosErrorsOfThePreprocessorAndFlags) {
  EXPECT_EQ(Spot("a.cc", "c++",
                 "// How deep.\n#define POOL_DEPTH 4  // levels\n#define POOL_CALL(x) \\\n  f(x)\n"
                 "#define poolCopy PTSZ(poolCopy)\n"
                 "#if X\n#error \"POOL needs C++20\"\n#endif\n"
                 "DEFINE_int32(pool_depth, 4, \"how deep\");\n"
                 "ABSL_FLAG(bool, pool_fast, true, \"whether it is fast\");\n"),
            "macro POOL_DEPTH=4 1-2\n"
            "macro POOL_CALL 3-4\n"
            "error text POOL needs C++20 7-7\n"
            "command-line option pool_depth=4 9-9\n"
            "command-line option pool_fast=true 10-10\n");
}

TEST(SpotCards, TemplatesAreWhatTheyDefine) {
  EXPECT_EQ(Spot("a.h", "c++",
                 "template <class T, int n = (4 > 3)>\nusing Tile = Shape<T, n>;\n"
                 "template <class T = int>\nT Load(const T* from);\n"
                 "template <int n>\nstruct Mma_16x8 {\n  int x[n];\n};\n"),
            "type Tile=Shape<T, n> 1-2\nfunction Load 3-4\ntype Mma_16x8 5-8\n");
}

TEST(SpotCards, CallsAreNoDeclarations) {
  EXPECT_EQ(Spot("a.cc", "c++",
                 "int main() {\n  Copy(a, b);\n  return Copy(a);\n}\nPool pool(4);\n"
                 "TEST(Pool, Grows) {\n}\nstatic_assert(sizeof(int) == 4);\n"),
            "function main 1-1\n");
}

TEST(SpotCards, PythonDefinitionsWithTheirDocstrings) {
  EXPECT_EQ(Spot("pool/core.py", "python",
                 "\"\"\"Pools.\"\"\"\nMAX_DEPTH = 4  # levels\nlogger = get()\nfast = True\n\n"
                 "@cached\ndef grow(pool,\n         by=1) -> int:\n    \"\"\"Grows it.\n\n"
                 "    Args:\n        by: how much\n    \"\"\"\n    return by\n\n"
                 "class Pool(Base):\n    '''A pool.'''\n    depth: int = 4\n    name: str\n"
                 "    def __init__(self): pass\n    def size(self): return 1\n"),
            "constant MAX_DEPTH=4 2-2\n"
            "constant fast=True 4-4\n"
            "function grow 6-13\n"
            "type Pool 16-17\n"
            "constant depth=4 18-18\n"
            "constant name 19-19\n"
            "method size 21-21\n");
}

TEST(SpotCards, OptionsAndEnvironmentVariablesInPython) {
  EXPECT_EQ(Spot("cli.py", "python",
                 "parser.add_argument(\"-d\", \"--max-depth\", type=int,\n"
                 "                    default=4, help=\"how deep\")\n"
                 "@click.option('--fast', default=False)\ndef main(): pass\n"
                 "x = os.environ.get(\"POOL_CACHE\", \"/tmp\")\n"
                 "os.environ[\"POOL_SET\"] = \"1\"\n"
                 "y = os.getenv('POOL_TRACE')\n"
                 "Gauge(name=\"pool:requests\", documentation=\"how many\")  # prometheus\n"),
            "command-line option --max-depth=4 1-2\n"
            "command-line option --fast=False 3-3\n"
            "function main 3-4\n"
            "environment variable POOL_CACHE=\"/tmp\" 5-5\n"
            "environment variable POOL_TRACE 7-7\n"
            "metric pool:requests 8-8\n");
}

TEST(SpotCards, OptionsThatAProgramOfCReads) {
  EXPECT_EQ(Spot("main.cc", "c++",
                 "static struct option options[] = {\n  {\"depth\", required_argument, 0, 'd'},\n"
                 "  {\"fast\", no_argument, 0, 'f'},\n  {0, 0, 0, 0}};\n"
                 "int main() {\n  cmd.get_cmd_line_argument(\"rows\", options.rows, 1024);\n"
                 "  checkCmdLineFlag(argc, argv, \"device\");\n  getenv(\"POOL_TRACE\");\n}\n"),
            "command-line option depth 2-2\n"
            "command-line option fast 3-3\n"
            "function main 5-5\n"
            "command-line option rows=1024 6-6\n"
            "command-line option device 7-7\n"
            "environment variable POOL_TRACE 8-8\n");
}

TEST(SpotCards, DocumentedFunctionsOfTorch) {
  EXPECT_EQ(
      Spot("_docs.py", "python",
           "add_docstr(\n    torch.abs,\n    r\"\"\"\nabs(input) -> Tensor\n\nText.\n\"\"\",\n)\n"),
      "function abs 1-7\n");
}

TEST(SpotCards, DirectivesOfReStructuredText) {
  EXPECT_EQ(Spot("docs/env.rst", "rst",
                 ".. envvar:: POOL_DEPTH\n\n   How deep.\n\n   The default is 4.\n\n"
                 ".. option:: -d <n>, --depth <n>\n\n   Depth.\n\n"
                 ".. function:: torch.pool.grow(by=1) -> int\n\n   Grows.\n\nText.\n"),
            "environment variable POOL_DEPTH 1-5\n"
            "command-line option --depth 7-9\n"
            "function grow 11-13\n");
}

TEST(SpotCards, DefinitionListsAreTerms) {
  EXPECT_EQ(Spot("docs/modes.rst", "rst",
                 "Modes\n=====\n\n``fast``\n  Quick.\n\n  And more.\n\n``POOL_SAFE``\n  Slow.\n"),
            "term fast 4-7\nterm POOL_SAFE 9-10\n");
  EXPECT_EQ(Spot("docs/env.md", "markdown",
                 "# Environment variables\n\n- `POOL_DEPTH`: how deep\n  it is\n- plain: no\n"
                 "* **--fast** - quick\n"),
            "environment variable POOL_DEPTH 3-4\ncommand-line option --fast 6-6\n");
}

TEST(SpotCards, HelpPagesOfCMake) {
  constexpr std::string_view kText =
      "POOL_ARCHS\n----------\n\n.. versionadded:: 3.18\n\nWhat it "
      "is.\n\nExamples\n^^^^^^^^\n\nx\n";
  EXPECT_EQ(Spot("Help/variable/POOL_ARCHS.rst", "rst", kText), "CMake variable POOL_ARCHS 1-6\n");
  EXPECT_EQ(Spot("Help/prop_tgt/POOL_ARCHS.rst", "rst", kText), "CMake property POOL_ARCHS 1-6\n");
  EXPECT_EQ(Spot("Help/envvar/POOL_ARCHS.rst", "rst", kText),
            "environment variable POOL_ARCHS 1-6\n");
  EXPECT_EQ(Spot("Help/policy/CMP0104.rst", "rst", "CMP0104\n-------\n\nText.\n"),
            "CMake policy CMP0104 1-4\n");
  EXPECT_EQ(Spot("Help/command/find_file.rst", "rst", "find_file\n---------\n\nText.\n"),
            "CMake command find_file 1-4\n");
}

TEST(SpotCards, OptionsOfCMake) {
  EXPECT_EQ(Spot("CMakeLists.txt", "cmake",
                 "# Whether it is fast.\noption(POOL_FAST \"fast\" ON)\n"
                 "set(POOL_DEPTH 4 CACHE STRING \"how deep\")\nset(local 4)\n"
                 "cmake_dependent_option(\n  POOL_CUDA \"with CUDA\" OFF\n  \"POOL_FAST\" ON)\n"
                 "function(pool_add name)\nendfunction()\n"),
            "CMake option POOL_FAST=ON 1-2\n"
            "CMake option POOL_DEPTH=4 3-3\n"
            "CMake option POOL_CUDA=OFF 5-7\n"
            "CMake command pool_add 8-8\n");
}

TEST(SpotCards, TheManualOfACMakeModule) {
  EXPECT_EQ(Spot("Modules/FindPool.cmake", "cmake",
                 "# licence\n\n#[=======[.rst:\nFindPool\n--------\n\n``Pool_FOUND``\n"
                 "  Whether it was found.\n\n#]=======]\nset(x 1)\n"),
            "term Pool_FOUND 7-8\n");
}

TEST(SpotCards, DockerArgumentsAndStages) {
  EXPECT_EQ(Spot("Dockerfile", "dockerfile",
                 "# The toolkit.\nARG CUDA_VERSION=13.0\nFROM nvidia/cuda:$CUDA_VERSION AS build\n"
                 "ENV POOL_HOME=/opt\nRUN make\n"),
            "Docker argument CUDA_VERSION=13.0 1-2\n"
            "Docker stage build=nvidia/cuda:$CUDA_VERSION 3-3\n"
            "environment variable POOL_HOME=/opt 4-4\n");
}

TEST(SpotCards, KeysOfSettings) {
  EXPECT_EQ(Spot("a.yaml", "yaml", "# How deep.\nmax_depth: 4\nlist:\n  - name: x y\n"),
            "key max_depth=4 1-2\nkey name=x y 4-4\n");
  EXPECT_EQ(Spot("a.toml", "toml", "[tool]\nline-length = 100\n"), "key line-length=100 2-2\n");
}

TEST(SpotCards, RowsOfTables) {
  EXPECT_EQ(Spot("README.md", "markdown",
                 "| Variable | Default | Meaning |\n| --- | --- | --- |\n"
                 "| `POOL_DEPTH` | `4` | how deep |\n| plain | 1 | no name |\n\n"
                 "| Flag | Meaning |\n|---|---|\n| `--fast` | quick |\n\n"
                 "| Name | Shape |\n|---|---|\n| `pool_f16` | 16x8 |\n"),
            "environment variable POOL_DEPTH=4 3-3\n"
            "command-line option --fast 8-8\n"
            "table row pool_f16 12-12\n");
}

TEST(SpotCards, InstructionsAndCountersByTheirForm) {
  EXPECT_EQ(Spot("mma.h", "c++",
                 "struct Mma {\n  void f() {\n    asm volatile(\n"
                 "      \"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 \"\n      \"{%0}\");\n "
                 " }\n};\n"),
            "type Mma 1-7\nmethod f 2-2\n"
            "PTX instruction mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 4-4\n");
  EXPECT_EQ(
      Spot("a.md", "markdown", "Use sm__throughput.avg.pct_of_peak_sustained_elapsed here.\n"),
      "metric sm__throughput.avg.pct_of_peak_sustained_elapsed 1-1\n");
}

TEST(SpotCards, OptionsOfManualPages) {
  EXPECT_EQ(
      Spot("doc/pool.1", "",
           ".SH OPTIONS\n.TP\n\\fB\\-\\-depth\\fR \\fIN\\fR\nHow deep.\n.TP\n.B --fast\nQuick.\n"),
      "command-line option depth 2-4\ncommand-line option fast 5-7\n");
}

TEST(SpotCards, OtherLanguagesByTheirLines) {
  EXPECT_EQ(Spot("a.go", "go",
                 "// Grow grows.\nfunc Grow(by int) error {\n}\nfunc (p *Pool) Size() int {\n}\n"
                 "type Pool struct {\n}\n&cli.StringFlag{\n  Name: \"device-list\",\n  Value: "
                 "\"x\",\n}\n"),
            "function Grow 1-2\nmethod Size 4-4\ntype Pool 6-6\n"
            "command-line option device-list=\"x\" 8-11\n");
}

TEST(SpotCards, NothingIsOutsideTheText) {
  for (const std::string_view language :
       {"c++", "python", "rst", "markdown", "cmake", "yaml", "go"}) {
    EXPECT_EQ(Spot("a", language, ""), "");
    EXPECT_EQ(Spot("a", language, "\n"), "");
  }
}

TEST(FoldName, IsOneSpelling) {
  EXPECT_EQ(FoldName("--max-model-len", CardKind::kOption), "maxmodellen");
  EXPECT_EQ(FoldName("torch::nn::Linear", CardKind::kType), "linear");
  EXPECT_EQ(FoldName("sm__cycles.avg", CardKind::kMetric), "smcyclesavg");
}

TEST(CardKind, NamesGoBothWays) {
  for (std::size_t i = 0; i < kCardKinds; ++i) {
    const auto kind = static_cast<CardKind>(i);
    EXPECT_EQ(CardKindOf(CardKindName(kind)), kind);
  }
  EXPECT_EQ(CardKindOf("no such kind"), std::nullopt);
}

}  // namespace
}  // namespace sibyl::cards
