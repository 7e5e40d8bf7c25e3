// SPDX-License-Identifier: Apache-2.0
#include "support/grounding.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sibyl::support {
namespace {

using statement::Verdict;

Grounding JudgeText(std::string_view text, std::string_view lines, std::string_view context = "") {
  const auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok() && !statements->all.empty()) << text;
  Grounder grounder;
  return grounder.Judge(statements->all.front(), {.text = lines, .context = context});
}

std::string_view VerdictOf(std::string_view text, std::string_view lines,
                           std::string_view context = "") {
  return statement::VerdictName(JudgeText(text, lines, context).verdict);
}

TEST(Grounding, OfAStatementThatTheLinesCarry) {
  EXPECT_EQ(
      VerdictOf("The queue of tasks holds 64 entries.",
                "// The number of entries in the task queue.\nconstexpr int kEntries = 64;\n"),
      "supported");
}

TEST(Grounding, AnOppositeRightBeforeTheSameWordIsADoubt) {
  constexpr std::string_view kLines = "Lower numbers represent higher priorities.\n";
  EXPECT_EQ(VerdictOf("Lower numbers represent higher priorities.", kLines), "supported");
  EXPECT_EQ(VerdictOf("Higher numbers represent higher priorities.", kLines), "undecidable");
}

// Issue 26: right statements of a model that were refused.
TEST(Grounding, PartsOfNamesAreNoOpposites) {
  EXPECT_NE(VerdictOf("`transpose` declares its shared tile with one extra column.",
                      "void transpose() {\n  __shared__ float tile[TILE_DIM][TILE_DIM + 1];\n"
                      "  for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS) tile[i] = 0;\n}\n"),
            "contradicted");
  EXPECT_EQ(VerdictOf("The tile has one extra column.", "The tile has one extra row.\n"),
            "contradicted");
  EXPECT_NE(VerdictOf("The counter can be greater than `INT_MAX`, but then it is at least n.",
                      "// the counter can be greater than INT_MAX.  But in that case it is >= n\n"),
            "contradicted");
}

TEST(Grounding, AFunctionAndWhatItCallsAreNotExchanged) {
  EXPECT_NE(VerdictOf("`SobelTex` handles one image row per block and reads the neighbours of each "
                      "pixel with `tex2D` from a texture object.",
                      "__global__ void SobelTex(Pixel *p, int w, cudaTextureObject_t tex)\n{\n"
                      "  for (int i = threadIdx.x; i < w; i += blockDim.x) {\n"
                      "    p[i] = tex2D(tex, i - 1, (float)blockIdx.x - 1);\n  }\n}\n"),
            "contradicted");
}

TEST(Grounding, AnExampleDoesNotSetTheDefault) {
  constexpr std::string_view kText = "The flag `a.allow_tf32` defaults to False.";
  EXPECT_NE(VerdictOf(kText, "# This flag defaults to False\n# since 1.12.\na.allow_tf32 = True\n"),
            "contradicted");
  EXPECT_EQ(VerdictOf(kText, "# This flag defaults to True.\na.allow_tf32 = True\n"),
            "contradicted");
}

TEST(Grounding, AValueIsOfTheNameThatIsMeant) {
  constexpr std::string_view kFlags =
      "# It defaults to False.\na.matmul.allow_tf32 = True\na.cudnn.allow_tf32 = True\n";
  EXPECT_NE(VerdictOf("The flag `a.matmul.allow_tf32` defaults to False.", kFlags), "contradicted");
  EXPECT_EQ(VerdictOf("The flag `a.cudnn.allow_tf32` defaults to False.", kFlags), "contradicted");
  constexpr std::string_view kNorm =
      "error_if (bool): if True, an error is thrown if the norm is inf. Default: False\n";
  EXPECT_NE(
      VerdictOf(
          "It throws an error if the norm is `nan`, `inf` or `-inf` and `error_if` is `True`; the "
          "default is `False`.",
          kNorm),
      "contradicted");
  EXPECT_EQ(VerdictOf("`error_if` is `True` by default.", kNorm), "contradicted");
}

