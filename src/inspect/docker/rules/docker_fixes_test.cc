// SPDX-License-Identifier: Apache-2.0
// Every fix applies as a diff; then its finding is gone, and there is no new one.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/strings.h"
#include "field/field.h"
#include "inspect/docker/docker_check.h"
#include "inspect/docker/docker_diff.h"

namespace sibyl::inspect {
namespace {

Artifact Inspected(const std::string& text, const InspectOptions& options) {
  Artifact artifact{.path = "Dockerfile"};
  CheckDockerfile(ParseDockerfile(text), options, artifact);
  return artifact;
}

std::map<std::string, int> CodesIn(const Artifact& artifact) {
  std::map<std::string, int> codes;
  for (const Finding& finding : artifact.findings) ++codes[finding.code];
  return codes;
}

// Applies a unified diff, as patch does without its tolerance.
std::string Applied(const std::string& text, const std::string& diff) {
  const std::vector<std::string_view> lines = SplitLines(text);
  std::string result;
  std::size_t at = 0;
  for (const std::string_view line : SplitLines(diff)) {
    if (line.starts_with("---") || line.starts_with("+++")) continue;
    if (line.starts_with("@@ -")) {
      const std::size_t first = std::stoul(std::string(line.substr(4)));
      while (at + 1 < first) result += std::string(lines[at++]) + '\n';
    } else if (line.starts_with('+')) {
      result += std::string(line.substr(1)) + '\n';
    } else {
      EXPECT_EQ(lines.at(at), line.substr(1));
      if (line.starts_with(' ')) result += std::string(lines[at]) + '\n';
      ++at;
    }
  }
  while (at < lines.size()) result += std::string(lines[at++]) + '\n';
  return result;
}

// The fixes of the file, all at once.
void ExpectFixed(const std::string& text, const InspectOptions& options = {}) {
  SCOPED_TRACE(text);
  const Artifact before = Inspected(text, options);
  const Json& corrections = before.detail["corrections"];
  const std::string diff = DiffOfDockerfile("Dockerfile", text, corrections);
  ASSERT_NE(diff, "");
  const std::string fixed = Applied(text, diff);
  SCOPED_TRACE(fixed);
  const std::map<std::string, int> old_codes = CodesIn(before);
  const std::map<std::string, int> new_codes = CodesIn(Inspected(fixed, options));
  std::map<std::string, int> offered;
  for (const Json& fix : FixesOfDockerfile(text, corrections)) {
    ++offered[fix["code"].get<std::string>()];
  }
  for (const auto& [code, number] : new_codes) {
    const auto old_one = old_codes.find(code);
    EXPECT_TRUE(old_one != old_codes.end() && old_one->second >= number) << "new: " << code;
  }
  for (const auto& [code, number] : offered) {
    const auto left = new_codes.find(code);
    const int remaining = left == new_codes.end() ? 0 : left->second;
    EXPECT_LE(remaining, old_codes.at(code) - number) << "still there: " << code;
  }
}

TEST(DockerFixes, ApplyAndRemoveTheirFindings) {
  const std::string cuda = "FROM nvidia/cuda:12.4.1-devel-ubuntu22.04 AS build\n";
  const std::string runtime = "FROM nvidia/cuda:12.4.1-runtime-ubuntu22.04\n";
  const std::string files[] = {
      cuda + "RUN nvcc -O3 -o /app/k k.cu\n",
      cuda +
          "RUN apt-get update \\\n && apt-get install -y cmake \\\n && cmake -DUSE_CUDA=ON -B b\n",
      cuda + "RUN <<EOF\napt-get update\napt-get install git\nnvcc k.cu -o k\nEOF\n",
      cuda + "RUN TORCH_CUDA_ARCH_LIST=8.0 pip wheel --no-cache-dir -w /w .\n",
      runtime + "RUN apt-get install -y --no-install-recommends cuda-toolkit-13-0\n",
      runtime + "RUN pip install --no-cache-dir cupy-cuda11x==13.3.0\n",
      "FROM ubuntu:24.04\nRUN apt update && apt install python3-pip\nRUN pip install numpy\n",
      "FROM ubuntu:22.04\nRUN curl https://x.org/i.sh | bash\n",
      "FROM alpine:3.20\nRUN wget -O - https://x.org/i.sh | sh\n",
      "FROM ubuntu:22.04\nRUN git clone --branch v1 https://x.org/y\n",
      "ARG T=2.9.0\nFROM python:3.12-slim\nRUN pip install --no-cache-dir torch==${T}\n",
      "FROM ubuntu:22.04 AS a\nARG V=22.04\nFROM ubuntu:${V}\n",
      "FROM --platform=$TARGETPLATFORM ubuntu:22.04\nONBUILD ONBUILD RUN make\n",
      "FROM ubuntu:22.04\nENV PATH=/opt/x/bin\n",
      runtime + "ENV NVIDIA_DRIVER_CAPABILITIES=utility\nENV LD_LIBRARY_PATH=/opt/x\n",
      "FROM ubuntu:22.04\nRUN conda install numpy\n",
      "FROM rockylinux:9\nRUN dnf install gcc\n",
      "FROM ubuntu:22.04\nADD run.py /app/\nCMD ['./run.py']\n",
      "FROM ubuntu:22.04\nRUN sudo apt-get update\nRUN cd /src\nRUN export A=1\n",
  };
  for (const std::string& file : files) ExpectFixed(file);
}

TEST(DockerFixes, CompileForTheGpuThatWasAskedFor) {
  for (const char* gpu : {"T4", "RTX 4090", "H100"}) {
    const InspectOptions options{.gpus = {*field::FindGpu(gpu)}};
    ExpectFixed("FROM nvidia/cuda:12.4.1-devel-ubuntu22.04 AS build\nRUN nvcc k.cu -o k\n",
                options);
    ExpectFixed(
        "FROM nvidia/cuda:12.4.1-devel-ubuntu22.04 AS build\n"
        "RUN TORCH_CUDA_ARCH_LIST=\"8.6\" pip wheel --no-cache-dir -w /w .\n",
        options);
  }
}

}  // namespace
}  // namespace sibyl::inspect
