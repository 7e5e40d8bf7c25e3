// SPDX-License-Identifier: Apache-2.0
#include "audit/audit.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "audit/acronym.h"
#include "audit/test_witness.h"

namespace sibyl::audit {
namespace {

// A project that defines its own switches and variables, and a toolkit.
const TestWitness& Sources() {
  static const TestWitness* const kSources = [] {
    std::string options = "# Switches\n";
    for (const char* name : {"CUDA", "NCCL", "KINETO", "CUPTI_SO", "MKL", "XNNPACK", "ROCM", "MPI",
                             "GLOO", "NUMA", "OPENMP", "FBGEMM"}) {
      options += std::string("option(USE_") + name + " \"build with it\" ON)\n";
    }
    std::string variables;
    for (const char* name : {"ARCH_LIST", "VERBOSE", "CACHE", "TRACE", "SEED", "DEVICE", "HOME",
                             "LEVEL", "STREAMS", "GRAPHS", "POOL", "LIMIT"}) {
      variables += std::string("    value = os.environ[\"GADGET_") + name + "\"]\n";
    }
    std::string runtime = "/* the runtime */\n";
    for (const char* name :
         {"Malloc", "Free", "Memcpy", "MemcpyAsync", "StreamCreate", "StreamDestroy", "EventRecord",
          "EventSynchronize", "GraphLaunch", "GraphInstantiate", "DeviceSynchronize",
          "GetLastError", "HostAlloc"}) {
      runtime += std::string("extern cudaError_t cuda") + name + "(void);\n";
    }
    return new TestWitness(
        {{.name = "gadget",
          .files = {{"CMakeLists.txt", options},
                    {"gadget/__init__.py", "import os\nfrom gadget import cuda\n"},
                    {"gadget/cuda/__init__.py",
                     "def memory_allocated(device=None):\n  \"\"\"Bytes in use.\"\"\"\n" +
                         variables},
                    {"gadget/parallel.py",
                     "def reduce(bucket_cap_mb: int = 25, find_unused: bool = False):\n  pass\n"},
                    {"docs/chips.md",
                     "The GX100 reaches 156 TFLOPS with TF32 on dense matrices.\n"
                     "The Tensor Memory Accelerator (TMA) copies tiles.\n"},
                    {"cmake/Profiler.cmake",
                     "find_library(PROF_LIBRARY prof)\nfind_path(PROF_INCLUDE_DIR prof.h)\n"
                     "if(PROF_LIBRARY AND PROF_INCLUDE_DIR)\n  set(HAS_PROF ON)\nendif()\n"}}},
         {.name = "toolkit", .files = {{"include/cuda_runtime_api.h", runtime}}}});
  }();
  return *kSources;
}

std::vector<statement::Judgement> Audit(std::string_view text) {
  static const Auditor* const kAuditor = new Auditor(*Sources());
  Result<std::vector<statement::Judgement>> judged =
      kAuditor->Audit({.file = "notes.md", .text = text});
  EXPECT_TRUE(judged.ok());
  return judged.ok() ? *std::move(judged) : std::vector<statement::Judgement>{};
}

statement::Judgement Of(std::string_view text, std::string_view atom) {
  const std::vector<statement::Judgement> judged = Audit(text);
  const auto found =
      std::find_if(judged.begin(), judged.end(),
                   [&](const statement::Judgement& judgement) { return judgement.text == atom; });
  EXPECT_NE(found, judged.end()) << atom;
  return found == judged.end() ? statement::Judgement{} : *found;
}

TEST(Audit, SupportsWhatASourceHas) {
  const statement::Judgement judged = Of("Call `cudaGraphLaunch` then.\n", "cudaGraphLaunch");
  EXPECT_EQ(judged.verdict, statement::Verdict::kSupported);
  EXPECT_EQ(judged.where, "toolkit@0123abc include/cuda_runtime_api.h:10");
  EXPECT_EQ(judged.place.line, 1U);
  EXPECT_EQ(judged.place.column, 7U);
}

// Issue 22: a check went on after its reader had gone, for as long as it took.
TEST(Audit, EndsEarlyAndSaysWhereWhenItIsOver) {
  const Auditor auditor(*Sources());
  int asked = 0;
  const auto judged = auditor.Audit({.file = "notes.md",
                                     .text = "Call `cudaGraphLaunch`.\n\nCall `cudaGraphNone`.\n\n"
                                             "Call `cudaGraphLost`.\n",
                                     .is_over = [&asked] { return ++asked > 1; }});
  ASSERT_TRUE(judged.ok());
  ASSERT_EQ(judged->size(), 2U);
  EXPECT_EQ(judged->front().text, "cudaGraphLaunch");
  EXPECT_EQ(judged->back().code, "audit/unfinished");
  EXPECT_EQ(judged->back().verdict, statement::Verdict::kUndecidable);
  EXPECT_EQ(judged->back().place.line, 3U);
  EXPECT_EQ(judged->back().message, "not checked: the time was up at line 3 of 5");
}

TEST(Audit, NamesTheNearestTruthOfAnInventedFunction) {
  const statement::Judgement judged =
      Of("Call `cudaGraphLaunchAsync` then.\n", "cudaGraphLaunchAsync");
  EXPECT_EQ(judged.verdict, statement::Verdict::kAbsent);
  EXPECT_EQ(judged.nearest, "cudaGraphLaunch");
}

TEST(Audit, SaysNothingOfFamiliesThatNobodyPinned) {
  EXPECT_EQ(Of("Call `cublasCreate_v9` first.\n", "cublasCreate_v9").verdict,
            statement::Verdict::kUndecidable);
  EXPECT_EQ(Of("Set `NCCL_SHARP_ENABLE`.\n", "NCCL_SHARP_ENABLE").verdict,
            statement::Verdict::kUndecidable);
}

TEST(Audit, LearnsWhoseVariablesTheyAre) {
  EXPECT_EQ(Of("Set `GADGET_ARCH_LIST`.\n", "GADGET_ARCH_LIST").verdict,
            statement::Verdict::kSupported);
  const statement::Judgement judged = Of("Set `GADGET_ARCHS_LIST`.\n", "GADGET_ARCHS_LIST");
  EXPECT_EQ(judged.verdict, statement::Verdict::kAbsent);
  EXPECT_EQ(judged.nearest, "GADGET_ARCH_LIST");
}

TEST(Audit, JudgesASwitchOnlyWhereItsProjectIsNamed) {
  EXPECT_EQ(Of("# Gadget\n\n```sh\ncmake -DUSE_CUPTI=OFF ..\n```\n", "USE_CUPTI").verdict,
            statement::Verdict::kAbsent);
  EXPECT_EQ(Of("# Other\n\n```sh\ncmake -DUSE_CUPTI=OFF ..\n```\n", "USE_CUPTI").verdict,
            statement::Verdict::kUndecidable);
}

TEST(Audit, LeavesTheTextsOwnNamesAlone) {
  const std::vector<statement::Judgement> judged =
      Audit("```cpp\n#define GADGET_MINE 1\nvoid cudaMine(int);\ncudaMine(GADGET_MINE);\n```\n");
  for (const statement::Judgement& judgement : judged)
    EXPECT_FALSE(judgement.Fails()) << judgement.text;
}

TEST(Audit, LooksForAPythonNameInItsModule) {
  EXPECT_EQ(Of("`gadget.cuda.memory_allocated()`\n", "gadget.cuda.memory_allocated").verdict,
            statement::Verdict::kSupported);
  EXPECT_EQ(Of("`gadget.cuda.memory_alloc()`\n", "gadget.cuda.memory_alloc").verdict,
            statement::Verdict::kAbsent);
  EXPECT_EQ(Of("`gadget.cuda.bucket_cap_mb`\n", "gadget.cuda.bucket_cap_mb").verdict,
            statement::Verdict::kAbsent);
}

TEST(Audit, KnowsFilesByTheirFolders) {
  EXPECT_EQ(Of("See `gadget/parallel.py`.\n", "gadget/parallel.py").verdict,
            statement::Verdict::kSupported);
  const statement::Judgement judged = Of("See `gadget/paralel.py`.\n", "gadget/paralel.py");
  EXPECT_EQ(judged.verdict, statement::Verdict::kAbsent);
  EXPECT_EQ(judged.nearest, "gadget/parallel.py");
  EXPECT_EQ(Of("See `csrc/mine.py`.\n", "csrc/mine.py").verdict, statement::Verdict::kUndecidable);
}

TEST(Audit, SaysWhichLinesOfAttributedCodeAreInvented) {
  constexpr std::string_view kText =
      "From cmake/Profiler.cmake:\n\n```cmake\nfind_library(PROF_LIBRARY prof)\n"
      "set(HAS_PROF 7)\n```\n";
  const statement::Judgement invented = Of(kText, "set(HAS_PROF 7)");
  EXPECT_EQ(invented.verdict, statement::Verdict::kAbsent);
  EXPECT_EQ(invented.code, "quote/mismatch");
  EXPECT_EQ(invented.place.line, 5U);
  EXPECT_EQ(Of(kText, "find_library(PROF_LIBRARY prof)").verdict, statement::Verdict::kSupported);
  EXPECT_EQ(Of(kText, "cmake/Profiler.cmake").verdict, statement::Verdict::kSupported);
}

TEST(Audit, ComparesAQuotationWithTheFileThatIsNamed) {
  EXPECT_EQ(Of("`docs/chips.md` says \"the Tensor Memory Accelerator (TMA) copies tiles\".\n",
               "the Tensor Memory Accelerator (TMA) copies tiles")
                .verdict,
            statement::Verdict::kAbsent);  // a capital less
  EXPECT_EQ(Of("`docs/chips.md` says \"Tensor Memory Accelerator (TMA) copies tiles\".\n",
               "Tensor Memory Accelerator (TMA) copies tiles")
                .verdict,
            statement::Verdict::kSupported);
  EXPECT_EQ(
      Of("Somebody said \"this is nowhere to be found\" once.\n", "this is nowhere to be found")
          .verdict,
      statement::Verdict::kUndecidable);
}

TEST(Audit, HoldsNumbersAgainstTheirSubject) {
  EXPECT_EQ(Of("The GX100 reaches 156 TFLOP/s with TF32.\n", "156 TFLOP/s").verdict,
            statement::Verdict::kSupported);
  const statement::Judgement judged =
      Of("With TF32 the GX100 reaches 19.5 TFLOPS on dense matrices.\n", "19.5 TFLOPS");
  EXPECT_EQ(judged.verdict, statement::Verdict::kContradicted);
  EXPECT_EQ(judged.nearest, "156 TFLOPS");
  EXPECT_EQ(Of("The GX200 reaches 19.5 TFLOPS.\n", "19.5 TFLOPS").verdict,
            statement::Verdict::kUndecidable);
}

TEST(Audit, HoldsDefaultsAgainstTheDefinition) {
  EXPECT_EQ(Of("`bucket_cap_mb` defaults to 25.\n", "bucket_cap_mb = 25").verdict,
            statement::Verdict::kSupported);
  EXPECT_EQ(Of("`bucket_cap_mb` (default: 50) is small.\n", "bucket_cap_mb = 50").verdict,
            statement::Verdict::kContradicted);
}

TEST(Audit, KnowsHowAbbreviationsAreSpelledOut) {
  EXPECT_EQ(
      Of("TMA (Tensor Memory Accelerator) helps.\n", "TMA (Tensor Memory Accelerator)").verdict,
      statement::Verdict::kSupported);
  const statement::Judgement judged =
      Of("TMA (Thread Memory Access) helps.\n", "TMA (Thread Memory Access)");
  EXPECT_EQ(judged.verdict, statement::Verdict::kContradicted);
  EXPECT_EQ(judged.nearest, "Tensor Memory Accelerator");
}

TEST(Audit, AnswersInTheOrderOfTheText) {
  const std::vector<statement::Judgement> judged = Audit(
      "`cudaMalloc`\n\n- `cudaFree`\n\n| a | b |\n| - | - |\n| `cudaMemcpy` | x |\n\n"
      "```cpp\ncudaHostAlloc();\n```\n");
  EXPECT_TRUE(std::is_sorted(judged.begin(), judged.end(), [](const auto& a, const auto& b) {
    return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
  }));
  EXPECT_GE(judged.size(), 4U);
  for (const statement::Judgement& judgement : judged) EXPECT_EQ(judgement.place.file, "notes.md");
}

TEST(Audit, HasNothingToSayOfAnEmptyText) {
  for (const std::string_view text : {"", "\n", "\r\n\r\n", "# Heading\n", "Plain words only.\n"}) {
    EXPECT_TRUE(Audit(text).empty()) << text;
  }
}

TEST(Audit, CountsColumnsInBytesOfTheSourceAlsoAfterCrlfAndUnicode) {
  const statement::Judgement judged =
      Of("Erste Zeile\r\n\r\nÜber `cudaFree` hier.\r\n", "cudaFree");
  EXPECT_EQ(judged.place.line, 3U);
  EXPECT_EQ(judged.place.column, 8U) << "the Ü has two bytes";
}

TEST(Audit, RefusesATextBeyondTheLimits) {
  static const Auditor kAuditor(*Sources());
  const std::string deep(200'000, '>');
  const auto judged = kAuditor.Audit({.file = "deep.md", .text = deep});
  EXPECT_TRUE(judged.ok() || !judged.error().message.empty());
}

TEST(Audit, GivesTheSameAnswersFromManyThreads) {
  constexpr std::string_view kText =
      "Call `cudaGraphLaunchAsync`, set `GADGET_ARCHS_LIST`, see `gadget/paralel.py`.\n";
  const std::vector<statement::Judgement> alone = Audit(kText);
  std::vector<std::vector<statement::Judgement>> answers(4);
  {
    std::vector<std::jthread> threads;
    for (auto& answer : answers) threads.emplace_back([&answer, kText] { answer = Audit(kText); });
  }
  for (const auto& answer : answers) {
    ASSERT_EQ(answer.size(), alone.size());
    for (std::size_t i = 0; i < alone.size(); ++i) {
      EXPECT_EQ(answer[i].verdict, alone[i].verdict);
      EXPECT_EQ(answer[i].nearest, alone[i].nearest);
    }
  }
}

TEST(Audit, BlocksOfCodeAreReadWithoutAnyTool) {
  const std::vector<statement::Judgement> judged = Audit("```json\n{\"a\": }\n```\n");
  const auto broken = std::find_if(judged.begin(), judged.end(), [](const auto& judgement) {
    return judgement.code == "code/broken";
  });
  ASSERT_NE(broken, judged.end());
  EXPECT_TRUE(broken->Fails());
}

TEST(Audit, BeyondFiveHundredAbbreviationsAreNotChecked) {
  std::string text;
  for (int i = 0; i < 510; ++i) text += "TMA (Tensor Memory Accelerator) helps.\n\n";
  std::size_t unchecked = 0;
  for (const statement::Judgement& judgement : Audit(text)) {
    unchecked += judgement.message == "not checked" ? 1 : 0;
  }
  EXPECT_EQ(unchecked, 10U);
}

TEST(Audit, StaysInTheTextWhateverItIs) {
  EXPECT_TRUE(rc::check([] {
    static const std::vector<std::string> kPieces = {
        "`",     "::",     "`::`", "`..`",   "--",           "-D",       "=",     "\"",
        "(",     ")",      "\n",   "\n\n",   "```\n",        "| a |",    "> ",    "# ",
        "\xC3",  "\xFF",   "cuda", "Malloc", "gadget.",      "default ", "12 GB", "./",
        "/",     "[x](y)", " ",    "\r\n",   "from a/b.py:", "TMA (",    "- ",    "1. ",
        "&amp;", "\\",     "$",    "<!-- ",  "-->"};
    const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces));
    std::string text;
    for (const std::string& piece : pieces) text += piece;
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    for (const statement::Judgement& judgement : Audit(text)) {
      RC_ASSERT(judgement.place.line >= 1U);
      RC_ASSERT(judgement.place.line <= lines);
      RC_ASSERT(judgement.place.column >= 1U);
    }
  }));
}

TEST(SpelledOut, IsFoundBothWaysRound) {
  EXPECT_EQ(
      FindSpelledOut("The Tensor Memory Accelerator (TMA) and DSM (Distributed Shared Memory)")
          .size(),
      2U);
  EXPECT_TRUE(FindSpelledOut("Use it (TMA) or ABC (one two)").empty());
}

}  // namespace
}  // namespace sibyl::audit
