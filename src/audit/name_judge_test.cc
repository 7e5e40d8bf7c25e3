// SPDX-License-Identifier: Apache-2.0
#include "audit/name_judge.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "audit/test_witness.h"

namespace sibyl::audit {
namespace {

using statement::Atom;
using statement::AtomKind;
using statement::AtomUse;
using statement::Verdict;

const TestWitness& NameSources() {
  static const TestWitness* const kNames = [] {
    std::string runtime;
    for (const char* word :
         {"Malloc", "Free", "Memcpy", "Memset", "StreamCreate", "StreamDestroy", "EventRecord",
          "EventQuery", "GraphLaunch", "DeviceReset", "GetLastError", "HostAlloc", "Launch"}) {
      runtime += std::string("cudaError_t cuda") + word + "(void);\n";
    }
    std::string options = "Options\n\n";
    for (const char* word : {"build",
                             "install",
                             "preset",
                             "target",
                             "config",
                             "clean-first",
                             "parallel",
                             "verbose",
                             "workflow",
                             "fresh",
                             "trace",
                             "graphviz",
                             "system-information",
                             "warn-uninitialized",
                             "no-warn-unused",
                             "find-package",
                             "list-presets",
                             "log-level",
                             "log-context",
                             "profiling-output",
                             "debug_output"}) {
      options += std::string("``--") + word + "``\n  says it.\n";
    }
    std::string scopes;
    for (int i = 0; i < 6; ++i) {
      scopes +=
          "namespace gizmo { namespace detail {\n  other::Tile t" + std::to_string(i) + ";\n}}\n";
    }
    return new TestWitness(
        {{.name = "gizmo",
          .files = {{"gizmo/__init__.py", "from gizmo import cuda\nfrom gizmo import util\n"},
                    {"gizmo/cuda/streams.py", "def current_stream():\n  return 1\n"},
                    {"gizmo/util.py", "def helper_function():\n  return 2\n"},
                    {"gizmo/env.py",
                     "level = os.environ[\"GIZMO_LOG_LEVEL\"]\narch = LOG_LEVEL_MAX\n"
                     "x = CUDA_ARCH_LIST\ny = os.environ[\"GIZMO_CUDA_ARCH_LIST\"]\n"},
                    {"csrc/tile.h", scopes},
                    {"docs/guide.md", "Run gizmo::detail::Queue with -lgizmo.\n"}}},
         {.name = "cmake",
          .files = {{"Help/variable/CMAKE_LANG_FLAGS.rst", "CMAKE_<LANG>_FLAGS\n"},
                    {"Help/variable/CMAKE_BUILD_TYPE.rst", "CMAKE_BUILD_TYPE\n"},
                    {"Help/manual/cmake.1.rst", options},
                    {"Modules/FindCUDAToolkit.cmake", "# CUDA::cudart CUDA::cupti CUDA::nvrtc\n"}}},
         {.name = "runtime", .files = {{"include/cuda_runtime_api.h", runtime}}}});
  }();
  return *kNames;
}

Topic Prose() {
  Topic topic{.is_prose = true};
  topic.names_source.resize(3);
  return topic;
}

statement::Judgement Judge(const Atom& atom, const statement::OwnNames& own = {},
                           const Topic& topic = Prose()) {
  static const NameJudge* const kJudge = new NameJudge(*NameSources());
  const statement::Judgement judged = kJudge->Judge(atom, topic, own);
  EXPECT_EQ(judged.code, "ident/unknown");
  EXPECT_EQ(judged.kind, statement::AtomKindName(atom.kind));
  EXPECT_EQ(judged.text, atom.text);
  EXPECT_FALSE(judged.message.empty());
  EXPECT_FALSE(judged.reason.empty());
  return judged;
}
statement::Judgement Name(std::string text, AtomUse use = AtomUse::kMention) {
  return Judge({.use = use, .text = std::move(text)});
}
statement::Judgement Qualified(std::string text, const statement::OwnNames& own = {}) {
  return Judge({.kind = AtomKind::kQualified, .text = std::move(text)}, own);
}
statement::Judgement Path(std::string text, const Topic& topic = Prose()) {
  return Judge({.kind = AtomKind::kPath, .text = std::move(text)}, {}, topic);
}

TEST(NameJudge, AWordOfASourceIsSupportedWithItsPlace) {
  const statement::Judgement judged = Name("cudaGraphLaunch", AtomUse::kCall);
  EXPECT_EQ(judged.verdict, Verdict::kSupported);
  EXPECT_EQ(judged.where, "runtime@0123abc include/cuda_runtime_api.h:9");
}

TEST(NameJudge, AnInventedNameOfAKnownFamilyIsAbsentWithTheNearest) {
  const statement::Judgement judged = Name("cudaGraphLaunchAsync", AtomUse::kCall);
  EXPECT_EQ(judged.verdict, Verdict::kAbsent);
  EXPECT_EQ(judged.nearest, "cudaGraphLaunch");
  EXPECT_NE(judged.message.find("does not occur in runtime@0123abc"), std::string::npos);
}

TEST(NameJudge, ANameOfNoFamilyIsUndecidable) {
  EXPECT_EQ(Name("someLocalThing").verdict, Verdict::kUndecidable);
  EXPECT_EQ(Name("ncclAllReduceTwice").verdict, Verdict::kUndecidable);
}

TEST(NameJudge, TheTextsOwnNamesAreUndecidable) {
  statement::OwnNames own;
  own.names.insert("cudaMine");
  EXPECT_EQ(Judge({.text = "cudaMine"}, own).verdict, Verdict::kUndecidable);
  EXPECT_EQ(Judge({.text = "cudaMine"}).verdict, Verdict::kAbsent) << "another text's";
  EXPECT_EQ(Name("cudaMadeHere", AtomUse::kDefinition).verdict, Verdict::kUndecidable);
}

TEST(NameJudge, NobodyMakesVariablesOfCMakes) {
  EXPECT_EQ(Name("CMAKE_BUILD_TYPES", AtomUse::kDefinition).verdict, Verdict::kAbsent);
}

TEST(NameJudge, AVariableThatIsDocumentedAsOneOfManyIsSupported) {
  const statement::Judgement judged = Name("CMAKE_CUDA_FLAGS", AtomUse::kSetting);
  EXPECT_EQ(judged.verdict, Verdict::kSupported);
  EXPECT_EQ(judged.reason, "documented as CMAKE_LANG_FLAGS");
  EXPECT_EQ(Name("CMAKE_CUDA_FLAGZ", AtomUse::kSetting).verdict, Verdict::kAbsent);
}

TEST(NameJudge, AMacroHandedToACompilerIsTheTextsOwn) {
  EXPECT_EQ(Judge({.use = AtomUse::kSetting, .text = "CMAKE_LIKE_MACRO", .tool = "nvcc"}).verdict,
            Verdict::kUndecidable);
  EXPECT_EQ(Judge({.use = AtomUse::kSetting, .text = "CMAKE_LIKE_MACRO", .tool = "cmake"}).verdict,
            Verdict::kAbsent);
}

TEST(NameJudge, AVariableThatIsNeverReadIsContradictedByTheLongerOneThatIs) {
  const statement::Judgement judged = Name("CUDA_ARCH_LIST", AtomUse::kEnvironment);
  EXPECT_EQ(judged.verdict, Verdict::kContradicted);
  EXPECT_EQ(judged.nearest, "GIZMO_CUDA_ARCH_LIST");
  EXPECT_EQ(Name("GIZMO_CUDA_ARCH_LIST", AtomUse::kEnvironment).verdict, Verdict::kSupported);
  EXPECT_EQ(Name("LOG_LEVEL_MAX", AtomUse::kEnvironment).verdict, Verdict::kSupported)
      << "no longer name ends like it";
}

TEST(NameJudge, AnImportedNameIsLookedForInItsModule) {
  statement::OwnNames own;
  own.aliases["current_stream"] = "gizmo.cuda.current_stream";
  own.aliases["nothing_there"] = "gizmo.cuda.nothing_there";
  EXPECT_EQ(Judge({.text = "current_stream"}, own).verdict, Verdict::kSupported);
  EXPECT_EQ(Judge({.text = "nothing_there"}, own).verdict, Verdict::kAbsent);
}

TEST(NameJudge, ADottedNameIsLookedForInItsPackage) {
  EXPECT_EQ(Qualified("gizmo.util.helper_function").verdict, Verdict::kSupported);
  const statement::Judgement absent = Qualified("gizmo.util.helper_functions");
  EXPECT_EQ(absent.verdict, Verdict::kAbsent);
  EXPECT_EQ(absent.nearest, "gizmo.util.helper_function");
  const statement::Judgement invented = Qualified("gizmo.cuda.helper_functions");
  EXPECT_EQ(invented.verdict, Verdict::kAbsent);
  EXPECT_EQ(invented.nearest, "") << "gizmo.cuda has no helper_function: it is in gizmo.util";
  const statement::Judgement inside = Qualified("gizmo.cuda.current_streams");
  EXPECT_EQ(inside.nearest, "gizmo.cuda.current_stream");
  EXPECT_NE(inside.where.find("gizmo/cuda/streams.py:1"), std::string::npos) << inside.where;
  const statement::Judgement elsewhere = Qualified("gizmo.cuda.helper_function");
  EXPECT_EQ(elsewhere.verdict, Verdict::kAbsent) << "another module has it";
  EXPECT_EQ(elsewhere.nearest, "helper_function");
  EXPECT_EQ(Qualified("numpy.util.helper_function").verdict, Verdict::kUndecidable);
}

TEST(NameJudge, WhatIsRegisteredAtRunTimeIsUndecidable) {
  for (const char* name : {"gizmo.ops.anything", "gizmo.classes.Thing", "gizmo._C.call"}) {
    EXPECT_EQ(Qualified(name).verdict, Verdict::kUndecidable) << name;
  }
}

TEST(NameJudge, AnAliasStandsForItsModule) {
  statement::OwnNames own;
  own.aliases["gz"] = "gizmo.util";
  EXPECT_EQ(Qualified("gz.helper_function", own).verdict, Verdict::kSupported);
  EXPECT_EQ(Qualified("gz.no_function_here", own).verdict, Verdict::kAbsent);
  EXPECT_EQ(Qualified("gz.no_function_here").verdict, Verdict::kUndecidable);
}

TEST(NameJudge, AMemberOfTheTextsOwnObjectIsUndecidable) {
  statement::OwnNames own;
  own.names.insert("gizmo");
  EXPECT_EQ(Qualified("gizmo.no_function_here", own).verdict, Verdict::kUndecidable);
}

TEST(NameJudge, AScopedNameIsLookedForAsItIsWritten) {
  EXPECT_EQ(Qualified("gizmo::detail::Queue").verdict, Verdict::kSupported);
  EXPECT_EQ(Qualified("gizmo::detail::Zeppelin").verdict, Verdict::kAbsent);
  EXPECT_EQ(Qualified("std::vector").verdict, Verdict::kUndecidable);
}

TEST(NameJudge, ANameInAnotherNamespaceIsAbsentWithTheRealOne) {
  const statement::Judgement judged = Qualified("gizmo::detail::Tile");
  EXPECT_EQ(judged.verdict, Verdict::kAbsent);
  EXPECT_EQ(judged.nearest, "other::Tile");
}

TEST(NameJudge, ImportedTargetsAreThoseOfTheModule) {
  EXPECT_EQ(Qualified("CUDA::cupti").verdict, Verdict::kSupported);
  const statement::Judgement judged = Qualified("CUDA::cuptii");
  EXPECT_EQ(judged.verdict, Verdict::kAbsent);
  EXPECT_EQ(judged.nearest, "CUDA::cupti");
}

TEST(NameJudge, APathOfASourceIsSupported) {
  EXPECT_EQ(Path("gizmo/cuda/streams.py").verdict, Verdict::kSupported);
  EXPECT_EQ(Path("./csrc/tile.h").verdict, Verdict::kSupported);
  EXPECT_EQ(Path("streams.py").verdict, Verdict::kSupported);
  EXPECT_EQ(Path("gizmo/cuda/").verdict, Verdict::kSupported);
}

TEST(NameJudge, APathInAKnownFolderIsAbsentWithTheNearest) {
  const statement::Judgement judged = Path("gizmo/cuda/stream.py");
  EXPECT_EQ(judged.verdict, Verdict::kAbsent);
  EXPECT_EQ(judged.nearest, "gizmo/cuda/streams.py");
  const statement::Judgement moved = Path("gizmo/cuda/util.py");
  EXPECT_EQ(moved.nearest, "gizmo/util.py") << "the file is elsewhere";
}

TEST(NameJudge, APathThatNamesItsSourceIsLookedForThere) {
  EXPECT_EQ(Path("CMake/Modules/FindCUDAToolkit.cmake").verdict, Verdict::kSupported);
  EXPECT_EQ(Path("cmake/Modules/FindNothing.cmake").verdict, Verdict::kAbsent);
}

TEST(NameJudge, APathInAFolderThatEveryProjectHasIsDecidedOnlyWhereTheSourceIsNamed) {
  EXPECT_EQ(Path("csrc/mine.h").verdict, Verdict::kUndecidable);
  EXPECT_EQ(Path("nowhere/at/all.h").verdict, Verdict::kUndecidable);
  EXPECT_EQ(Path("mine.h").verdict, Verdict::kUndecidable) << "a name alone belongs to nobody";
  Topic topic = Prose();
  topic.names_source[0] = true;
  EXPECT_EQ(Path("gizmo/new/mine.py", topic).verdict, Verdict::kAbsent);
  EXPECT_EQ(Path("gizmo/new/mine.py").verdict, Verdict::kUndecidable);
}

TEST(NameJudge, PathsOfNothingAreUndecidable) {
  for (const char* path : {"/", "./", "//", "a/"}) {
    EXPECT_EQ(Path(path).verdict, Verdict::kUndecidable) << path;
  }
}

TEST(NameJudge, APackageIsSupportedWhereItIsNamedAndElseUndecidable) {
  EXPECT_EQ(Judge({.kind = AtomKind::kPackage, .text = "gizmo"}).verdict, Verdict::kSupported);
  EXPECT_EQ(Judge({.kind = AtomKind::kPackage, .text = "cuda-cupti-99"}).verdict,
            Verdict::kUndecidable);
}

TEST(NameJudge, TheSameQuestionHasTheSameAnswer) {
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(Name("cudaGraphLaunchAsync").nearest, "cudaGraphLaunch");
    EXPECT_EQ(Name("cudaGraphLaunchAsync", AtomUse::kDefinition).verdict, Verdict::kUndecidable)
        << "another use is another question";
  }
}

}  // namespace
}  // namespace sibyl::audit