TEST(Grounding, APowerMayBeNegative) {
  EXPECT_NE(VerdictOf("`MINNORM` is 2^-6.", "MINNORM = 0x3F90; // minnorm = 2^-6\n"), "absent");
  EXPECT_EQ(VerdictOf("`MINNORM` is 2^-7.", "MINNORM = 0x3F90; // minnorm = 2^-6\n"), "absent");
}

TEST(Grounding, IsExplainedWordByWord) {
  EXPECT_EQ(ExplainWords(JudgeText("The queue contains entries and is encrypted.",
                                   "// The queue has entries.\n")),
            "in the lines: queue, entries; missing: contains, encrypted");
}

TEST(Grounding, OfAStatementAboutSomethingElse) {
  EXPECT_EQ(VerdictOf("Bananas are rich in potassium.",
                      "// Licensed under the Apache License, Version 2.0\n"),
            "absent");
}

TEST(Grounding, ACommandMayNameItsProgram) {
  const auto statements = statement::ReadStatements("`tune download` fetches the weights.");
  Grounder grounder;
  constexpr std::string_view kLines = "# fetches the weights\nparser.add(\"download\")\n";
  EXPECT_NE(grounder.Judge(statements->all[0], {.text = kLines, .context = ""}).rule, "name");
  constexpr std::string_view kOther = "# fetches the weights\n";
  constexpr std::string_view kFile = "usage: tune download\n";
  EXPECT_EQ(grounder.Judge(statements->all[0], {.text = kOther, .context = ""}).rule, "name");
  EXPECT_NE(
      grounder.Judge(statements->all[0], {.text = kOther, .context = "", .files = {kFile}}).rule,
      "name");
}

TEST(Grounding, NumbersAreComparedByWhatTheyMean) {
  constexpr std::string_view kLines =
      "// bytes of the workspace\nworkspace = empty(32 * 1024 * 1024)\n";
  EXPECT_EQ(VerdictOf("The workspace has 32 MiB.", kLines), "supported");
  EXPECT_EQ(VerdictOf("The workspace has 32 KiB.", kLines), "absent");
}

TEST(Grounding, UnitsOfKeysAndOfOneNumber) {
  constexpr std::string_view kJob = "  build-wheels:\n    timeout-minutes: 180\n";
  EXPECT_EQ(VerdictOf("The build of the wheels has a timeout of 180 minutes.", kJob), "supported");
  EXPECT_EQ(VerdictOf("The build of the wheels has a timeout of 180 seconds.", kJob),
            "contradicted");
  constexpr std::string_view kSize =
      "# Less than 64KB per feature: the fused kernel\nMAX_FUSED_SIZE = 65536\n";
  EXPECT_EQ(VerdictOf("The fused kernel takes features of less than 64 KB.", kSize), "supported");
  EXPECT_EQ(VerdictOf("The fused kernel takes features of less than 64 MB.", kSize),
            "contradicted");
}

TEST(Grounding, ValuesOfNamesAreCalculated) {
  constexpr std::string_view kLines = "#define WARP_SIZE 32\n#define MIN_THREADS (4 * WARP_SIZE)\n";
  EXPECT_EQ(VerdictOf("`MIN_THREADS` is 128.", kLines), "supported");
  EXPECT_EQ(VerdictOf("`MIN_THREADS` is 32.", kLines), "contradicted");
  EXPECT_EQ(VerdictOf("A tensor has at most twelve sources (`MAX_SOURCES`).",
                      "// sources of a tensor\n#define MAX_SOURCES 10\n"),
            "contradicted");
}

TEST(Grounding, NumberWordsAreCountsOfWhatTheLinesList) {
  constexpr std::string_view kLines =
      "// The valid modes.\nmodes := []Mode{\n  ModeAuto,\n  ModeCsv,\n  ModeGds,\n  ModeWsl,\n}\n";
  EXPECT_EQ(VerdictOf("Four modes are valid.", kLines), "supported");
  EXPECT_EQ(VerdictOf("Seven modes are valid.", kLines), "absent");
  EXPECT_EQ(VerdictOf("With seven modes, all of the modes are valid.", kLines), "undecidable");
}

