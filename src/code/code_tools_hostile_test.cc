// SPDX-License-Identifier: Apache-2.0
// Blocks of code that try to read, write, run and connect.
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files/file_descriptor.h"
#include "base/files/temporary_folder.h"
#include "base/process/environment.h"
#include "base/process/sandbox.h"
#include "base/test_canary.h"
#include "code/code_check.h"
#include "code/code_tools.h"

namespace sibyl::code {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPlace = "@PLACE@";

std::string Filled(std::string_view code, const std::string& value) {
  std::string filled(code);
  for (std::size_t at = filled.find(kPlace); at != std::string::npos; at = filled.find(kPlace)) {
    filled.replace(at, kPlace.size(), value);
  }
  return filled;
}

class HostileCode : public testing::Test {
 protected:
  void SetUp() override {
    const Result<Sandbox> sandbox = Sandbox::Open();
    if (!sandbox.ok()) GTEST_SKIP() << sandbox.error().message;
  }

  // As the operations ask, with all that they could show.
  static std::string Shown(const std::string& info, const std::string& code) {
    const auto statements = statement::ReadStatements("# A\n\n```" + info + "\n" + code +
                                                      (code.ends_with('\n') ? "" : "\n") + "```\n");
    EXPECT_TRUE(statements.ok());
    const CodeChecker checker({.depth = CodeDepth::kTools});
    std::string shown;
    for (const statement::Judgement& judgement : checker.Judge("a.md", *statements)) {
      shown += std::to_string(static_cast<int>(judgement.verdict)) + " " + judgement.message + " " +
               judgement.reason + " " + judgement.nearest + " " + judgement.where + " " +
               std::to_string(judgement.place.line) + "\n";
    }
    EXPECT_FALSE(shown.empty()) << code;
    return shown;
  }

  // The secret is not shown, nothing is changed, and a file that does not exist
  // gives the same answer.
  void ExpectHarmless(const std::string& info, const std::string& payload, const fs::path& path) {
    const std::string answer = Shown(info, Filled(payload, path.string()));
    EXPECT_EQ(answer.find(Canary::kMark), std::string::npos) << payload << "\n" << answer;
    std::string name = path.filename().string();
    name.back() = name.back() == 'x' ? 'y' : 'x';
    const fs::path absent = path.parent_path() / name;
    const std::string other = Shown(info, Filled(payload, absent.string()));
    EXPECT_EQ(Without(answer, path), Without(other, absent)) << payload;
    EXPECT_TRUE(canary_.IsUntouched()) << payload;
  }

  void ExpectHarmless(const std::string& info, const std::vector<std::string>& payloads) {
    for (const std::string& payload : payloads) {
      for (const fs::path& path : canary_.paths()) ExpectHarmless(info, payload, path);
    }
  }

  static std::string Without(std::string text, const fs::path& path) {
    for (std::size_t at = text.find(path.string()); at != std::string::npos;
         at = text.find(path.string())) {
      text.erase(at, path.string().size());
    }
    return text;
  }

