// SPDX-License-Identifier: Apache-2.0
#include "audit/owners/flag_judge.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "audit/audit.h"
#include "audit/test_witness.h"

namespace sibyl::audit {
namespace {

std::vector<std::string> FlagAlarms(const std::string& text) {
  static const TestWitness* const kSources = [] {
    std::string options = "# gizmo_profiler\n\nRun gizmo_profiler; gizmo_profiler takes:\n\n";
    for (int i = 0; i < 45; ++i) options += "  --option-" + std::to_string(i) + "  text\n";
    return new TestWitness(
        {{.name = "gizmo",
          .files = {{"docs/profiler.md", options},
                    {"tools/CMakeLists.txt", "gizmo_add_executable(\n  gizmo_profiler main.cu)\n"},
                    {"tools/generator.py",
                     "import argparse\nparser = argparse.ArgumentParser()\n"
                     "parser.add_argument('--operations')\nparser.add_argument('--build-dir')\n"
                     "parser.add_argument('--curr-dir')\nargs = parser.parse_args()\n"},
                    {"src/options.cu",
                     "void Read(CommandLine& line) {\n  line.get(\"warmup-rounds\", warmup_, 3);\n"
                     "  line.get(\"timed-rounds\", timed_, 9);\n}\n"},
                    {"docs/tiles.md", "Set --big-tile::m and --big-tile::n together.\n"},
                    {"other.sh", "tool --out-dir x --cuda_ext --cpp_ext --verify\n"}}}});
  }();
  const auto judged = Auditor(**kSources).Audit({.file = "n.md", .text = "# Gizmo\n\n" + text});
  std::vector<std::string> alarms;
  for (const statement::Judgement& judgement : *judged) {
    if (judgement.Fails()) alarms.push_back(judgement.text);
  }
  return alarms;
}

using List = std::vector<std::string>;
using statement::Verdict;

statement::Judgement Flag(std::string text, std::string tool) {
  static const TestWitness* const kSources = [] {
    std::string options = "Options\n\n``--preset``\n``--log-level``\n``--debug_output``\n";
    for (int i = 0; i < 20; ++i) options += "``--option" + std::to_string(i) + "``\n  text\n";
    return new TestWitness(
        {{.name = "cmake",
          .files = {{"Help/manual/cmake.1.rst", options}, {"link.txt", "ld -lgizmo x.o\n"}}}});
  }();
  static const FlagJudge* const kJudge = new FlagJudge(**kSources);
  return kJudge->Judge(
      {.kind = statement::AtomKind::kFlag, .text = std::move(text), .tool = std::move(tool)}, {},
      {.names_source = {false}});
}

TEST(FlagJudge, AFlagIsAnOptionOfItsProgramOrNot) {
  EXPECT_EQ(Flag("--preset", "cmake").verdict, Verdict::kSupported);
  const statement::Judgement judged = Flag("--presets", "cmake");
  EXPECT_EQ(judged.verdict, Verdict::kAbsent);
  EXPECT_EQ(judged.nearest, "--preset");
  EXPECT_NE(judged.message.find("cmake"), std::string::npos);
}

TEST(FlagJudge, HyphensAndUnderscoresOfAFlagAreOne) {
  EXPECT_EQ(Flag("--log_level", "cmake").verdict, Verdict::kSupported);
  EXPECT_EQ(Flag("--debug-output", "cmake").verdict, Verdict::kSupported);
}

TEST(FlagJudge, AFlagOfAnUnknownProgramIsSupportedWhereASourceUsesItAndElseUndecidable) {
  EXPECT_EQ(Flag("-lgizmo", "ld").verdict, Verdict::kSupported);
  EXPECT_EQ(Flag("--nothing-of-it", "ld").verdict, Verdict::kUndecidable);
  EXPECT_EQ(Flag("--nothing-of-it", "").verdict, Verdict::kUndecidable);
}

TEST(FlagJudge, AScriptTakesTheOptionsThatItParses) {
  EXPECT_EQ(FlagAlarms("`python tools/generator.py --operations gemm --out-dir x`"),
            List{"--out-dir"});
  EXPECT_EQ(FlagAlarms("The script `tools/generator.py` with `--operations` and `--nowhere`."),
            List{"--nowhere"});
}

TEST(FlagJudge, ADocumentListsTheOptionsOfAProgramThatTheSourceBuilds) {
  EXPECT_EQ(FlagAlarms("```bash\n./build/gizmo_profiler --option-3 --verify\n```\n"),
            List{"--verify"});
}

TEST(FlagJudge, AFlagOfAnEarlierCommandIsThatProgramsToo) {
  EXPECT_EQ(
      FlagAlarms("`gizmo_profiler --option-1` runs it. `--option-2` is next to `--optoin-9x`."),
      List{"--optoin-9x"});
}

TEST(FlagJudge, AFlagBesideAKnownOneMayBeMisspelt) {
  EXPECT_EQ(FlagAlarms("The old way is `--cpp_ext` and `--cuda_exts`."), List{"--cuda_exts"});
  EXPECT_EQ(FlagAlarms("Use `--cpp_ext` and `--gpus all`."), List{});
}

TEST(FlagJudge, AnOptionOfTheSourcesIsNotTheCompilersThatASentenceMentions) {
  EXPECT_EQ(FlagAlarms("`--verify` compiles code blocks with nvcc."), List{});
  EXPECT_EQ(FlagAlarms("Pass nvcc `--gpu-architecture` and `--gpu-coed`."), List{"--gpu-coed"});
}

TEST(FlagJudge, TheFlagsOfASectionTellWhichProgramIsMeant) {
  EXPECT_EQ(FlagAlarms("`gizmo_profiler` takes:\n\n- `--option-1`, one\n- `--option-2`, two\n"
                       "- `--option-3`, three\n- `--flush-all`, to begin anew\n"),
            List{"--flush-all"});
  EXPECT_EQ(FlagAlarms("`gizmo_profiler` takes:\n\n- `--option-1`, one\n- `--mine`, two\n"
                       "- `--flush-all`, to begin anew\n"),
            List{});
}

TEST(FlagJudge, AParserOfCppNamesItsOptionsWithoutDashes) {
  EXPECT_EQ(FlagAlarms("It takes `--warmup-rounds`, `--timed-rounds` and `--power-limit`."),
            List{"--power-limit"});
}

TEST(FlagJudge, AnOptionMayGoOnBehindColons) {
  EXPECT_EQ(FlagAlarms("Use `--verify` or --big-tile::k=3."), List{});
}

TEST(FlagJudge, WhatFollowsALaunchedScriptIsTheScripts) {
  EXPECT_EQ(FlagAlarms("```bash\ntorchrun --nnodes 2 train.py --nowhere\n```\n"), List{});
}

}  // namespace
}  // namespace sibyl::audit
