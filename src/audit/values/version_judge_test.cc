// SPDX-License-Identifier: Apache-2.0
#include "audit/values/version_judge.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "audit/test_witness.h"

namespace sibyl::audit {
namespace {

const TestWitness& Projects() {
  static const TestWitness* const kProjects = new TestWitness(
      {{.name = "gadget",
        .files = {{"CMakeLists.txt",
                   "cmake_minimum_required(VERSION 3.27 FATAL_ERROR)\n"
                   "# works around gcc 4.8 and above\n"
                   "message(FATAL_ERROR \"GCC version must be at least 7.3!\")\n"},
                  {"README.md",
                   "- Python 3.9 or later\n- [cuDNN](https://x) v8.5 or above\n"
                   "- CUDA: 12.1+ (Hopper), 12.8+ (Blackwell)\n"},
                  {"requirements-build.txt", "typing-extensions>=4.10.0\n"}}},
       {.name = "cmake",
        .files = {{"Help/manual/cmake.1.rst",
                   ".. option:: --fresh\n\n .. versionadded:: 3.24\n\n Starts anew.\n"},
                  {"Help/manual/ctest.1.rst",
                   ".. option:: --output-junit <file>\n\n .. versionadded:: 3.21\n\n Writes.\n"},
                  {"Help/manual/cmake-generator-expressions.7.rst",
                   ".. genex:: $<DEVICE_LINK:list>\n\n  .. versionadded:: 3.18\n\n  Returns.\n"},
                  {"Help/prop_tgt/CUDA_ARCHITECTURES.rst",
                   "CUDA_ARCHITECTURES\n------------------\n\n.. versionadded:: 3.18\n\n"
                   "``native``\n  .. versionadded:: 3.24\n\n  The host's.\n"},
                  {"Modules/FindGadget.cmake",
                   "#[=[.rst:\nFindGadget\n----------\n\n.. versionadded:: 3.17\n\n"
                   "- ``Gadget::file`` starting in CUDA 11.4\n]=]\n"}}}});
  return *kProjects;
}

// "3.27 supported", for each version.
std::string Versions(std::string_view text, bool names_gadget = true) {
  static const VersionJudge* const kJudge = new VersionJudge(*Projects());
  const auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok());
  Topic topic;
  topic.names_source = {names_gadget, text.find("CMake") != text.npos};
  topic.is_cmake = topic.names_source[1];
  std::string versions;
  for (const statement::Statement& statement : statements->all) {
    for (const JudgedNumber& judged : kJudge->Judge(statement, topic)) {
      EXPECT_EQ(judged.judgement.kind, "version");
      if (!versions.empty()) versions += ", ";
      versions += judged.judgement.text + " " +
                  std::string(statement::VerdictName(judged.judgement.verdict));
    }
  }
  return versions;
}

TEST(Requirements, AreHeldAgainstBuildFilesAndReadme) {
  EXPECT_EQ(Versions("It needs CMake 3.27 or newer.\n"), "CMake 3.27 supported");
  EXPECT_EQ(Versions("It needs CMake 3.12 or newer.\n"), "CMake 3.12 contradicted");
  EXPECT_EQ(Versions("Python 3.9 or later; gcc 9.0 or newer.\n"),
            "Python 3.9 supported, gcc 9.0 contradicted");
  EXPECT_EQ(Versions("GCC must be at least 7.3.\n"), "GCC 7.3 supported");
  EXPECT_EQ(Versions("It wants cuDNN v8.5 or above.\n"), "cuDNN 8.5 supported");
}

TEST(Requirements, OlderThanAllThatIsNeededIsWrong) {
  EXPECT_EQ(Versions("The build stops below CUDA 11.8 with an error.\n"), "CUDA 11.8 contradicted");
  EXPECT_EQ(Versions("It needs CUDA 12.8 or newer.\n"), "CUDA 12.8 supported");
}

TEST(Requirements, OfPackagesAreReadInTheirFile) {
  EXPECT_EQ(Versions("`requirements-build.txt` has typing-extensions>=4.14.0.\n", false),
            "typing-extensions>=4.14.0 contradicted");
}

TEST(Requirements, OfAProjectThatIsNotNamedAreUndecidable) {
  EXPECT_EQ(Versions("It needs CMake 3.12 or newer.\n", false), "CMake 3.12 undecidable");
}

TEST(Requirements, AProjectThatIsItselfNeededIsNotTheOneThatNeeds) {
  EXPECT_EQ(Versions("Needs Python 3.8 or newer and gadget 1.12 or newer.\n"),
            "Python 3.8 undecidable");
}

TEST(Requirements, AVersionInPassingIsNone) {
  EXPECT_EQ(Versions("I built it with CMake 3.30.\n"), "");
  EXPECT_EQ(Versions("Hopper needs CUDA 11.8 or newer.\n"), "") << "of an architecture";
  EXPECT_EQ(Versions("The `--fp16` flag requires CUDA 9.1 or newer.\n"), "") << "of a flag";
  EXPECT_EQ(Versions("It uses the CUDA 4.0+ interface.\n"), "");
  EXPECT_EQ(Versions("Fences (CUDA 2.2 or later) help.\n"), "");
}

TEST(Since, IsHeldAgainstTheHelpOfCMake) {
  EXPECT_EQ(Versions("`CUDA_ARCHITECTURES` exists since CMake 3.20.\n"),
            "CUDA_ARCHITECTURES since 3.20 contradicted");
  EXPECT_EQ(Versions("`CUDA_ARCHITECTURES` (CMake 3.18) is a property.\n"),
            "CUDA_ARCHITECTURES since 3.18 supported");
  EXPECT_EQ(Versions("`find_package(Gadget)` exists since CMake 3.15.\n"),
            "Gadget since 3.15 contradicted");
  EXPECT_EQ(Versions("CMake has `--fresh` (since 3.24) and `native` (since 3.23).\n"),
            "--fresh since 3.24 supported, native since 3.23 contradicted");
  EXPECT_EQ(Versions("In CMake `Gadget::file` exists starting in CUDA 12.3.\n"),
            "Gadget::file since 12.3 contradicted");
}

TEST(Since, GoesOnInAList) {
  EXPECT_EQ(Versions("`CUDA_ARCHITECTURES` was added in CMake 3.18, `native` in CMake 3.20.\n"),
            "CUDA_ARCHITECTURES since 3.18 supported, native since 3.20 contradicted");
}

TEST(Since, MayBeInATable) {
  EXPECT_EQ(Versions("| Feature | First CMake |\n| - | - |\n| `CUDA_ARCHITECTURES` | 3.17 |\n"
                     "| values `native` and `others` | 3.24 |\n| `CUDA_ARCHITECTURES` | later |\n"),
            "CUDA_ARCHITECTURES since 3.17 contradicted, native since 3.24 supported, others since "
            "3.24 undecidable");
  EXPECT_EQ(Versions("CMake:\n\n| Name | Version |\n| - | - |\n| `CUDA_ARCHITECTURES` | 3.17 |\n"),
            "")
      << "the column does not say that it is the first";
}

TEST(Since, OfAGeneratorExpressionIsInItsManual) {
  EXPECT_EQ(Versions("CMake has `$<DEVICE_LINK:list>` (since 3.20).\n"),
            "$<DEVICE_LINK:list> since 3.20 contradicted");
}

TEST(Since, OfAnOptionMayBeInTheManualOfCTest) {
  EXPECT_EQ(Versions("`--output-junit` came with CMake 3.21.\n"),
            "--output-junit since 3.21 supported");
}

TEST(Requirements, AreThoseOfTheSubjectOfTheClause) {
  EXPECT_EQ(Versions("Widgets have `LISTS`, Gadget wants at least CMake 3.18.\n"),
            "CMake 3.18 contradicted");
  EXPECT_EQ(Versions("Gadgets have `LISTS`, Widget wants at least CMake 3.18.\n"),
            "CMake 3.18 undecidable");
}

TEST(Since, OfANameThatTheHelpDoesNotHaveIsUndecidable) {
  EXPECT_EQ(Versions("`GADGET_FAST` exists since CMake 3.20.\n"),
            "GADGET_FAST since 3.20 undecidable");
}

TEST(SameVersion, IgnoresTrailingZeros) {
  EXPECT_TRUE(SameVersion("3.9", "3.9.0"));
  EXPECT_FALSE(SameVersion("3.9", "3.90"));
  EXPECT_FALSE(SameVersion("3.9", "3.9.1"));
  EXPECT_TRUE(IsOlder("9.4", "10.0"));
  EXPECT_FALSE(IsOlder("12.8", "12.1"));
}

TEST(Versions, SinceWhenAValueOrATargetExistsIsSaidInManyWays) {
  EXPECT_EQ(Versions("In CMake, `CUDA_ARCHITECTURES` is from 3.17, `native` needs 3.20.\n"),
            "CUDA_ARCHITECTURES since 3.17 contradicted, native since 3.20 contradicted");
  EXPECT_EQ(Versions("In CMake, `native` needs at least 3.24.\n"), "native since 3.24 supported");
}

TEST(Versions, WhatIsListedBehindARequirementIsOneToo) {
  EXPECT_EQ(Versions("Gadget needs CUDA 12.1 and cuDNN 8.3.\n"),
            "CUDA 12.1 supported, cuDNN 8.3 contradicted");
  EXPECT_EQ(Versions("Requirements: CUDA 12.1, cuDNN 8.3.\n"),
            "CUDA 12.1 supported, cuDNN 8.3 contradicted");
}

TEST(Versions, APartOfAProjectMayNeedMore) {
  EXPECT_EQ(Versions("This example requires CUDA 13.0 or newer.\n"), "CUDA 13.0 undecidable");
  EXPECT_EQ(Versions("Gadget requires CUDA 13.0 or newer.\n"), "CUDA 13.0 contradicted");
}

}  // namespace
}  // namespace sibyl::audit