TEST(Grounding, ANumberWordMayBeAPartOfAName) {
  constexpr std::string_view kLines =
      "// close inactive issues\nif (issue.updated < sixtyDaysAgo) close(issue);\n";
  EXPECT_EQ(VerdictOf("It closes issues that were inactive for sixty days.", kLines), "supported");
  EXPECT_EQ(VerdictOf("It closes issues that were inactive for ninety days.", kLines), "absent");
}

TEST(Grounding, OnAndOffAreValuesOnlyWhereTheyAreStated) {
  constexpr std::string_view kLines =
      "# cufile is offered from CUDA 12.2\noption(BUILD_CUFILE \"Build with cufile\" OFF)\n";
  for (const std::string_view text : {"CUDA offers `BUILD_CUFILE` from 12.2 on.",
                                      "The build with cufile depends on `BUILD_CUFILE`.",
                                      "`BUILD_CUFILE` is what the build with cufile depends on.",
                                      "`BUILD_CUFILE` can be turned on."}) {
    EXPECT_NE(VerdictOf(text, kLines), "contradicted") << text;
  }
  EXPECT_EQ(VerdictOf("`BUILD_CUFILE` is turned on by default.", kLines), "contradicted");
  EXPECT_EQ(VerdictOf("By default the build leaves `BUILD_CUFILE` on.", kLines), "contradicted");
}

TEST(Grounding, ANameMayBeInTheContextInAnotherStyle) {
  constexpr std::string_view kLines = ".OutputDim(0, 4)  // the result of the operator\n";
  constexpr std::string_view kPath = "ops/optical_flow/optical_flow.cc";
  EXPECT_NE(VerdictOf("The result of the operator `OpticalFlow` has a dim of 4.", kLines, kPath),
            "absent");
  EXPECT_EQ(VerdictOf("The result of the operator `OpticalNoise` has a dim of 4.", kLines, kPath),
            "absent");
}

TEST(Grounding, AValueThatIsGivenIsNotASwitch) {
  constexpr std::string_view kLines =
      "split_compile : int, optional\n"
      "    Maximum thread count. Value of 1 disables split\n    compilation (default).\n"
      "    Default: 1.\n";
  EXPECT_NE(VerdictOf("`split_compile` defaults to 1, which means no split compilation.", kLines),
            "contradicted");
  EXPECT_EQ(VerdictOf("`split_compile` defaults to 0, which means no split compilation.", kLines),
            "contradicted");
}

TEST(Grounding, WordsOfACompoundAreNotUniversal) {
  constexpr std::string_view kLines =
      "IVF-PQ usually is a more accurate builder of the graph of neighbors.\n";
  EXPECT_EQ(VerdictOf("In all-neighbors, IVF-PQ is a more accurate builder of the graph.", kLines),
            "supported");
  EXPECT_EQ(VerdictOf("For all neighbors, IVF-PQ is a more accurate builder of the graph.", kLines),
            "undecidable");
  EXPECT_EQ(VerdictOf("All builders of the graph are more accurate.", kLines), "absent");
  EXPECT_EQ(
      VerdictOf("The builder of the graph is a no-op.", "// the builder of the graph: an op\n"),
      "supported");
}

TEST(Grounding, WithCitedWords) {
  constexpr std::string_view kLines =
      "#define MAX_DIMS 4\n// The arena grows by one page.\n#define MAX_SOURCES 10\n";
  const auto statements = statement::ReadStatements("A tensor has ten sources, `MAX_SOURCES`.");
  Grounder grounder;
  const auto judge = [&](std::string_view words) {
    const Grounding by_lines = grounder.Judge(statements->all.front(), {.text = kLines});
    return WithWords(by_lines,
                     grounder.Judge(statements->all.front(), {.text = words, .context = kLines}));
  };
  EXPECT_NE(judge("#define MAX_SOURCES 10").verdict, Verdict::kAbsent);
  const Grounding none = judge("The arena grows by one page.");
  EXPECT_EQ(none.verdict, Verdict::kAbsent);
  EXPECT_EQ(none.message, "the cited words do not carry it");
}

