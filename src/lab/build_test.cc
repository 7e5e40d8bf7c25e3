// SPDX-License-Identifier: Apache-2.0
// The labs here are plain C++, so that the cache is tested without a toolkit;
// packaging/test.py builds a real lab from the bundle where there is one.
#include "lab/build.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/process/subprocess.h"

namespace sibyl::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProject = R"(cmake_minimum_required(VERSION 3.24)
project(labs LANGUAGES CXX)
function(sibyl_lab name)
  add_executable(lab_${name} ${name}/lab.cc)
endfunction()
sibyl_lab(copy)
sibyl_lab(broken)
)";
constexpr std::string_view kCopy = R"(#include <cstdio>
// lab.question = "How fast is a copy?";
int main() { std::puts("copied"); }
)";

class BuildTest : public ::testing::Test {
 protected:
  BuildTest() : path_(std::getenv("PATH")) {  // NOLINT(concurrency-mt-unsafe)
    Write("labs/CMakeLists.txt", kProject);
    Write("labs/copy/lab.cc", kCopy);
    Write("labs/broken/lab.cc", "// lab.question = \"Why?\";\nint main() { return missing; }\n");
    Write("labs/README.md", "# Labs\n");
    WriteCompiler("release 13.0");
    SetPath(Tools().string() + ":" + path_);
  }
  ~BuildTest() override { SetPath(path_); }

  static void SetPath(const std::string& path) {
    ::setenv("PATH", path.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  }

  fs::path Tools() const { return folder_.path() / "tools"; }
  fs::path Cache() const { return folder_.path() / "cache"; }

  fs::path Write(const fs::path& path, std::string_view text) const {
    fs::path whole = folder_.path() / path;
    EXPECT_TRUE(CreateFolders(whole.parent_path()).ok());
    EXPECT_TRUE(WriteFileAtomically(whole, text).ok());
    return whole;
  }

  // Only its version is asked for: these labs have no CUDA code.
  void WriteCompiler(const std::string& version) const {
    fs::permissions(Write("tools/nvcc", "#!/bin/sh\necho '" + version + "'\n"),
                    fs::perms::owner_all);
  }

  Result<Program> Build(std::string_view name) {
    const Result<LabSources> sources = ReadSources(folder_.path() / "labs");
    EXPECT_TRUE(sources.ok());
    if (!sources.ok()) return sources.error();
    return BuildLab(
        *sources, name,
        {.cache = Cache(), .progress = [this](std::string_view) { ++builds_; }, .toolkits = {}});
  }

  std::size_t Folders() const {
    std::size_t count = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(Cache() / "labs")) {
      count += entry.is_directory() ? 1U : 0U;
    }
    return count;
  }

  TemporaryFolder folder_;
  std::string path_;
  std::atomic<int> builds_ = 0;
};

TEST_F(BuildTest, SourcesAreListedWithTheirQuestionsWithoutABuild) {
  const Result<LabSources> sources = ReadSources(folder_.path() / "labs");
  ASSERT_TRUE(sources.ok()) << sources.error().message;
  ASSERT_EQ(sources->labs.size(), 2U);
  EXPECT_EQ(sources->labs[1].name, "copy");
  EXPECT_EQ(sources->labs[1].question, "How fast is a copy?");
  EXPECT_EQ(sources->files.size(), 3U);  // README.md does not change a build
  EXPECT_EQ(ReadSources(folder_.path() / "none").error().kind, ErrorKind::kNotFound);
}

TEST_F(BuildTest, ALabInPythonIsListedWithItsScript) {
  Write("labs/CMakeLists.txt", std::string(kProject) + "sibyl_torch_lab(step)\n");
  Write("labs/step/lab.py", "QUESTION = \"How long is a step?\"\n");
  const Result<LabSources> sources = ReadSources(folder_.path() / "labs");
  ASSERT_TRUE(sources.ok());
  ASSERT_EQ(sources->labs.size(), 3U);
  EXPECT_EQ(sources->labs[2].question, "How long is a step?");
  EXPECT_EQ(sources->labs[2].script, "step/lab.py");
  EXPECT_EQ(sources->labs[1].script, "");
  EXPECT_EQ(sources->folder, folder_.path() / "labs");
}

// What `lab list` shows is what the programs print.
TEST(LabSourcesTest, EveryLabOfTheRepositoryHasAQuestion) {
  const Result<LabSources> sources = ReadSources(fs::path(SIBYL_SOURCE_DIR) / "labs");
  ASSERT_TRUE(sources.ok()) << sources.error().message;
  EXPECT_GE(sources->labs.size(), 23U);
  for (const SourceLab& lab : sources->labs) {
    EXPECT_TRUE(lab.question.ends_with('?')) << lab.name << ": " << lab.question;
  }
}

