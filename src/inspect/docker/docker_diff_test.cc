// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_diff.h"

#include <gtest/gtest.h>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/process/subprocess.h"
#include "base/strings.h"
#include "inspect/docker/docker_check.h"

namespace sibyl::inspect {
namespace {

std::string DiffOf(std::string_view text) {
  Artifact artifact{.path = "Dockerfile"};
  CheckDockerfile(ParseDockerfile(text), {}, artifact);
  return DiffOfDockerfile("Dockerfile", text, artifact.detail["corrections"]);
}

// The file after `patch`; the diff itself if it does not apply.
std::string Patched(std::string_view text) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "Dockerfile";
  const std::string diff = DiffOf(text);
  if (diff.empty()) return std::string(text);
  EXPECT_TRUE(WriteFileAtomically(file, text).ok());
  const Result<Outcome> outcome = RunProgram({.program = "git",
                                              .arguments = {"apply", "-p1", "-"},
                                              .input = diff,
                                              .folder = folder.path()});
  if (!outcome.ok() || !outcome->succeeded()) return diff;
  return *ReadFile(file);
}

TEST(DockerDiff, SeveralFixesOfALineAreOne) {
  EXPECT_EQ(Patched("FROM ubuntu:24.04\nRUN apt-get update && apt-get install git\n"),
            "FROM ubuntu:24.04\n"
            "RUN apt-get update && apt-get install -y --no-install-recommends git"
            " && rm -rf /var/lib/apt/lists/*\n");
}

TEST(DockerDiff, PutsLinesAroundAnInstruction) {
  EXPECT_EQ(Patched("FROM a:1\nUSER app\nRUN dnf install -y git && dnf clean all\n"),
            "FROM a:1\nUSER app\nUSER root\nRUN dnf install -y git && dnf clean all\nUSER app\n");
  EXPECT_EQ(Patched("FROM a:1\nUSER app\nRUN dnf install -y git \\\n && dnf clean all\n"),
            "FROM a:1\nUSER app\nUSER root\nRUN dnf install -y git \\\n && dnf clean all\n"
            "USER app\n");
}

TEST(DockerDiff, FixesTheLinesOfALongCommand) {
  EXPECT_EQ(
      Patched("FROM ubuntu:24.04\nRUN apt-get update && \\\n  apt-get install -y \\\n  git\n"),
      "FROM ubuntu:24.04\n"
      "RUN apt-get update && \\\n  apt-get install --no-install-recommends -y \\\n"
      "  git && rm -rf /var/lib/apt/lists/*\n");
}

TEST(DockerDiff, KeepsTheLineEndsOfWindows) {
  EXPECT_EQ(Patched("FROM ubuntu:24.04\r\nRUN apt-get update && apt-get install git\r\n"),
            "FROM ubuntu:24.04\r\n"
            "RUN apt-get update && apt-get install -y --no-install-recommends git"
            " && rm -rf /var/lib/apt/lists/*\r\n");
}

TEST(DockerDiff, LinesAreAddedBeforeAndAfter) {
  EXPECT_EQ(Patched("FROM nvidia/cuda:12.4.1-devel-ubuntu22.04 AS builder\n"
                    "ENV TORCH_CUDA_ARCH_LIST=\"8.0+PTX\"\n"
                    "COPY --from=python:3.10 /usr/local /usr/local\n"
                    "WORKDIR /src\n"
                    "RUN --mount=type=cache,target=/root/.cache/pip pip wheel -w /wheels .\n"
                    "\n\n\n\n\n"
                    "FROM nvidia/cuda:12.4.1-devel-ubuntu22.04\n"
                    "RUN curl -s https://x.org/i.sh | bash\n"
                    "CMD [\"x\"]\n"),
            "FROM nvidia/cuda:12.4.1-devel-ubuntu22.04 AS builder\n"
            "ENV TORCH_CUDA_ARCH_LIST=\"8.0+PTX\"\n"
            "COPY --from=python:3.10 /usr/local /usr/local\n"
            "WORKDIR /src\n"
            "RUN --mount=type=cache,target=/root/.cache/pip pip wheel -w /wheels .\n"
            "\n\n\n\n\n"
            "FROM nvidia/cuda:12.4.1-runtime-ubuntu22.04\n"
            "COPY --from=builder /wheels /wheels\n"
            "SHELL [\"/bin/bash\", \"-o\", \"pipefail\", \"-c\"]\n"
            "RUN curl -s https://x.org/i.sh | bash\n"
            "CMD [\"x\"]\n");
}

TEST(DockerDiff, WhatAPersonHasToFillInIsLeftOut) {
  EXPECT_EQ(DiffOf("FROM ubuntu:24.04\nADD https://x.org/m.bin /m/\n"), "");
  EXPECT_EQ(DiffOf("FROM ubuntu:24.04\nRUN apt-get update\n"), "");
}

TEST(DockerDiff, ALineThatGoesOnIsNotCut) {
  const std::string text = "FROM ubuntu:24.04\nCMD serve \\\n  serve.py\n";
  EXPECT_EQ(Patched(text), text);
  EXPECT_EQ(DiffOf("FROM ubuntu:24.04\r\nRUN sudo x\n"), "");
  EXPECT_EQ(DiffOf("FROM ubuntu:24.04\nRUN sudo x"), "");
}

// The file after all replacements of one fix.
std::string FixedBy(std::string_view text, std::string_view code) {
  Artifact artifact{.path = "Dockerfile"};
  CheckDockerfile(ParseDockerfile(text), {}, artifact);
  std::vector<std::string> lines;
  for (const std::string_view line : SplitLines(text)) lines.emplace_back(line);
  for (const Json& fix : FixesOfDockerfile(text, artifact.detail["corrections"])) {
    if (fix["code"] != code) continue;
    for (const Json& part : fix["replacements"]) {
      const auto begin = part["column"].get<std::size_t>() - 1;
      const auto end = part["end_column"].get<std::size_t>() - 1;
      lines[part["line"].get<std::size_t>() - 1].replace(begin, end - begin,
                                                         part["text"].get<std::string>());
    }
  }
  return Join(lines, "\n") + "\n";
}

// Issue 23: for SARIF, each finding has its own fix.
TEST(DockerDiff, EachFixStandsByItself) {
  EXPECT_EQ(
      FixedBy("FROM ubuntu:24.04\nRUN apt-get update && apt-get install git\n", "docker/apt-asks"),
      "FROM ubuntu:24.04\nRUN apt-get update && apt-get install -y git\n");
  EXPECT_EQ(
      FixedBy("FROM ubuntu:24.04\nRUN curl -fs https://x.org/i.sh | bash\n", "docker/pipefail"),
      "FROM ubuntu:24.04\nSHELL [\"/bin/bash\", \"-o\", \"pipefail\", \"-c\"]\n"
      "RUN curl -fs https://x.org/i.sh | bash\n");
  EXPECT_EQ(FixedBy("FROM ubuntu:24.04\nENV A=1 B=$A\n", "docker/env-same-line"),
            "FROM ubuntu:24.04\nENV A=1\nENV B=$A\n");
  const std::string_view long_one = "FROM ubuntu:24.04\nRUN sudo a && \\\n  sudo b\n";
  EXPECT_EQ(FixedBy(long_one, "docker/sudo"), "FROM ubuntu:24.04\nRUN a && \\\n  b\n");
  EXPECT_EQ(FixedBy("FROM ubuntu:24.04\nADD https://x.org/m /m/\n", "docker/add-unchecked"),
            "FROM ubuntu:24.04\nADD https://x.org/m /m/\n");
}

// After the diff is applied, what it corrected is no longer found.
TEST(DockerDiff, ASecondRunSuggestsOnlyWhatIsLeft) {
  std::string text =
      "FROM ubuntu:24.04\nRUN apt update && apt install git\nRUN sudo make\nCMD x --serve\n";
  for (int run = 0; run < 3; ++run) text = Patched(text);
  EXPECT_EQ(text,
            "FROM ubuntu:24.04\nRUN apt-get update && apt-get install -y "
            "--no-install-recommends git && rm -rf /var/lib/apt/lists/*\nRUN make\n"
            "CMD [\"x\", \"--serve\"]\n");
  EXPECT_EQ(DiffOf(text), "");
}

}  // namespace
}  // namespace sibyl::inspect