TEST(Grounding, DefaultsAreThoseOfTheDefinition) {
  constexpr std::string_view kLines = "- `PROM_DUMP=<0|1>` (default: `0`)\n  Enables the dump.\n";
  EXPECT_EQ(VerdictOf("Out of the box `PROM_DUMP` is 0.", kLines), "supported");
  EXPECT_EQ(VerdictOf("Out of the box `PROM_DUMP` is 1.", kLines), "contradicted");
  EXPECT_EQ(VerdictOf("By default `PROM_DUMP` is enabled.", kLines), "contradicted");
  constexpr std::string_view kOption = "option(USE_CACHE \"Keep a cache of results\" OFF)\n";
  EXPECT_EQ(VerdictOf("`USE_CACHE` is off by default.", kOption), "supported");
  EXPECT_EQ(VerdictOf("`USE_CACHE` is on by default.", kOption), "contradicted");
  EXPECT_EQ(VerdictOf("The cache is enabled by default.", kOption), "contradicted");
}

TEST(Grounding, DefaultsThatAreImplied) {
  constexpr std::string_view kOption = "option(BUILD_BENCH \"Build the benchmarks\" OFF)\n";
  EXPECT_EQ(VerdictOf("The benchmarks are built unless `BUILD_BENCH` is switched off.", kOption),
            "contradicted");
  EXPECT_NE(VerdictOf("The benchmarks are built only if `BUILD_BENCH` is switched on.", kOption),
            "contradicted");
  EXPECT_NE(VerdictOf("By default the build leaves out the benchmarks.", kOption), "contradicted");
  EXPECT_EQ(VerdictOf("`BUILD_BENCH` is on.", kOption), "contradicted");
  constexpr std::string_view kArgument = "def pack(samples, split_across_packs: bool = False):\n";
  EXPECT_EQ(VerdictOf("`pack` splits samples across packs unless told not to.", kArgument),
            "contradicted");
  EXPECT_NE(VerdictOf("Setting `split_across_packs` to `1` splits samples across packs.",
                      "- `split_across_packs` (default: 0)\n  With 1, splits samples.\n"),
            "contradicted");
}

TEST(Grounding, ADefaultIsOneOfItsChoices) {
  constexpr std::string_view kLines =
      "algo: Literal[\"max\", \"most_recent\"] = \"max\"  # how amax is picked\n";
  EXPECT_EQ(VerdictOf("By default the most recent amax is picked.", kLines), "contradicted");
  EXPECT_NE(VerdictOf("By default the max of amax is picked.", kLines), "contradicted");
}

TEST(Grounding, OptionsWithHyphensAreNames) {
  constexpr std::string_view kLines =
      "@click.option(\"--search-mode\", type=click.Choice([\"latency\", \"throughput\"]),\n"
      "  default=\"latency\", help=\"The search mode of the runner\")\n";
  EXPECT_EQ(VerdictOf("If `--search-mode` is not given, the runner takes `throughput`.", kLines),
            "contradicted");
  EXPECT_NE(VerdictOf("If `--search-mode` is not given, the runner takes `latency`.", kLines),
            "contradicted");
}

TEST(Grounding, EveryThingIsThereWhereTheLinesHaveAllThings) {
  EXPECT_EQ(
      VerdictOf("It marks every device as unhealthy.", "// It marks all devices unhealthy.\n"),
      "supported");
  EXPECT_EQ(VerdictOf("It marks every device as unhealthy.",
                      "// It marks devices unhealthy, and ends all of its threads.\n"),
            "undecidable");
}

TEST(Grounding, AReasonIsThereByItsNumber) {
  const Grounding grounding =
      JudgeText("The rounds of Threefry have no known flaws, but it plays safe with twenty.",
                "// There are no known flaws with rounds of Threefry; we use 20.\n");
  EXPECT_EQ(grounding.message.find("what follows the comma"), std::string::npos);
}

TEST(Grounding, AnOverclaimIsRefused) {
  constexpr std::string_view kLines =
      "The result of the reduction is usually the same for repeated runs.\n";
  EXPECT_EQ(VerdictOf("The result of the reduction is always the same for repeated runs.", kLines),
            "absent");
}

