// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "inspect/docker/rules/docker_rules.h"

namespace sibyl::inspect {
namespace {

std::string SaidOf(const std::string& text) {
  Artifact artifact{.path = "Dockerfile"};
  artifact.detail["corrections"] = Json::array();
  ScriptBudget budget;
  CheckHostCompilers(ParseDockerfile(text), budget, artifact);
  if (artifact.findings.empty()) return {};
  const Finding& finding = artifact.findings[0];
  EXPECT_EQ(finding.code, "docker/host-compiler");
  return std::to_string(finding.place.line) +
         (finding.severity == Severity::kError ? ": error: " : ": warning: ") + finding.message;
}

// Issue 23: a compiler that nvcc refuses was not found.
TEST(DockerHostCompiler, IsOneThatNvccAccepts) {
  const std::string from = "FROM nvidia/cuda:12.4.1-devel-ubuntu22.04\n";
  const std::string why = "nvcc of CUDA 12.4 refuses GCC 15: the newest that it accepts is 13";
  EXPECT_EQ(SaidOf(from + "RUN apt-get install -y gcc-15 g++-15\n"), "2: warning: " + why);
  EXPECT_EQ(SaidOf(from + "ENV CUDAHOSTCXX=/usr/bin/g++-15\n"), "2: error: " + why);
  EXPECT_EQ(SaidOf(from + "RUN nvcc -ccbin g++-15 -o a a.cu\n"), "2: error: " + why);
  EXPECT_EQ(SaidOf("FROM ubuntu:24.04\nRUN apt-get install -y cuda-toolkit-12-4 g++-15\n"),
            "2: warning: " + why);
  EXPECT_EQ(SaidOf(from + "RUN apt-get install -y gcc-15 g++-13\n"), "");
  EXPECT_EQ(SaidOf(from + "RUN apt-get install -y g++-15\nENV NVCC_CCBIN=g++-12\n"), "");
  EXPECT_EQ(SaidOf(from + "RUN apt-get install -y g++-15\n"
                          "RUN nvcc -allow-unsupported-compiler a.cu\n"),
            "");
  EXPECT_EQ(SaidOf("FROM nvidia/cuda:13.0.1-devel-ubuntu24.04\nRUN apt-get install -y g++-15\n"),
            "");
  EXPECT_EQ(SaidOf("FROM ubuntu:24.04\nRUN apt-get install -y g++-15\n"), "");
}

}  // namespace
}  // namespace sibyl::inspect
