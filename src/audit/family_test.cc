// SPDX-License-Identifier: Apache-2.0
#include "audit/family.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "audit/test_witness.h"

namespace sibyl::audit {
namespace {

using statement::AtomUse;

constexpr std::size_t kCMakeHome = 0;
constexpr std::size_t kGizmoHome = 1;
constexpr std::size_t kRuntimeHome = 2;

// CMake's own help, a project with switches and variables of its own, and a
// toolkit whose headers define a library.
const TestWitness& Homes() {
  static const TestWitness* const kHomes = [] {
    std::string switches;
    std::string variables;
    std::string many;
    for (const char* word : {"ALPHA", "BETA", "GAMMA", "DELTA", "EPSILON", "ZETA", "ETA", "THETA",
                             "IOTA", "KAPPA", "LAMBDA", "OMEGA"}) {
      switches += std::string("option(ENABLE_") + word + " \"with it\" ON)\n";
      variables += std::string("value = os.environ[\"GIZMO_") + word + "\"]\n";
    }
    for (int i = 0; i < 70; ++i) many += "void gizmo_call_" + std::to_string(i) + "();\n";
    std::string runtime = "/* the runtime */\n";
    for (const char* word :
         {"Malloc", "Free", "Memcpy", "Memset", "StreamCreate", "StreamDestroy", "EventRecord",
          "EventQuery", "GraphLaunch", "DeviceReset", "GetLastError", "HostAlloc", "Launch"}) {
      runtime += std::string("cudaError_t cuda") + word + "(void);\n";
    }
    std::string spaces;
    for (int i = 0; i < 5; ++i) spaces += "namespace gizmo { class A" + std::to_string(i) + "; }\n";
    return new TestWitness(
        {{.name = "cmake",
          .files = {{"Help/variable/CMAKE_BUILD_TYPE.rst", "CMAKE_BUILD_TYPE\n"},
                    {"Help/policy/CMP0000.rst", "CMP0000\n"},
                    {"Help/manual/ctest.1.rst", "ctest\n"},
                    {"Modules/FindCUDAToolkit.cmake", "# CUDAToolkit_VERSION\n"}}},
         {.name = "gizmo",
          .files = {{"CMakeLists.txt", switches},
                    {"gizmo/__init__.py", "import os\n" + variables},
                    {"src/api.h", many + spaces +
                                      "class GizmoPersistentTaskQueue;\n"
                                      "class GizmoPersistentTaskStack;\n"
                                      "class GizmoPersistentTaskTable;\n"},
                    {"cmake/Find.cmake", "find_library(GIZMO_PROF_LIBRARY prof)\n"}}},
         {.name = "runtime", .files = {{"include/cuda_runtime_api.h", runtime}}}});
  }();
  return *kHomes;
}

Topic About(std::vector<std::size_t> sources = {}) {
  Topic topic{.is_prose = true};
  topic.names_source.resize(3);
  for (const std::size_t source : sources) topic.names_source[source] = true;
  return topic;
}

Ruling Of(std::string_view name, AtomUse use = AtomUse::kMention, const Topic& topic = About()) {
  static const Families* const kFamilies = new Families(*Homes());
  const Ruling ruling = kFamilies->OfName(name, use, topic);
  EXPECT_FALSE(ruling.reason.empty()) << name << ": a ruling says why";
  return ruling;
}

using Home = std::optional<std::size_t>;

TEST(Families, AHeaderWithItsNamesIsTheHomeOfALibrary) {
  const Ruling ruling = Of("cudaMallocEverything");
  EXPECT_EQ(ruling.home, Home(kRuntimeHome));
  EXPECT_NE(ruling.reason.find("include/cuda_runtime_api.h"), std::string::npos);
}

TEST(Families, ALibraryWhoseHeaderIsNotPinnedHasNoHome) {
  const Ruling ruling = Of("cublasCreateAgain");
  EXPECT_EQ(ruling.home, Home());
  EXPECT_NE(ruling.reason.find("cublas_api.h"), std::string::npos);
  EXPECT_EQ(Of("CUBLAS_STATUS_FINE").home, Home());
}

TEST(Families, AHeaderWithFewOfItsNamesIsOnlyAWrapper) {
  const TestWitness wrapper(
      {{.name = "wrapper", .files = {{"cuda_runtime_api.h", "void cudaMalloc();\n"}}}});
  const Families families(*wrapper);
  Topic topic{.names_source = {false}, .is_prose = true};
  EXPECT_EQ(families.OfName("cudaMallocEverything", AtomUse::kMention, topic).home, Home());
}

TEST(Families, APrefixWithoutACapitalBehindItIsAnotherWord) {
  EXPECT_EQ(Of("cudagraph").home, Home());
  EXPECT_EQ(Of("cudaX").home, Home()) << "nothing follows the capital";
}

TEST(Families, CMakesVariablesAreAtHomeInItsHelp) {
  EXPECT_EQ(Of("CMAKE_CUDA_ARCHS").home, Home(kCMakeHome));
  EXPECT_EQ(Of("CTEST_PARALLEL").home, Home(kCMakeHome));
  EXPECT_EQ(Of("CPACK_THING").home, Home()) << "its module is not pinned";
  EXPECT_EQ(Of("CMP0999").home, Home(kCMakeHome));
  EXPECT_EQ(Of("CMPABCD").home, Home());
}

TEST(Families, CudaSettingsAreCMakesOnlyWhereTheTextIsAboutCMake) {
  EXPECT_EQ(Of("CUDA_ARCH_THING").home, Home());
  Topic topic = About();
  topic.is_cmake = true;
  EXPECT_EQ(Of("CUDA_ARCH_THING", AtomUse::kSetting, topic).home, Home(kCMakeHome));
  EXPECT_EQ(Of("CUDA_ARCH_THING", AtomUse::kMention, topic).home, Home());
  topic.is_cmake_near = true;
  EXPECT_EQ(Of("CUDA_ARCH_THING", AtomUse::kMention, topic).home, Home(kCMakeHome));
}

TEST(Families, AHomeIsLearnedFromDefinitions) {
  const Ruling ruling = Of("GIZMO_SIGMA");
  EXPECT_EQ(ruling.home, Home(kGizmoHome));
  EXPECT_NE(ruling.reason.find("start with GIZMO_"), std::string::npos) << ruling.reason;
}

TEST(Families, SomebodyWhoOnlyUsesNamesIsNotTheirHome) {
  std::string uses;
  for (const char* word : {"A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L"}) {
    uses += std::string("  run(${WIDGETS_") + word + "} and more)\n";
  }
  const TestWitness user({{.name = "widgets", .files = {{"use.cmake", uses}}}});
  const Families families(*user);
  const Topic topic{.names_source = {true}, .is_prose = true};
  EXPECT_EQ(families.OfName("WIDGETS_Z", AtomUse::kMention, topic).home, Home());
}

TEST(Families, ForeignPrefixesAreNeverLearned) {
  const Ruling ruling = Of("NCCL_DEBUG_LEVELS", AtomUse::kEnvironment);
  EXPECT_EQ(ruling.home, Home());
  EXPECT_NE(ruling.reason.find("not pinned"), std::string::npos);
}

TEST(Families, ASwitchIsDecidedOnlyWhereItsProjectIsNamed) {
  EXPECT_EQ(Of("ENABLE_SIGMA", AtomUse::kSetting, About({kGizmoHome})).home, Home(kGizmoHome));
  EXPECT_EQ(Of("ENABLE_SIGMA", AtomUse::kSetting, About()).home, Home());
  Topic code = About({kGizmoHome});
  code.is_prose = false;
  EXPECT_EQ(Of("ENABLE_SIGMA", AtomUse::kMention, code).home, Home())
      << "code of its own may have such a switch";
}

TEST(Families, NamesThatStandForTheReadersBelongToNobody) {
  for (const char* name : {"MY_SIGMA", "GIZMO_FOO", "YOUR_VALUE_HERE", "GIZMO_EXAMPLE"}) {
    EXPECT_EQ(Of(name).home, Home()) << name;
  }
}

TEST(Families, WhatAPackageSearchMakesBelongsToWhoeverSearches) {
  EXPECT_EQ(Of("SIGMA_LIBRARY").home, Home());
  const Ruling renamed = Of("PROF_LIBRARY", AtomUse::kMention, About({kGizmoHome}));
  EXPECT_EQ(renamed.home, Home(kGizmoHome)) << "it looks for it as GIZMO_PROF_LIBRARY";
  EXPECT_EQ(Of("PROF_LIBRARY", AtomUse::kMention, About()).home, Home());
}

TEST(Families, ResultsOfAModuleAreAtHomeInCMake) {
  EXPECT_EQ(Of("CUDAToolkit_CUPTI_VERSION").home, Home(kCMakeHome));
  EXPECT_EQ(Of("Unknown_CUPTI_VERSION").home, Home());
}

TEST(Families, ATypeIsDecidedBySeveralOfItsMakeInASourceThatIsNamed) {
  EXPECT_EQ(Of("GizmoPersistentTaskQueues", AtomUse::kMention, About({kGizmoHome})).home,
            Home(kGizmoHome));
  EXPECT_EQ(Of("GizmoPersistentTaskQueues", AtomUse::kMention, About()).home, Home());
  EXPECT_EQ(Of("GizmoTask", AtomUse::kMention, About({kGizmoHome})).home, Home())
      << "too short to tell";
}

TEST(Families, AFunctionWithItsProjectsWordIsDecidedWhereThereAreMany) {
  EXPECT_EQ(Of("gizmo_call_nobody", AtomUse::kCall, About({kGizmoHome})).home, Home(kGizmoHome));
  EXPECT_EQ(Of("gizmo_call", AtomUse::kCall, About({kGizmoHome})).home, Home());
  EXPECT_EQ(Of("other_call_nobody", AtomUse::kCall, About({kGizmoHome})).home, Home());
}

TEST(Families, NamesWithoutAMarkBelongToNobody) {
  for (const char* name : {"a", "value", "x1", "ABC", "_", "__", "A_"}) {
    EXPECT_EQ(Of(name).home, Home()) << name;
  }
}

TEST(Families, APackageIsAtHomeWhereItsTopFolderIs) {
  const Families families(*Homes());
  EXPECT_EQ(families.OfPackage("gizmo").home, Home(kGizmoHome));
  EXPECT_EQ(families.OfPackage("torch").home, Home());
  const TestWitness nested(
      {{.name = "a",
        .files = {{"deep/third_party/numpy/__init__.py", "\n"}, {"src/mine/__init__.py", "\n"}}}});
  const Families others(*nested);
  EXPECT_EQ(others.OfPackage("numpy").home, Home()) << "a copy of somebody else's";
  EXPECT_EQ(others.OfPackage("mine").home, Home(0));
}

TEST(Families, ANamespaceIsAtHomeWhereItIsOpenedOften) {
  const Families families(*Homes());
  EXPECT_EQ(families.OfNamespace("gizmo").home, Home(kGizmoHome));
  EXPECT_EQ(families.OfNamespace("gizmo").home, Home(kGizmoHome)) << "remembered";
  EXPECT_EQ(families.OfNamespace("std").home, Home());
  EXPECT_EQ(families.OfNamespace("cutlass").home, Home());
}

TEST(TemplateNames, AreTheNamesOfOneOfMany) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(TemplateNames("CMAKE_CUDA_FLAGS"), Names{"CMAKE_LANG_FLAGS"});
  EXPECT_EQ(TemplateNames("CMAKE_CXX_FLAGS_DEBUG"), Names{"CMAKE_LANG_FLAGS_CONFIG"});
  EXPECT_TRUE(TemplateNames("CMAKE_BUILD_TYPE").empty());
  EXPECT_TRUE(TemplateNames("CUDA").empty()) << "the first part is never a language";
  EXPECT_TRUE(TemplateNames("").empty());
}

}  // namespace
}  // namespace sibyl::audit