TEST(Grounding, TheOppositeContradictsIfItIsSure) {
  constexpr std::string_view kLines =
      "// If the ring buffer is full, the oldest element is overwritten.\n";
  EXPECT_EQ(VerdictOf("Once the ring buffer is full, it overwrites the newest element.", kLines),
            "contradicted");
  EXPECT_EQ(VerdictOf("Once the ring buffer is full, it overwrites the oldest element.", kLines),
            "supported");
  EXPECT_EQ(VerdictOf("If the ring buffer is empty, the oldest element is overwritten.", kLines),
            "contradicted");
  EXPECT_NE(VerdictOf("An issue is closed after 90 days.", "days before an issue is closed: 90\n"),
            "contradicted");
}

TEST(Grounding, SizesInAnotherUnitAreOthers) {
  constexpr std::string_view kLines = "# the size of the cache in MB\nCACHE = 30\n";
  EXPECT_EQ(VerdictOf("The cache has a size of 30 MB.", kLines), "supported");
  EXPECT_EQ(VerdictOf("The cache has a size of 30 GB.", kLines), "absent");
}

TEST(Grounding, PhrasesAndPeriodsAreNotUniversal) {
  EXPECT_EQ(VerdictOf("The weights were trained on 32 GPUs in all.",
                      "The weights were trained on 4 nodes (a total of 32 GPUs), if possible.\n"),
            "supported");
  EXPECT_EQ(VerdictOf("It collects metrics every 30 seconds.",
                      "Metrics may be collected at an interval of 30 seconds.\n"),
            "supported");
}

TEST(Grounding, AnExceptionIsTheOppositeOfTheDefault) {
  EXPECT_EQ(VerdictOf("The last batch is dropped unless `drop_last` is set to false.",
                      "drop_last (bool): Whether to drop the last batch. Default is True.\n"),
            "supported");
}

TEST(Grounding, TheFollowingIsNotAnOrder) {
  EXPECT_NE(VerdictOf("You need Go before building the exporter.",
                      "To build the exporter, have the following:\n* Go\n"),
            "contradicted");
}

TEST(Grounding, TwoWordsMayBeOneInTheLines) {
  const Grounding grounding =
      JudgeText("It works in place.", "def apply(self, inplace: bool = True):\n");
  ASSERT_EQ(grounding.words.back().text, "place");
  EXPECT_EQ(grounding.words.back().ground, Ground::kForm);
}

TEST(Grounding, DefaultsFromTheStart) {
  constexpr std::string_view kLines =
      "    depth: int = 64\n    enable_prefix_caching: bool = False\n";
  EXPECT_EQ(VerdictOf("Prefix caching is on from the start.", kLines), "contradicted");
  EXPECT_NE(VerdictOf("Prefix caching is off from the start.", kLines), "contradicted");
}

TEST(Grounding, ExplainsEveryWord) {
  const Grounding grounding =
      JudgeText("The configuration is kept.", "load_config(); // and retain it\n");
  ASSERT_FALSE(grounding.words.empty());
  EXPECT_EQ(grounding.words.front().text, "configuration");
  EXPECT_NE(grounding.words.front().ground, Ground::kNone);
}

TEST(Grounding, UnitsInWordsAndOfFrequencies) {
  constexpr std::string_view kPool = "// size of the pool in bytes\nsize_t pool_size = 4096;\n";
  EXPECT_EQ(VerdictOf("The size of the pool is given in kilobytes.", kPool), "absent");
  EXPECT_EQ(VerdictOf("The size of the pool is given in bytes.", kPool), "supported");
  constexpr std::string_view kTimes = "setup: 0.001 s\nsolve: 0.002 s\n";
  EXPECT_EQ(VerdictOf("Setup and solve times are in milliseconds.", kTimes), "absent");
  constexpr std::string_view kClock = "clock rate of the device: 1900 Mhz\n";
  EXPECT_EQ(VerdictOf("The clock rate of the device is 1900 GHz.", kClock), "contradicted");
  EXPECT_EQ(VerdictOf("The clock rate of the device is 1900 MHz.", kClock), "supported");
  constexpr std::string_view kName = "The name has a fixed 64-byte buffer and 63 characters.\n";
  EXPECT_EQ(VerdictOf("The buffer of the name has 63 bytes.", kName), "contradicted");
  EXPECT_EQ(VerdictOf("The buffer of the name has 64 bytes.", kName), "supported");
}