  Canary canary_;
};

// The content of the file becomes the name of a type, which the error in the
// block's last line has to mention.
std::string IncludedAsName(const std::string& directive) {
  return "struct\n" + directive + "\n{} v;\nint f(void) { return v; }\n";
}

TEST_F(HostileCode, IncludesNoFileOutside) {
  if (!FindSystemProgram("g++")) GTEST_SKIP() << "no g++";
  for (const char* directive :
       {"#include \"@PLACE@\"", "#include <@PLACE@>", "#inc\\ \nlude \"@PLACE@\"",
        "#inc\\\t\nlude \"@PLACE@\"", "#inc\\\nlude \"@PLACE@\"", "# /**/ include \"@PLACE@\"",
        "# /* a\n b */ include \"@PLACE@\"", "/**/ # /**/ include /**/ \"@PLACE@\"",
        "%:include \"@PLACE@\"", "#define P \"@PLACE@\"\n#include P", "#import \"@PLACE@\"",
        "#include_next <@PLACE@>", "#include \"/usr/include/../..@PLACE@\"",
        "#include \"../../../../../../../..@PLACE@\""}) {
    ExpectHarmless("cpp check", {IncludedAsName(directive)});
  }
}

TEST_F(HostileCode, LearnsOfNoFileOutside) {
  if (!FindSystemProgram("g++")) GTEST_SKIP() << "no g++";
  ExpectHarmless(
      "cpp check",
      {"#pragma GCC dependency \"@PLACE@\"\nint x;\n",
       "#pragma GCC dependency \"@PLACE@\" is newer\nint x = y;\n",
       "#pragma GCC pch_preprocess \"@PLACE@\"\nint x;\n",
       "_Pragma(\"GCC dependency \\\"@PLACE@\\\"\")\nint x;\n",
       "#if __has_include(\"@PLACE@\")\nint x = yes;\n#else\nint x = 1;\n#endif\n",
       "#if __has_include(<@PLACE@>)\n#include <@PLACE@>\n#endif\nint x;\n",
       "#embed \"@PLACE@\"\nint x;\n", "asm(\".incbin \\\"@PLACE@\\\"\");\nint x;\n",
       "asm(\".include \\\"@PLACE@\\\"\");\nint x;\n", "#line 1 \"@PLACE@\"\nint x = y;\n",
       "#line 1 \"block.cc\"\n#include \"@PLACE@\"\nint x;\n"});
}

TEST_F(HostileCode, InCIsHeldToTheSame) {
  if (!FindSystemProgram("g++")) GTEST_SKIP() << "no g++";
  ExpectHarmless("c check", {IncludedAsName("#inc\\ \nlude \"@PLACE@\""),
                             IncludedAsName("# /**/ include \"@PLACE@\"")});
}

TEST_F(HostileCode, FindsNothingOfTheSystemBeyondHeaders) {
  if (!FindSystemProgram("g++")) GTEST_SKIP() << "no g++";
  for (const std::string place : {"/etc/passwd", "/etc/hostname", "/root/secret", "/proc/1/environ",
                                  "/proc/self/environ", "/proc/self/cmdline", "/proc/cmdline"}) {
    const std::string answer = Shown("cpp check", "#include \"" + place + "\"\nint x;\n");
    EXPECT_NE(answer.find("g++ is missing a header, library or option"), std::string::npos)
        << answer;
    const std::string exists =
        Shown("cpp check", "#if __has_include(\"" + place + "\")\nint x = yes;\n#endif\n");
    EXPECT_NE(exists.find("g++ compiles it"), std::string::npos) << place << ": " << exists;
  }
}

TEST_F(HostileCode, InCudaIsHeldToTheSame) {
  if (!fs::exists("/usr/local/cuda/bin/nvcc")) GTEST_SKIP() << "no nvcc";
  for (const std::string& payload :
       {IncludedAsName("#inc\\ \nlude \"@PLACE@\""),
        std::string("#if __has_include(\"@PLACE@\")\nint x = yes;\n#endif\n"),
        std::string("__global__ void k() { asm(\".incbin \\\"@PLACE@\\\";\"); }\n")}) {
    ExpectHarmless("cuda check", payload, canary_.paths().front());
  }
}

TEST_F(HostileCode, InShellIsParsedAndNotRun) {
  ExpectHarmless(
      "bash check",
      {"x=$(cat @PLACE@)\necho \"$x\"\n", ". @PLACE@\n", "source @PLACE@\n", "exec <@PLACE@\n",
       "echo x >@PLACE@\n", "touch @PLACE@.ran\n", "set +n\ncat @PLACE@\n",
       "cat <<E\n$(cat @PLACE@)\nE\n", "f() { f | f & }; f\n", "trap 'cat @PLACE@' EXIT\nfi\n",
       "kill -9 $PPID\n", "echo x >/dev/tcp/127.0.0.1/1\n"});
}

TEST_F(HostileCode, InPythonIsParsedAndNotRun) {
  ExpectHarmless("python check",
                 {"print(open('@PLACE@').read())\n", "import os; os.system('cat @PLACE@')\n",
                  "open('@PLACE@', 'w')\n", "# -*- coding: @PLACE@ -*-\nx = 1\n",
                  "x = [open('@PLACE@') for _ in ()]\ny = = 2\nz = 3\n",
                  "import sitecustomize, usercustomize\n"});
  ExpectHarmless("toml check", {"a = '@PLACE@'\n", "include = \"@PLACE@\"\nb = = 1\n"});
}

// Read by us; no program is asked.
TEST_F(HostileCode, InCMakeAndOthersIsOnlyRead) {
  ExpectHarmless(
      "cmake check",
      {"file(READ @PLACE@ x)\nmessage(FATAL_ERROR \"${x}\")\n",
       "execute_process(COMMAND cat @PLACE@ OUTPUT_VARIABLE x)\n",
       "execute_process(COMMAND cat @PLACE@)\nset B 2\n", "include(@PLACE@)\n",
       "configure_file(@PLACE@ @PLACE@.copy)\n", "file(WRITE @PLACE@ x)\n",
       "file(DOWNLOAD http://127.0.0.1:1/ @PLACE@)\n", "file(REMOVE_RECURSE @PLACE@)\n"});
  ExpectHarmless("dockerfile", {"FROM a\nADD @PLACE@ /\n", "FROM a\nCOPPY @PLACE@ /\n",
                                "FROM a\nRUN cat @PLACE@\n"});
  ExpectHarmless("json", {"{\"$ref\": \"@PLACE@\"}\n", "{\"a\": \"@PLACE@\",}\n"});
}

// No folder outside is used, so nobody can put a link into one.
TEST_F(HostileCode, LeavesNoFileOutsideToSwap) {
  if (!FindSystemProgram("g++")) GTEST_SKIP() << "no g++";
  const TemporaryFolder folder;
  const FileDescriptor watch(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  ASSERT_GE(::inotify_add_watch(watch.number(), folder.path().c_str(), IN_CREATE), 0);
  const std::string before = EnvironmentVariable("TMPDIR").value_or("/tmp");
  ::setenv("TMPDIR", folder.path().c_str(), 1);  // NOLINT(concurrency-mt-unsafe): one thread
  const std::string answer = Shown("cpp check", "int x;\n");
  ::setenv("TMPDIR", before.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  EXPECT_NE(answer.find("g++ compiles it"), std::string::npos) << answer;
  std::array<char, 4096> events{};
  EXPECT_LT(::read(watch.number(), events.data(), events.size()), 0) << "a file was made";
}

}  // namespace
}  // namespace sibyl::code
