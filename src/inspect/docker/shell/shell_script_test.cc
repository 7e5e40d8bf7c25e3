// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/shell/shell_script.h"

#include <gtest/gtest.h>

#include "inspect/docker/shell/shell_commands.h"

namespace sibyl::inspect {
namespace {

std::string ExecutedOf(const std::string& run) {
  const Dockerfile file = ParseDockerfile("FROM x\nRUN " + run);
  return ExecutedScript(file.stages[0].instructions[1]);
}

using Words = std::vector<std::string>;

TEST(ShellScript, WhatIsPrintedIsNotExecuted) {
  EXPECT_EQ(ExecutedOf("echo \"run nvcc -arch=sm_50; sudo x\" && make"), "echo && make");
  EXPECT_EQ(ExecutedOf("echo nvcc > /note; make -j"), "echo > /note; make -j");
  EXPECT_EQ(ExecutedOf("printf 'pip install torch\\n' >> /note"), "printf >> /note");
  EXPECT_EQ(ExecutedOf("A=1 /bin/echo nvcc || true"), "A=1 /bin/echo || true");
}

TEST(ShellScript, WhatAShellGetsIsExecuted) {
  EXPECT_EQ(ExecutedOf("echo 'nvcc x.cu' | bash"), "echo 'nvcc x.cu' | bash");
  EXPECT_EQ(ExecutedOf("echo \"$(nvcc --version)\""), "echo \"$(nvcc --version)\"");
  EXPECT_EQ(ExecutedOf("/bin/bash -lc \"source x && pip install torch\""),
            " source x && pip install torch");
  EXPECT_EQ(ExecutedOf(R"(["/bin/bash", "-c", "pip install \"torch\" && nvcc x.cu"])"),
            " pip install \"torch\" && nvcc x.cu");
  EXPECT_EQ(ExecutedOf(R"(["nvcc", "a b.cu"])"), "nvcc \"a b.cu\"");
}

TEST(ShellScript, AHereDocumentIsExecutedWhereAShellReadsIt) {
  EXPECT_EQ(ExecutedOf("<<EOF\nnvcc x.cu # compile\n# nvcc y.cu\necho nvcc\nEOF\n"),
            "<<EOF\nnvcc x.cu \n \necho\n");
  EXPECT_EQ(ExecutedOf("bash -e <<EOF\nmake\nEOF\n"), "bash -e <<EOF\nmake\n");
  EXPECT_EQ(ExecutedOf("cat <<EOF > /help\nnvcc x.cu\nEOF\n"), "cat <<EOF > /help");
  EXPECT_EQ(ExecutedOf("<<EOF\n#!/usr/bin/env python3\npip install torch\nEOF\n"), "<<EOF");
}

TEST(ShellScript, OperatorsNeedNoBlanks) {
  EXPECT_EQ(CommandsOf("cd x;nvcc a.cu&&(make 2>&1|tee log)").size(), 5U);
  EXPECT_EQ(CommandsOf("V=$(a | b; c) d").front(), (Words{"V=$(a | b; c)", "d"}));
  EXPECT_EQ(CommandsOf("find . -exec rm {} \\;").front(),
            (Words{"find", ".", "-exec", "rm", "{}", "\\;"}));
  EXPECT_EQ(CommandsOf("grep ';' 'a && b'").front(), (Words{"grep", ";", "a && b"}));
  EXPECT_EQ(CommandsOf("a &> /dev/null").front(), (Words{"a", "&>", "/dev/null"}));
}

TEST(ShellScript, UnfinishedTextEndsWithTheScript) {
  for (const std::string script : {"echo \"x", "a $(b", "a \\", "(", "echo 'x", "a $((", "["}) {
    EXPECT_LE(ExecutedOf(script).size(), script.size() + 1) << script;
  }
}

}  // namespace
}  // namespace sibyl::inspect