TEST(Grounding, ATextOverTwoLiteralsIsOne) {
  constexpr std::string_view kHelp =
      "help='the initialization checks run once every 60 '\n     'minutes'\n";
  EXPECT_EQ(VerdictOf("The initialization checks run every 60 minutes.", kHelp), "supported");
  EXPECT_EQ(VerdictOf("The initialization checks run every 60 seconds.", kHelp), "contradicted");
}

TEST(Grounding, AnIndexIsNotACount) {
  constexpr std::string_view kLines =
      "if shape[-2] > 4:\n    raise ValueError(\"Max 4 channels allowed\")\n";
  EXPECT_EQ(VerdictOf("It raises a `ValueError` for more than two channels.", kLines),
            "contradicted");
}

TEST(Grounding, ANameIsNotReplacedByItsSibling) {
  constexpr std::string_view kLines =
      "oneCCL runs collective operations on CPU.\nSet NET_CPU_OPERATIONS=CCL to use oneCCL.\n";
  const std::string file = "NET_GPU_OPERATIONS is for others.\n\n" + std::string(kLines);
  const auto statements = statement::ReadStatements(
      "To run collective operations on CPU with oneCCL, set `NET_BUS_OPERATIONS` to `CCL`.");
  Grounder grounder;
  const Grounding grounding =
      grounder.Judge(statements->all.front(), {.text = kLines, .context = "", .files = {file}});
  EXPECT_TRUE(grounding.measures.is_exchanged);
}

TEST(Grounding, OlderThanIsASign) {
  constexpr std::string_view kLines =
      "Apply to UCX < 1.18.0, newer versions rely on defaults:\n\nUCX_PROTO=n\n";
  EXPECT_EQ(VerdictOf("`UCX_PROTO` is `n` where UCX is older than 1.18.0.", kLines), "supported");
}

TEST(Grounding, WhatHappensOtherwiseIsNotDenied) {
  constexpr std::string_view kLines =
      "Call this at the end of the epoch, so that it does not reprocess samples.\n";
  EXPECT_NE(
      VerdictOf("Call it at the end of the epoch, or samples may be processed again.", kLines),
      "contradicted");
}

TEST(Grounding, SwitchesInARowOfOptions) {
  constexpr std::string_view kLines =
      "option(BUILD_TESTS \"Build tests\" ON)\noption(BUILD_BENCHMARKS \"Build benchmarks\" "
      "OFF)\noption(BUILD_EXAMPLES \"Build examples\" OFF)\n";
  EXPECT_EQ(VerdictOf("A plain build has the tests but leaves out the benchmarks and the examples.",
                      kLines),
            "supported");
  EXPECT_EQ(VerdictOf("A plain build has the tests and the benchmarks but leaves out the examples.",
                      kLines),
            "contradicted");
}

TEST(Grounding, InitialsStandForALongName) {
  EXPECT_EQ(VerdictOf("The FSDP wrapper flattens parameters.",
                      "class FullyShardedDataParallel:  # wrapper that flattens parameters\n"),
            "supported");
}

TEST(Grounding, WhateverIsLeftIsNoClaimAboutEverything) {
  constexpr std::string_view kLines =
      "// If a reset is asked for, data that is not flushed is dropped.\n";
  EXPECT_NE(VerdictOf("A reset drops whatever data is not flushed.", kLines), "absent");
  EXPECT_EQ(VerdictOf("A reset drops data that is not flushed, whatever is asked for.", kLines),
            "absent");
}

TEST(Grounding, AllWhereTheLinesHaveSomeOfThem) {
  constexpr std::string_view kLines =
      "The runtime has yield points in several library functions.\n";
  EXPECT_EQ(VerdictOf("The runtime has yield points in all library functions.", kLines), "absent");
  EXPECT_EQ(VerdictOf("The runtime has yield points in several library functions.", kLines),
            "supported");
}

TEST(Grounding, AWayIsReadFromNames) {
  constexpr std::string_view kLines =
      "// Copies the buffer.\ncopy(data, buffer, cudaMemcpyDeviceToHost);\n";
  EXPECT_EQ(VerdictOf("It copies the buffer from host to device.", kLines), "contradicted");
  EXPECT_NE(VerdictOf("It copies the buffer from device to host.", kLines), "contradicted");
}

