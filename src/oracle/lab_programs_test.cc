// SPDX-License-Identifier: Apache-2.0
#include "oracle/lab_programs.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "oracle/test_context.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProject =
    "cmake_minimum_required(VERSION 3.24)\nsibyl_lab(copy SOURCES lab.cc)\n";
constexpr std::string_view kLab = "  lab.question = \"How fast is a copy?\";\n";

class LabPrograms : public OracleTest {
 protected:
  ~LabPrograms() override { ::unsetenv("SIBYL_LABS"); }  // NOLINT(concurrency-mt-unsafe)

  void WriteSources(const fs::path& folder) const {
    Write(folder / "CMakeLists.txt", kProject);
    Write(folder / "copy/lab.cc", kLab);
  }

  static std::string Listed(const Result<Labs>& labs) {
    if (!labs.ok()) return labs.error().message;
    std::string names;
    for (const lab::Program& program : labs->programs) names += "program " + program.name + " ";
    if (labs->sources) {
      for (const lab::SourceLab& source : labs->sources->labs) names += "source " + source.name;
    }
    return names;
  }
};

TEST_F(LabPrograms, ComeFromTheFolderOfTheEnvironmentAlone) {
  ::setenv("SIBYL_LABS", top().c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  WriteSources("usr/share/sibyl/labs");
  const Result<Labs> none = FindLabs(top() / "usr/bin/sibyl");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().kind, ErrorKind::kNotFound);
  EXPECT_NE(none.error().hint.find("SIBYL_LABS"), std::string::npos);
  fs::permissions(Write("lab_copy", "#!/bin/sh\n"), fs::perms::owner_all);
  EXPECT_EQ(Listed(FindLabs(top() / "usr/bin/sibyl")), "program copy ");
}

TEST_F(LabPrograms, SourcesAreThoseOfTheInstallation) {
  EXPECT_EQ(Listed(FindLabs(Write("usr/bin/sibyl", ""))), "no labs are installed");
  WriteSources("usr/share/sibyl/labs");
  EXPECT_EQ(Listed(FindLabs(top() / "usr/bin/sibyl")), "source copy");
  EXPECT_EQ(Listed(FindLabs(Write("usr/lib/sibyl/ld-linux-x86-64.so.2", ""))), "source copy");
  // Without /proc the path of the program is not known; nothing is looked for here.
  EXPECT_EQ(Listed(FindLabs("")), "no labs are installed");
}

TEST_F(LabPrograms, ABuildFolderUsesTheLabsOfItsRepository) {
  WriteSources("labs");
  Write("build/release/sibyl", "");
  EXPECT_EQ(Listed(FindLabs(top() / "build/release/sibyl")), "no labs are installed");
  Write("build/release/CMakeCache.txt", "");
  EXPECT_EQ(Listed(FindLabs(top() / "build/release/sibyl")), "source copy");
  fs::permissions(Write("build/labs/lab_copy", "#!/bin/sh\n"), fs::perms::owner_all);
  EXPECT_EQ(Listed(FindLabs(top() / "build/release/sibyl")), "program copy source copy");
}

TEST_F(LabPrograms, AnUnknownNameIsAnsweredWithTheNearest) {
  WriteSources("usr/share/sibyl/labs");
  const Result<Labs> labs = FindLabs(Write("usr/bin/sibyl", ""));
  ASSERT_TRUE(labs.ok());
  const Result<lab::Program> unknown = OpenLab(Here(), *labs, "coppy");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(unknown.error().hint, "did you mean 'copy'?");
}

}  // namespace
}  // namespace sibyl::oracle
