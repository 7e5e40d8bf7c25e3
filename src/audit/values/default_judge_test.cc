// SPDX-License-Identifier: Apache-2.0
#include "audit/values/default_judge.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "audit/test_witness.h"

namespace sibyl::audit {
namespace {

using statement::Verdict;

const TestWitness& Programs() {
  static const TestWitness* const kPrograms = new TestWitness(
      {{.name = "gadget",
        .files = {
            {"parallel.py",
             "def reduce(bucket_cap_mb: int = 25, find_unused: bool = False):\n  pass\n"
             "\n"
             "def other(twice_given=1):\n  pass\n"
             "\n"
             "def third(twice_given=2):\n  pass\n"},
            {"loader.py",
             "class Loader:\n"
             "    def __init__(\n"
             "        self,\n"
             "        workers: int = 0,\n"
             "        mode=\"spawn\",\n"
             "        limit=None,\n"
             "    ):\n"
             "        pass\n"
             "\n"
             "\n"
             "class Reader:\n"
             "    def __init__(self, workers: int = 4):\n"
             "        pass\n"},
            {"run.py",
             "parser.add_argument(\n    \"--max-restarts\",\n    type=int,\n    default=0,\n)\n"
             "parser.add_argument(\"--start-method\", default=\"spawn\")\n"},
            {"setup.cfg", "gadgetrun = run:main\n"},
            {"profile.cu",
             "void Read(CommandLine& line) {\n"
             "  line.get_cmd_line_argument(\"warm-rounds\", warm_, 10);\n"
             "  line.get_cmd_line_argument(\"timed-rounds\", timed_, 100);\n"
             "  line.get_cmd_line_argument(\"seed-number\", seed_, 7);\n}\n"},
            {"sample.cu",
             "void Read(CommandLine& line) {\n"
             "  line.get_cmd_line_argument(\"warm-rounds\", warm_, 3);\n}\n"},
            {"scaling.py",
             "class BlockScalingRecipe:\n"
             "    def __init__(\n        self,\n        margin: int = 0,\n"
             "        fp8_format: Format = Format.E4M3,\n        algo: str = \"max\",\n"
             "        use_lamb=False,\n        k: float = 1.0,\n    ):\n        pass\n"},
            {"variables.py", "streams = int(os.getenv(\"GADGET_NUM_STREAMS\", \"8\"))\n"},
            {"calls.py", "reduce(call_only_mb=30)\n"},
            {"benchmarks/speed.py", "bench_only = 7\nrecompile_limit = 3\n"},
            {"config.py", "recompile_limit = 8\n"},
            {"docker.Makefile", "IMAGE_VERSION             ?= 12.1.1\n"},
            {"CMakeLists.txt",
             "option(GADGET_TRACE \"Trace\" ON)\n"
             "option(BUILD_TESTS \"Tests\" ON)\n"
             "set(GADGET_LEVEL \"0\" CACHE STRING \"Level\")\n"},
            {"tests/test_parallel.py", "def helper(tested_only=99):\n  pass\n"},
            {"include/version.h",
             "#define GADGET_VERSION 13000\n"
             "#define gadgetPortable 0x01  /**< portable */\n"
             "constexpr size_t kSmallSize = 1048576;\n"
             "enum gadgetError {\n  gadgetSuccess = 0,\n  Pending = 3,\n  gadgetErrorNotReady = "
             "600,\n};\n"},
            {"include/pool.h",
             "enum gadgetPoolAttribute {\n"
             "  /**\n   * bytes that are kept. (default 64)\n   */\n"
             "  gadgetPoolReleaseThreshold = 0x4,\n};\n"},
            {"manual.rst",
             "``cache_limit_mb``\n  How much is kept. Default: 512\n\n"
             "``other_limit_mb``\n  Says nothing.\n"}}}});
  return *kPrograms;
}

std::vector<statement::Judgement> JudgeValues(std::string_view text, bool names_source = false) {
  static const Families* const kFamilies = new Families(*Programs());
  static const Owners* const kOwners = new Owners(*Programs(), *kFamilies);
  static const DefaultJudge* const kJudge = new DefaultJudge(*Programs(), *kOwners);
  std::vector<statement::Judgement> judgements;
  const auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok());
  Topic topic;
  topic.names_source = {names_source};
  for (std::size_t i = 0; i < statements->all.size(); ++i) {
    for (JudgedNumber& judged : kJudge->Judge(*statements, i, topic)) {
      EXPECT_LT(judged.offset, statements->all[i].text.size());
      judgements.push_back(std::move(judged.judgement));
    }
  }
  return judgements;
}

statement::Judgement ValueIn(std::string_view text, std::string_view value) {
  for (statement::Judgement& judged : JudgeValues(text)) {
    if (judged.text == value) return judged;
  }
  ADD_FAILURE() << value << " was not judged in: " << text;
  return {};
}

TEST(Defaults, AreHeldAgainstTheDefinition) {
  EXPECT_EQ(ValueIn("`bucket_cap_mb` defaults to 25.\n", "bucket_cap_mb = 25").verdict,
            Verdict::kSupported);
  const statement::Judgement judged =
      ValueIn("The default of `bucket_cap_mb` is 50.\n", "bucket_cap_mb = 50");
  EXPECT_EQ(judged.verdict, Verdict::kContradicted);
  EXPECT_EQ(judged.nearest, "25");
  EXPECT_EQ(judged.kind, "default");
}

TEST(Defaults, WhatIsSaidOfAPropertyIsNotTheValue) {
  EXPECT_TRUE(JudgeValues("The maximum of `gadgetPoolReleaseThreshold` is 448.\n").empty());
  EXPECT_FALSE(JudgeValues("The value of `gadgetPoolReleaseThreshold` is 448.\n").empty());
}

TEST(Defaults, AreReadInEachOfTheirForms) {
  for (const char* text :
       {"`bucket_cap_mb` (default: 25) is small.\n", "By default `bucket_cap_mb` is 25.\n",
        "`bucket_cap_mb` defaults to `25`.\n",
        "| name | Default |\n| --- | --- |\n| bucket_cap_mb | 25 |\n"}) {
    EXPECT_EQ(ValueIn(text, "bucket_cap_mb = 25").verdict, Verdict::kSupported) << text;
  }
}

TEST(Defaults, TruthValuesCount) {
  EXPECT_EQ(ValueIn("`reduce` has `find_unused`, which defaults to False.\n", "find_unused = False")
                .verdict,
            Verdict::kSupported);
  EXPECT_EQ(ValueIn("`reduce` has `find_unused`, which defaults to True.\n", "find_unused = True")
                .verdict,
            Verdict::kContradicted);
}

TEST(Defaults, AreFoundBelowTheNameInAManual) {
  EXPECT_EQ(ValueIn("`cache_limit_mb` defaults to 512.\n", "cache_limit_mb = 512").verdict,
            Verdict::kSupported);
  EXPECT_EQ(ValueIn("`cache_limit_mb` defaults to 256.\n", "cache_limit_mb = 256").verdict,
            Verdict::kContradicted);
  EXPECT_EQ(ValueIn("`other_limit_mb` defaults to 256.\n", "other_limit_mb = 256").verdict,
            Verdict::kUndecidable)
      << "the entry above has another name";
}

TEST(Defaults, ParametersOfOneNameWithSeveralValuesAreUndecidable) {
  EXPECT_EQ(ValueIn("`twice_given` defaults to 3.\n", "twice_given = 3").verdict,
            Verdict::kUndecidable);
  EXPECT_EQ(ValueIn("`twice_given` defaults to 2.\n", "twice_given = 2").verdict,
            Verdict::kSupported);
}

TEST(Defaults, CallsAndTestsDefineNothing) {
  EXPECT_EQ(ValueIn("`call_only_mb` defaults to 20.\n", "call_only_mb = 20").verdict,
            Verdict::kUndecidable);
  EXPECT_EQ(ValueIn("`tested_only` defaults to 20.\n", "tested_only = 20").verdict,
            Verdict::kUndecidable);
}

TEST(Defaults, AMacroIsHeldAgainstItsDefinition) {
  EXPECT_EQ(
      ValueIn("The header defines `GADGET_VERSION` as 13000.\n", "GADGET_VERSION = 13000").verdict,
      Verdict::kSupported);
  EXPECT_EQ(ValueIn("There `GADGET_VERSION` is 12000.\n", "GADGET_VERSION = 12000").verdict,
            Verdict::kContradicted);
}

TEST(Defaults, OnlyOfTheParameterThatIsMeant) {
  EXPECT_EQ(
      ValueIn("`zeppelin` takes `bucket_cap_mb`, which defaults to 50.\n", "bucket_cap_mb = 50")
          .verdict,
      Verdict::kUndecidable)
      << "no source has it beside zeppelin";
  EXPECT_EQ(ValueIn("`reduce` takes `bucket_cap_mb`, which defaults to 50.\n", "bucket_cap_mb = 50")
                .verdict,
            Verdict::kContradicted);
}

TEST(Defaults, TheOwnerDecidesBetweenSeveralDefinitions) {
  EXPECT_EQ(ValueIn("In `Loader`, `workers` defaults to 4.\n", "workers = 4").verdict,
            Verdict::kContradicted);
  EXPECT_EQ(ValueIn("In `Reader`, `workers` defaults to 4.\n", "workers = 4").verdict,
            Verdict::kSupported);
  EXPECT_EQ(ValueIn("# Loader parameters\n\n`workers` is 4 by default.\n", "workers = 4").verdict,
            Verdict::kContradicted)
      << "of the heading";
  EXPECT_EQ(ValueIn("`workers` defaults to 9.\n", "workers = 9").verdict, Verdict::kUndecidable)
      << "without an owner";
}

TEST(Defaults, AWordIsComparedWithTheTextOfTheDefinition) {
  EXPECT_EQ(ValueIn("`Loader` has `mode`, default `spawn`.\n", "mode = spawn").verdict,
            Verdict::kSupported);
  const statement::Judgement judged =
      ValueIn("In `Loader`, `mode` is fork by default.\n", "mode = fork");
  EXPECT_EQ(judged.verdict, Verdict::kContradicted) << judged.reason;
}

TEST(Defaults, ADefinitionWithoutAValueDecidesNothing) {
  EXPECT_EQ(ValueIn("In `Loader`, `limit` defaults to 4.\n", "limit = 4").verdict,
            Verdict::kUndecidable);
}

TEST(Defaults, OfFlagsGoOnInAList) {
  const std::string text =
      "With `gadgetrun`, `--max-restarts` defaults to 3, `--start-method` to spawn.\n";
  EXPECT_EQ(ValueIn(text, "--max-restarts = 3").verdict, Verdict::kContradicted);
  EXPECT_EQ(ValueIn(text, "--start-method = spawn").verdict, Verdict::kSupported);
}

TEST(Defaults, AClauseGoesOnAboutTheNameBefore) {
  EXPECT_EQ(ValueIn("# gadgetrun\n\n- `--start-method` is one of spawn and fork; default fork.\n",
                    "--start-method = fork")
                .verdict,
            Verdict::kContradicted);
}

TEST(Defaults, OfBuildFilesCount) {
  EXPECT_EQ(ValueIn("`GADGET_TRACE` is OFF by default.\n", "GADGET_TRACE = OFF").verdict,
            Verdict::kContradicted);
  EXPECT_EQ(ValueIn("`GADGET_LEVEL` is 0 by default.\n", "GADGET_LEVEL = 0").verdict,
            Verdict::kSupported);
  EXPECT_EQ(ValueIn("`IMAGE_VERSION` defaults to 12.4.1.\n", "IMAGE_VERSION = 12.4.1").verdict,
            Verdict::kContradicted);
}

TEST(Defaults, OfProgramsThatOnlyUseTheProjectDoNotCount) {
  EXPECT_EQ(ValueIn("`recompile_limit` defaults to 3.\n", "recompile_limit = 3").verdict,
            Verdict::kContradicted);
}

TEST(Defaults, InTheCommentAboveAnEnumeratorCount) {
  EXPECT_EQ(
      ValueIn("`gadgetPoolReleaseThreshold` is 64 by default.\n", "gadgetPoolReleaseThreshold = 64")
          .verdict,
      Verdict::kSupported);
}

TEST(Defaults, OfNamesThatEveryProjectHasDoNotCount) {
  EXPECT_EQ(ValueIn("`Pending` is 9.\n", "Pending = 9").verdict, Verdict::kUndecidable);
  EXPECT_EQ(ValueIn("`BUILD_TESTS` is OFF by default.\n", "BUILD_TESTS = OFF").verdict,
            Verdict::kUndecidable);
}

TEST(Constants, AreHeldAgainstTheirDefinition) {
  EXPECT_EQ(
      ValueIn("Not ready is `gadgetErrorNotReady` (600).\n", "gadgetErrorNotReady = 600").verdict,
      Verdict::kSupported);
  EXPECT_EQ(ValueIn("`gadgetErrorNotReady` = 601.\n", "gadgetErrorNotReady = 601").verdict,
            Verdict::kContradicted);
  EXPECT_EQ(ValueIn("`gadgetPortable` is 0x01.\n", "gadgetPortable = 0x01").verdict,
            Verdict::kSupported);
  EXPECT_EQ(
      ValueIn("| name | Value |\n| --- | --- |\n| `kSmallSize` | 1 MiB |\n", "kSmallSize = 1 MiB")
          .verdict,
      Verdict::kSupported);
}

TEST(Defaults, InCodeFontAreHeldToTheirOwner) {
  const auto wrong = [](std::string_view text) {
    std::vector<std::string> found;
    for (const statement::Judgement& one : JudgeValues(text, true)) {
      if (one.Fails()) found.push_back(one.text);
    }
    return found;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(wrong("`Loader` starts from `workers=0`, `mode=\"spawn\"`, `limit=None`.\n"), Texts());
  EXPECT_EQ(wrong("`Loader` has `workers=2`, `mode=\"spawn\"` and `limit=None`.\n"),
            (Texts{"workers = 2"}));
  EXPECT_EQ(wrong("`Loader` has defaults:\n\n- `workers=2`\n- `mode=\"spawn\"`\n- `limit=None`\n"),
            (Texts{"workers = 2"}));
  EXPECT_EQ(wrong("For `Loader`, pass `workers=2`, `mode=\"spawn\"`, `limit=None`.\n"), Texts());
}

TEST(Defaults, OfAnOwnerMayBeAList) {
  const char* text = "`Loader` defaults: `workers` 2, `mode` \"fork\".\n";
  EXPECT_EQ(ValueIn(text, "workers = 2").verdict, Verdict::kContradicted);
  EXPECT_EQ(ValueIn(text, "mode = \"fork\"").verdict, Verdict::kContradicted);
  EXPECT_TRUE(JudgeValues("We ran `Loader` with: `workers` 2, `mode` \"fork\".\n").empty())
      << "a value that is used is no default";
}

TEST(Defaults, MayBeInParenthesesBehindParameters) {
  EXPECT_EQ(ValueIn("`Loader` is small. Its parameters are `mode`, `workers` (2) and `limit`.\n",
                    "workers = 2")
                .verdict,
            Verdict::kContradicted);
}

TEST(Defaults, OfAnOptionThatIsNotInCodeFontCount) {
  EXPECT_EQ(
      ValueIn("In `run.py` there is --max-restarts (default 3).\n", "--max-restarts = 3").verdict,
      Verdict::kContradicted);
}

TEST(Constants, AnOrdinaryNameHasNoValue) {
  EXPECT_TRUE(JudgeValues("`workers` is 3 times as fast.\n").empty());
  EXPECT_TRUE(JudgeValues("`mode` (2 GPUs) is new.\n").empty());
  EXPECT_TRUE(JudgeValues("`Loader` is the default reader.\n").empty());
}

// The topic of these does not name the source: a class needs a long name to be known.
TEST(Defaults, AreReadInLooseFormsWhereTheOwnerIsNamed) {
  const std::string head = "# gadget\n\n";
  for (const char* text : {"`gadget.loader.Loader` starts with `workers=3` by default.\n",
                           "`gadget.loader.Loader`: workers 3, mode \"spawn\".\n",
                           "`gadget.loader.Loader` runs 3 processes (`workers`).\n"}) {
    for (const statement::Judgement& judged : JudgeValues(head + text)) {
      EXPECT_NE(judged.verdict, Verdict::kSupported) << text << judged.text;
    }
  }
}

// What fails, of a text that names the source.
std::vector<std::string> WrongIn(std::string_view text) {
  std::vector<std::string> found;
  for (const statement::Judgement& one : JudgeValues(text, true)) {
    if (one.Fails()) found.push_back(one.text);
  }
  return found;
}

using Texts = std::vector<std::string>;

TEST(Defaults, InCodeFontAreValuesToo) {
  EXPECT_EQ(WrongIn("`BlockScalingRecipe` has a `margin` of 0. Its `fp8_format` is "
                    "`Format.HYBRID`.\n"),
            Texts{"fp8_format = Format.HYBRID"});
  EXPECT_EQ(WrongIn("- `BlockScalingRecipe`: `margin` is 0, `algo` is `\"most_recent\"`\n"),
            Texts{"algo = \"most_recent\""});
  EXPECT_EQ(WrongIn("- `BlockScalingRecipe`: `margin` is 0, `algo` is `\"max\"`\n"), Texts());
}

TEST(Defaults, OfTheOwnerOfTheSentenceBeforeNeedNoDigit) {
  EXPECT_EQ(WrongIn("`BlockScalingRecipe` has a `margin` of 0. `use_lamb` is True there.\n"),
            Texts{"use_lamb = True"});
  EXPECT_EQ(WrongIn("`BlockScalingRecipe` has a `margin` of 0, and its `k` is 2.0.\n"),
            Texts{"k = 2.0"});
  EXPECT_EQ(WrongIn("BlockScalingRecipe is new: `margin` is 1.\n"), Texts{"margin = 1"})
      << "a class that is not in code font";
}

TEST(Defaults, OfSeveralDefinitionsThoseBesideTheOthersCount) {
  EXPECT_EQ(WrongIn("The profiler takes `--warm-rounds` (default 20), `--timed-rounds` (default "
                    "100) and `--seed-number`.\n"),
            Texts{"--warm-rounds = 20"});
  EXPECT_EQ(WrongIn("It takes `--warm-rounds` (default 20) and `--nothing-else`.\n"), Texts());
}

TEST(Defaults, OfVariablesAreReadInOtherWords) {
  EXPECT_EQ(WrongIn("It spreads over `GADGET_NUM_STREAMS` streams, 4 by default.\n"),
            Texts{"GADGET_NUM_STREAMS = 4"});
  EXPECT_EQ(WrongIn("`GADGET_NUM_STREAMS` falls back to 4.\n"), Texts{"GADGET_NUM_STREAMS = 4"});
  EXPECT_EQ(WrongIn("We set `GADGET_NUM_STREAMS` to 4.\n"), Texts());
  EXPECT_EQ(WrongIn("`GADGET_TRACE` is off.\n"), Texts{"GADGET_TRACE = off"});
}

TEST(Defaults, WhatSomethingMeansOrHasForExampleIsNoDefault) {
  EXPECT_EQ(WrongIn("In `BlockScalingRecipe`, `margin=1` indicates a wide one.\n"), Texts());
  EXPECT_EQ(WrongIn("在 `BlockScalingRecipe` 中，`margin=1` 表示贪心搜索。\n"), Texts());
  EXPECT_EQ(WrongIn("Taking two as an example, their `recompile_limit` is 4.\n"), Texts());
  EXPECT_EQ(WrongIn("So, if we have two and `GADGET_VERSION` is 8, each has 4.\n"), Texts());
  EXPECT_EQ(WrongIn("| Option | Values (default in bold) |\n| - | - |\n"
                    "| `GADGET_TRACE` | OFF, **ON** |\n"),
            Texts());
}

TEST(Defaults, WhatOneMayChooseIsNoDefault) {
  EXPECT_TRUE(JudgeValues("- `find_unused=True` is slow.\n").empty());
  for (const statement::Judgement& judged :
       JudgeValues("With `reduce` we pass `bucket_cap_mb=50` here.\n")) {
    EXPECT_FALSE(judged.Fails()) << judged.text;
  }
}

}  // namespace
}  // namespace sibyl::audit