TEST_F(BuildTest, ALabIsBuiltOnceForItsSourcesAndItsCompiler) {
  const Result<Program> first = Build("copy");
  ASSERT_TRUE(first.ok()) << first.error().message;
  EXPECT_EQ(RunProgram({.program = first->path.string()})->output, "copied\n");
  EXPECT_EQ(Build("copy")->path, first->path);
  EXPECT_EQ(builds_, 1);
  Write("labs/README.md", "# Other words\n");
  EXPECT_EQ(Build("copy")->path, first->path);
  Write("labs/copy/lab.cc", std::string(kCopy) + "// changed\n");
  EXPECT_NE(Build("copy")->path, first->path);
  WriteCompiler("release 13.1");
  EXPECT_NE(Build("copy")->path, first->path);
  EXPECT_EQ(builds_, 3);
  EXPECT_EQ(Folders(), 3U);
}

TEST_F(BuildTest, AnInterruptedBuildStartsOver) {
  const Result<Program> first = Build("copy");
  ASSERT_TRUE(first.ok()) << first.error().message;
  const fs::path folder = first->path.parent_path().parent_path();
  EXPECT_FALSE(fs::exists(folder / "unfinished"));
  // As a kill leaves it: half an object file, newer than its source, and no program.
  fs::remove(first->path);
  std::ofstream(folder / "unfinished") << "x";
  for (const auto& entry : fs::recursive_directory_iterator(folder / "build")) {
    if (entry.path().extension() == ".o") std::ofstream(entry.path(), std::ios::trunc) << "half";
  }
  const Result<Program> again = Build("copy");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(RunProgram({.program = again->path.string()})->output, "copied\n");
}

TEST_F(BuildTest, ABuildThatFailsShowsTheFirstErrorAndTheLog) {
  const Result<Program> built = Build("broken");
  ASSERT_FALSE(built.ok());
  EXPECT_NE(built.error().message.find("building the lab broken: "), std::string::npos);
  EXPECT_NE(built.error().message.find("was not declared"), std::string::npos)
      << built.error().message;
  EXPECT_NE(built.error().hint.find("log.txt"), std::string::npos);
  EXPECT_TRUE(Build("copy").ok());  // the others build
}

TEST_F(BuildTest, WhatIsMissingIsNamedWithWhatToInstall) {
  SetPath(Tools().string());
  EXPECT_EQ(Build("copy").error().message,
            "building the lab copy: cmake is not installed; labs are built with it");
  fs::permissions(Write("tools/cmake", "#!/bin/sh\nexit 1\n"), fs::perms::owner_all);
  EXPECT_EQ(Build("copy").error().message,
            "building the lab copy: a C++ compiler is not installed; labs are built with it");
  fs::permissions(Write("tools/c++", "#!/bin/sh\nexit 1\n"), fs::perms::owner_all);
  EXPECT_EQ(Build("copy").error().message,
            "building the lab copy: ninja or make is not installed; labs are built with it");
  fs::remove(Tools() / "nvcc");
  const Result<Program> built = Build("copy");
  EXPECT_EQ(built.error().kind, ErrorKind::kUnavailable);
  EXPECT_EQ(built.error().message,
            "building the lab copy: nvcc is not installed; labs are built with it");
  EXPECT_NE(built.error().hint.find("CUDA toolkit"), std::string::npos);
  EXPECT_EQ(builds_, 0);
}

// The working folder may be a clone.
TEST_F(BuildTest, AToolInAFolderRelativeToHereIsNotRun) {
  SetPath("tools");
  const fs::path before = fs::current_path();
  fs::current_path(folder_.path());
  EXPECT_NE(Build("copy").error().message.find("nvcc is not installed"), std::string::npos);
  fs::current_path(before);
}

TEST_F(BuildTest, TwoProcessesThatWantALabBuildItOnce) {
  Result<Program> one = Build("copy");
  ASSERT_TRUE(one.ok());
  fs::remove_all(Cache());
  Result<Program> other = Error{};
  {
    const std::jthread second([&] { other = Build("copy"); });
    one = Build("copy");
  }
  ASSERT_TRUE(one.ok() && other.ok());
  EXPECT_EQ(one->path, other->path);
  EXPECT_EQ(RunProgram({.program = one->path.string()})->output, "copied\n");
}

// A program that was copied to /tmp/x must not build what is in /tmp/share.
TEST_F(BuildTest, AFolderThatEverybodyMayChangeIsNotOfTheInstallation) {
  const fs::path program = Write("bin/sibyl", "");
  const fs::path labs = folder_.path() / "labs";
  EXPECT_TRUE(IsOfInstallation(labs, program));
  fs::permissions(labs, fs::perms::others_write, fs::perm_options::add);
  EXPECT_FALSE(IsOfInstallation(labs, program));
  fs::permissions(labs, fs::perms::others_write, fs::perm_options::remove);
  EXPECT_FALSE(IsOfInstallation(folder_.path() / "none", program));
  if (::geteuid() == 0 && ::chown(labs.c_str(), 12345, 12345) == 0) {
    EXPECT_FALSE(IsOfInstallation(labs, program));
  }
}

}  // namespace
}  // namespace sibyl::lab