TEST(Grounding, ANumberOfAnExampleAndWhatFollowsFromItAreNotRefused) {
  constexpr std::string_view kLines = "// The share of the nodes that are kept.\nshare = 0.2\n";
  EXPECT_EQ(VerdictOf("In a cluster of 50 nodes, 10 nodes are thus kept.", kLines), "undecidable");
  EXPECT_EQ(VerdictOf("In a cluster of 50 nodes, 12 nodes are thus kept.", kLines), "absent");
  EXPECT_EQ(VerdictOf("It keeps 50 nodes.", kLines), "absent");
}

TEST(Grounding, ATimeInAnotherUnitHasTheSameDigits) {
  constexpr std::string_view kLines = "{\"LATENCY\", \"1.8us\", \"Estimated latency\"},\n";
  EXPECT_EQ(VerdictOf("The estimated latency is 1.8 microseconds.", kLines), "supported");
  EXPECT_EQ(VerdictOf("The estimated latency is 1.8 milliseconds.", kLines), "contradicted");
}

// Issue 18: worked examples and other forms of a size that were refused.
TEST(Grounding, NumbersThatFollowFromOthers) {
  constexpr std::string_view kBytes = "constexpr size_t kIdSize = 28;  // bytes\n";
  EXPECT_EQ(VerdictOf("An ID has a size of 28 bytes, or 224 bits.", kBytes), "supported");
  EXPECT_EQ(VerdictOf("An ID has a size of 28 bytes, or 256 bits.", kBytes), "absent");
  constexpr std::string_view kTimes =
      "If the latency is high, set the timeout to > 4x the latency.\n";
  EXPECT_NE(
      VerdictOf("With a high latency, 400 ms would ask for a timeout of more than 1,600.", kTimes),
      "absent");
  EXPECT_EQ(VerdictOf("With a high latency, the timeout is more than 1,600 ms.", kTimes), "absent");
}

TEST(Grounding, SizesAsTheLinesSpellThem) {
  constexpr std::string_view kShift =
      "#define WINDOW_LOG_LIMIT 27  /* refuse a frame with a window larger than "
      "(1<<WINDOW_LOG_LIMIT) "
      "*/\n";
  EXPECT_EQ(
      VerdictOf("A frame with a window larger than 2^27 bytes, or 128 MiB, is refused.", kShift),
      "supported");
  EXPECT_EQ(VerdictOf("A frame with a window larger than 2^28 bytes is refused.", kShift),
            "absent");
  EXPECT_NE(VerdictOf("The profile of the 40 GB card has seven instances.",
                      "a100_40gb_profiles = map{\n  card: { instances: 7 },\n}\n"),
            "absent");
}

TEST(Grounding, ATimeInAnotherUnitThanTheLinesCountIn) {
  constexpr std::string_view kLines = "// How many days to keep rolled log files. Default: 90\n";
  EXPECT_EQ(VerdictOf("Rolled log files are kept for 90 days by default.", kLines), "supported");
  EXPECT_EQ(VerdictOf("Rolled log files are kept for 90 hours by default.", kLines), "absent");
}

TEST(Grounding, EndsOfRangesAndDifferencesAreNoComparisons) {
  constexpr std::string_view kLines = "// Sizes that are less than a page; else whole pages.\n";
  EXPECT_NE(VerdictOf("A size of a page or more becomes whole pages.", kLines), "contradicted");
  EXPECT_NE(VerdictOf("Sizes that are more than a page.", kLines), "supported");
}

TEST(Grounding, NotAllIsNoClaimOfAll) {
  EXPECT_NE(VerdictOf("Not all of the input has to be consumed by a call.",
                      "/* The input may be consumed in part by a call. */\n"),
            "absent");
}

TEST(Grounding, WhatAContrastHasTheOtherWayRound) {
  constexpr std::string_view kLines = "- `WG0` loads Q and K\n- `WG1` stores the sum of dQ\n";
  EXPECT_NE(VerdictOf("`WG1` loads Q and K, while `WG0` stores the sum of dQ.", kLines),
            "supported");
}

}  // namespace
}  // namespace sibyl::support
