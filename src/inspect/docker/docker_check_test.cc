// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_check.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sibyl::inspect {
namespace {

Artifact Check(std::string_view text) {
  Artifact artifact{.path = "Dockerfile"};
  CheckDockerfile(ParseDockerfile(text), {}, artifact);
  return artifact;
}

using Found = std::vector<std::string>;
Found Codes(std::string_view text) {
  Found codes;
  for (const Finding& finding : Check(text).findings) {
    // These excerpts install neither Python nor other programs.
    const bool is_of_excerpt =
        finding.code == "docker/program-missing" || finding.code == "docker/pip-managed";
    if (finding.severity != Severity::kNote && !is_of_excerpt) codes.push_back(finding.code);
  }
  return codes;
}

TEST(Dockerfile, ReadsContinuationsCommentsAndHereDocuments) {
  const Dockerfile file = ParseDockerfile(
      "# syntax=docker/dockerfile:1\nARG CUDA=13.0.1\nARG OS=${SYSTEM:-ubuntu24.04}\n"
      "FROM nvidia/cuda:${CUDA}-devel-${OS} AS Build\n"
      "run apt-get update \\\n# a comment inside\n\n  && apt-get install -y git\n"
      "RUN <<EOF\nmake -j\nFROM not a stage\nEOF\n"
      "RUN --mount=type=cache,target=/c cat <<-'A' <<B\n\tone\n\tA\ntwo\nB\n"
      "FROM build\nCOPY --from=0 /a /b\n");
  ASSERT_EQ(file.stages.size(), 2U);
  EXPECT_EQ(file.stages[0].image, "nvidia/cuda:13.0.1-devel-ubuntu24.04");
  ASSERT_EQ(file.stages[0].instructions.size(), 4U);
  EXPECT_EQ(file.stages[0].instructions[1].arguments, "apt-get update && apt-get install -y git");
  EXPECT_EQ(file.stages[0].instructions[1].keyword, "RUN");
  EXPECT_EQ(file.stages[0].instructions[2].here[0], "make -j\nFROM not a stage\n");
  ASSERT_EQ(file.stages[0].instructions[3].here.size(), 2U);
  EXPECT_EQ(file.stages[0].instructions[3].here[1], "two\n");
  EXPECT_EQ(file.stages[0].instructions[3].line, 13U);
  EXPECT_EQ(file.stages[1].base_stage, 0U);
  EXPECT_EQ(file.Root(1).image, "nvidia/cuda:13.0.1-devel-ubuntu24.04");
}

TEST(Dockerfile, KnowsTheOtherEscapeCharacter) {
  const Dockerfile file = ParseDockerfile("# escape=`\nFROM x\nRUN a `\n b\\\nRUN c\n");
  ASSERT_EQ(file.stages[0].instructions.size(), 3U);
  EXPECT_EQ(file.stages[0].instructions[1].arguments, "a b\\");
}

TEST(Dockerfile, SaysWhenAVariableHasNoValue) {
  const Dockerfile file = ParseDockerfile("ARG TAG\nFROM base-${TARGETARCH}\nFROM x:$TAG\n");
  EXPECT_FALSE(file.stages[0].is_resolved);
  EXPECT_FALSE(file.stages[1].is_resolved);
}

TEST(DockerCheck, CuptiCannotBeCopiedOutOfARuntimeImage) {
  const Artifact artifact = Check(
      "FROM nvidia/cuda:13.0.1-runtime-ubuntu24.04 AS cuda\nFROM ubuntu:24.04\n"
      "COPY --from=cuda /usr/local/cuda/lib64/libcupti.so.13 /usr/lib/\n");
  ASSERT_EQ(artifact.findings.size(), 1U);
  EXPECT_EQ(artifact.findings[0].code, "docker/copy-not-in-base");
  EXPECT_EQ(artifact.findings[0].place.line, 3U);
  ASSERT_EQ(artifact.detail["corrections"].size(), 1U);
  EXPECT_EQ(artifact.detail["corrections"][0]["line"], 1);
  EXPECT_EQ(artifact.detail["corrections"][0]["lines"][0],
            "FROM nvidia/cuda:13.0.1-devel-ubuntu24.04 AS cuda");
}

TEST(DockerCheck, WhatAStageInstallsItselfIsNotDoubted) {
  EXPECT_EQ(Codes("FROM nvidia/cuda:13.0.1-base-ubuntu24.04 AS cuda\n"
                  "RUN apt-get install -y cuda-cupti-13-0\nFROM ubuntu:24.04\n"
                  "COPY --from=cuda /usr/local/cuda/lib64/libcupti.so.13 /usr/lib/\n"),
            Found{});
  EXPECT_EQ(Codes("FROM my.registry/cuda:13 AS cuda\nFROM ubuntu:24.04\n"
                  "COPY --from=cuda /usr/lib/libcudnn*.so.9 /usr/lib/\n"),
            Found{});
}

TEST(DockerCheck, LibrariesNeedTheirSiblings) {
  const std::string base =
      "FROM nvidia/cuda:13.0.1-cudnn-devel-ubuntu24.04 AS b\n"
      "FROM nvidia/cuda:13.0.1-base-ubuntu24.04\n";
  EXPECT_EQ(Codes(base + "COPY --from=b /usr/lib/x86_64-linux-gnu/libcudnn.so.9 /usr/lib/\n"),
            Found{"docker/missing-siblings"});
  EXPECT_EQ(Codes(base + "COPY --from=b /usr/lib/x86_64-linux-gnu/libcudnn*.so.9 /usr/lib/\n"),
            Found{});
  EXPECT_EQ(Codes(base + "COPY --from=b /usr/local/cuda/lib64/libcublas.so.13 /usr/lib/\n"),
            Found{"docker/missing-siblings"});
  // Issue 23: cuDNN 8 has other libraries than 9.
  Artifact artifact{.path = "Dockerfile"};
  CheckDockerfile(ParseDockerfile("FROM nvidia/cuda:11.8.0-cudnn8-devel-ubuntu22.04 AS b\n"
                                  "FROM nvidia/cuda:11.8.0-base-ubuntu22.04\n"
                                  "COPY --from=b /usr/lib/libcudnn.so.8 /usr/lib/\n"),
                  {}, artifact);
  ASSERT_EQ(artifact.findings.size(), 1U);
  EXPECT_NE(artifact.findings[0].message.find("libcudnn_ops_infer"), std::string::npos);
}

TEST(DockerCheck, DevelImagesAreNotForShipping) {
  EXPECT_EQ(Codes("FROM nvidia/cuda:12.8.1-devel-ubuntu24.04\nRUN true\n"),
            Found{"docker/devel-last"});
  EXPECT_EQ(Codes("FROM nvidia/cuda:12.8.1-devel-ubuntu24.04 AS builder\nRUN true\n"), Found{});
}

TEST(DockerCheck, MajorsOfCudaMustAgree) {
  EXPECT_EQ(Codes("FROM nvidia/cuda:12.8.1-devel-ubuntu24.04 AS b\n"
                  "FROM nvidia/cuda:13.0.1-runtime-ubuntu24.04\n"
                  "COPY --from=b /usr/local/cuda/extras/CUPTI/lib64/libcupti.so.12 /usr/lib/\n"),
            Found{"docker/cuda-mismatch"});
}

TEST(DockerCheck, CudaIsThereTwiceWhenWheelsBringIt) {
  EXPECT_EQ(Codes("FROM nvidia/cuda:12.8.1-runtime-ubuntu24.04\nRUN pip install torch==2.7.0\n"),
            Found{"docker/cuda-twice"});
  EXPECT_EQ(Codes("FROM nvidia/cuda:12.8.1-base-ubuntu24.04\nRUN pip install torch==2.7.0\n"),
            Found{});
  EXPECT_EQ(Codes("FROM nvidia/cuda:12.8.1-runtime-ubuntu24.04\n"
                  "RUN pip install torch --index-url https://download.pytorch.org/whl/cpu\n"),
            Found{"docker/cpu-wheel"});
}

TEST(DockerCheck, AnArgumentThatChangesAlwaysBelongsBelowWhatDoesNotUseIt) {
  const Artifact artifact = Check(
      "FROM ubuntu:24.04\nARG GIT_SHA\nRUN make -C /src\n"
      "RUN echo $GIT_SHA > /version\n");
  ASSERT_EQ(artifact.findings.size(), 1U);
  EXPECT_EQ(artifact.findings[0].code, "docker/arg-spoils-cache");
  EXPECT_EQ(artifact.findings[0].place.line, 2U);
  EXPECT_EQ(Codes("FROM ubuntu:24.04\nRUN apt-get install -y git\nARG GIT_SHA\n"
                  "RUN echo $GIT_SHA > /version\n"),
            Found{});
}

TEST(DockerCheck, StubsAndCompatDoNotBelongOnTheLibraryPath) {
  EXPECT_EQ(Codes("FROM ubuntu:24.04\nENV LD_LIBRARY_PATH=/usr/local/cuda/lib64/stubs\n"),
            Found{"docker/stub-on-path"});
  EXPECT_EQ(Codes("FROM ubuntu:24.04\nENV LD_LIBRARY_PATH=/usr/local/cuda/compat:$X\n"),
            Found{"docker/compat-on-path"});
  EXPECT_EQ(Codes("FROM ubuntu:24.04\n"
                  "ENV LD_LIBRARY_PATH=/usr/local/cuda/lib64/stubs:/usr/local/cuda/compat\n"),
            (Found{"docker/stub-on-path", "docker/compat-on-path"}));
}

TEST(DockerCheck, CuptiIsNotInWhatRuns) {
  const Artifact artifact = Check(
      "FROM nvidia/cuda:13.0.1-runtime-ubuntu24.04\n"
      "ENV LD_LIBRARY_PATH=/usr/local/cuda/extras/CUPTI/lib64:$LD_LIBRARY_PATH\n");
  ASSERT_EQ(artifact.findings.size(), 1U);
  EXPECT_EQ(artifact.findings[0].code, "docker/cupti-in-runtime");
  EXPECT_NE(
      artifact.detail["corrections"][0]["lines"][0].get<std::string>().find("cuda-cupti-13-0"),
      std::string::npos);
}

TEST(DockerCheck, CompilingWithoutAnArchitectureIsAWarning) {
  const std::string from = "FROM nvidia/cuda:13.0.1-devel-ubuntu24.04 AS build\n";
  EXPECT_EQ(Codes(from + "RUN pip install flash-attn --no-build-isolation\n"),
            Found{"docker/arch-unset"});
  EXPECT_EQ(Codes(from + "ENV TORCH_CUDA_ARCH_LIST=9.0+PTX\n"
                         "RUN pip install flash-attn --no-build-isolation\n"),
            Found{});
}

// The first corrected line of a code.
std::string CorrectionOf(std::string_view text, std::string_view code) {
  const Artifact artifact = Check(text);
  for (const Json& correction : artifact.detail["corrections"]) {
    if (correction["code"] == code) return correction["lines"][0];
  }
  return {};
}

TEST(DockerCheck, NvccAndCMakeTakeArchitecturesAsOptions) {
  const std::string from = "FROM nvidia/cuda:12.4.1-devel-ubuntu22.04 AS build\n";
  const std::string nvcc = "RUN cd /src && nvcc -O3 -o /k k.cu && nvcc --version\n";
  EXPECT_EQ(CorrectionOf(from + nvcc, "docker/arch-unset"),
            "RUN cd /src && nvcc -gencode arch=compute_80,code=sm_80 -gencode "
            "arch=compute_90,code=sm_90 -gencode arch=compute_90,code=compute_90 -O3 -o /k k.cu && "
            "nvcc --version");
  const std::string cmake =
      "RUN cmake -S . -B b -DCMAKE_CUDA_COMPILER=nvcc && \\\n    cmake --build b\n";
  EXPECT_EQ(CorrectionOf(from + cmake, "docker/arch-unset"),
            "RUN cmake -DCMAKE_CUDA_ARCHITECTURES=\"80;90\" -S . -B b -DCMAKE_CUDA_COMPILER=nvcc "
            "&& \\");
  EXPECT_EQ(Codes(from + "RUN nvcc -arch sm_80 -o /k k.cu\n"), Found{});
  EXPECT_EQ(Codes(from + "RUN cmake -DOpenCL_LIBRARY=/usr/local/cuda/lib64/libOpenCL.so .\n"),
            Found{});
  EXPECT_EQ(Codes(from + "RUN cmake -DUSE_GPU=cuda .\n"), Found{"docker/arch-unset"});
}

TEST(DockerCheck, WhatUsesTheCudaOfTheImageKeepsIt) {
  const std::string from = "FROM nvidia/cuda:12.4.1-cudnn-runtime-ubuntu22.04\n";
  EXPECT_EQ(Codes(from + "RUN pip install torch==2.6.0 onnxruntime-gpu==1.20.0\n"), Found{});
  EXPECT_EQ(Codes(from + "RUN pip install torch==2.6.0\nRUN pip install cupy-cuda12x\n"), Found{});
  EXPECT_EQ(Codes(from + "RUN pip install torch==2.6.0 'onnxruntime-gpu[cuda,cudnn]==1.20.0'\n"),
            Found{"docker/cuda-twice"});
  // A note: what the list has is not known.
  const std::string unsure = from + "RUN pip install torch==2.6.0 && pip install -r x.txt\n";
  EXPECT_EQ(Codes(unsure), Found{});
  EXPECT_EQ(CorrectionOf(unsure, "docker/cuda-twice"), "");
}

TEST(DockerCheck, SiblingsAreCopiedToTheSamePlace) {
  const std::string line = "COPY --chown=1 --from=b /l/libcudnn.so.9 /l/libx.so /opt/lib/\n";
  const std::string run = "FROM nvidia/cuda:12.4.1-runtime-ubuntu22.04\n";
  EXPECT_EQ(CorrectionOf("FROM nvidia/cuda:12.4.1-cudnn-devel-ubuntu22.04 AS b\n" + run + line,
                         "docker/missing-siblings"),
            "COPY --chown=1 --from=b /l/libcudnn*.so.* /l/libx.so /opt/lib/");
  EXPECT_EQ(CorrectionOf("FROM nvidia/cuda:12.4.1-cudnn-devel-ubuntu22.04 AS b\n" + run +
                             "COPY --from=b /l/libcudnn.so.9 /opt/lib/libcudnn.so.9\n",
                         "docker/missing-siblings"),
            "COPY --from=b /l/libcudnn*.so.* /opt/lib/");
  // There are none to copy.
  EXPECT_EQ(Codes("FROM nvidia/cuda:12.4.1-devel-ubuntu22.04 AS b\n" + run + line),
            Found{"docker/copy-not-in-base"});
}

TEST(DockerCheck, PrintedTextIsNotRun) {
  EXPECT_EQ(Codes("FROM nvidia/cuda:12.4.1-runtime-ubuntu22.04\n"
                  "RUN echo \"no nvcc here; sudo nvcc -arch=sm_50\" && echo pip install torch\n"
                  "RUN echo 'TORCH_CUDA_ARCH_LIST=8.0' && echo torch.utils.cpp_extension cupti\n"
                  "RUN cat <<EOF > /help\nnvcc -arch=sm_50 x.cu\npip install torch\nEOF\n"),
            Found{});
  EXPECT_EQ(Codes("FROM nvidia/cuda:12.4.1-runtime-ubuntu22.04\n"
                  "RUN [\"bash\", \"-c\", \"cd /x;nvcc x.cu\"]\n"),
            Found{"docker/nvcc-in-runtime"});
}

TEST(DockerCheck, ACacheMountThatIsNotUsedIsAWarning) {
  EXPECT_EQ(Codes("FROM python:3.12\n"
                  "RUN --mount=type=cache,target=/root/.cache/pip pip install --no-cache-dir x\n"),
            Found{"docker/cache-defeated"});
}

TEST(DockerCheck, NoCacheIsSuggestedWhereNothingIsKept) {
  const std::string from =
      "FROM nvidia/cuda:13.0.1-devel-ubuntu24.04 AS b\nENV CUDAARCHS=90\nRUN make -j\n";
  EXPECT_EQ(CorrectionOf(from + "RUN uv pip install x\n", "docker/no-cache-mount"),
            "RUN --mount=type=cache,target=/root/.cache/uv uv pip install x");
  EXPECT_EQ(CorrectionOf(from + "RUN uv pip install --no-cache x\n", "docker/no-cache-mount"), "");
  EXPECT_EQ(CorrectionOf(from + "USER me\nRUN uv pip install x\n", "docker/no-cache-mount"), "");
  EXPECT_EQ(CorrectionOf(from + "RUN conda install x && conda clean -a\n", "docker/no-cache-mount"),
            "");
}

TEST(DockerCheck, CompilingWithoutACacheIsNotedWithTheCorrectedLine) {
  const Artifact artifact = Check(
      "FROM nvidia/cuda:13.0.1-devel-ubuntu24.04\nENV CMAKE_CUDA_ARCHITECTURES=90\n"
      "RUN CCACHE_DIR=/root/.cache/ccache cmake --build /src/b\n");
  const auto noted =
      std::find_if(artifact.findings.begin(), artifact.findings.end(),
                   [](const Finding& finding) { return finding.code == "docker/no-cache-mount"; });
  ASSERT_NE(noted, artifact.findings.end());
  EXPECT_EQ(noted->place.line, 3U);
  EXPECT_NE(FormatJson(artifact.detail["corrections"]).find("--mount=type=cache"),
            std::string::npos);
}

TEST(DockerCheck, AnOrdinaryFileIsQuiet) {
  EXPECT_EQ(Codes("FROM nvidia/cuda:13.0.1-devel-ubuntu24.04 AS build\n"
                  "ENV CMAKE_CUDA_ARCHITECTURES=90\nCOPY . /src\n"
                  "RUN --mount=type=cache,target=/root/.cache/ccache cmake --build /src/b\n"
                  "FROM nvidia/cuda:13.0.1-runtime-ubuntu24.04\n"
                  "COPY --from=build /src/b/app /usr/bin/app\nCMD [\"app\"]\n"),
            Found{});
}

}  // namespace
}  // namespace sibyl::inspect
