// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/cuda/docker_gpus.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "inspect/docker/docker_check.h"

namespace sibyl::inspect {
namespace {

Artifact CheckFor(std::string_view text, const InspectOptions& options) {
  Artifact artifact{.path = "Dockerfile"};
  CheckDockerfile(ParseDockerfile(text), options, artifact);
  return artifact;
}

// These excerpts install neither Python nor other programs: rules/docker_rules_test.cc has tests of
// what says so.
bool IsOfExcerpt(const Finding& finding) {
  return finding.code == "docker/program-missing" || finding.code == "docker/pip-managed";
}

std::vector<std::string> CodesFor(std::string_view text, const InspectOptions& options = {}) {
  std::vector<std::string> codes;
  for (const Finding& finding : CheckFor(text, options).findings) {
    if (!IsOfExcerpt(finding)) codes.push_back(finding.code);
  }
  return codes;
}

using Found = std::vector<std::string>;
const char kDevel[] = "FROM nvidia/cuda:12.8.1-devel-ubuntu24.04 AS build\n";

TEST(DockerGpus, AListWithoutPtxIsSaidWithItsCorrection) {
  const Artifact artifact =
      CheckFor(std::string(kDevel) + "ENV TORCH_CUDA_ARCH_LIST=\"8.0;8.6\"\n", {});
  ASSERT_EQ(artifact.findings.size(), 1U);
  EXPECT_EQ(artifact.findings[0].code, "docker/arch-no-ptx");
  EXPECT_EQ(artifact.detail["corrections"][0]["lines"][0],
            "ENV TORCH_CUDA_ARCH_LIST=\"8.0;8.6+PTX\"");
  EXPECT_EQ(CodesFor(std::string(kDevel) + "ENV TORCH_CUDA_ARCH_LIST=\"8.0 9.0+PTX\"\n"), Found{});
  EXPECT_EQ(CodesFor(std::string(kDevel) + "RUN cmake -DCMAKE_CUDA_ARCHITECTURES=\"80;90\" .\n"),
            Found{});
}

TEST(DockerGpus, AListOfTheNamedGpusNeedsNoPtx) {
  const std::string text = std::string(kDevel) + "ENV TORCH_CUDA_ARCH_LIST=\"8.0;8.6\"\n";
  const InspectOptions both{.gpus = {*field::FindGpu("A100"), *field::FindGpu("RTX 3090")}};
  EXPECT_EQ(CodesFor(text, both), Found{});
  // sm_89 runs the code of sm_86; its own is not in the list.
  EXPECT_EQ(CodesFor(text, {.gpus = {*field::FindGpu("L4")}}), Found{"docker/arch-no-ptx"});
}

TEST(DockerGpus, AGpuThatTheListLeavesOutIsAnError) {
  const InspectOptions b200{.gpus = {*field::FindGpu("B200")}};
  EXPECT_EQ(CodesFor(std::string(kDevel) + "ENV TORCH_CUDA_ARCH_LIST=\"9.0\"\n", b200),
            (Found{"docker/arch-not-gpu", "docker/arch-no-ptx"}));
  EXPECT_EQ(CodesFor(std::string(kDevel) + "ENV TORCH_CUDA_ARCH_LIST=\"9.0+PTX\"\n", b200),
            Found{});
}

TEST(DockerGpus, AToolkitThatDoesNotCompileForItIsAnError) {
  EXPECT_EQ(CodesFor("FROM nvidia/cuda:12.4.1-devel-ubuntu22.04 AS build\n"
                     "ENV TORCH_CUDA_ARCH_LIST=\"9.0;10.0+PTX\"\n"),
            Found{"docker/arch-unsupported"});
  EXPECT_EQ(CodesFor("FROM nvidia/cuda:13.0.1-devel-ubuntu24.04 AS build\n"
                     "ENV TORCH_CUDA_ARCH_LIST=\"7.0;9.0+PTX\"\n"),
            Found{"docker/arch-unsupported"});
}

TEST(DockerGpus, TheImageMustHaveCodeForTheGpu) {
  const auto with = [](const char* gpu) { return InspectOptions{.gpus = {*field::FindGpu(gpu)}}; };
  EXPECT_EQ(CodesFor("FROM nvcr.io/nvidia/pytorch:25.09-py3\n", with("V100")),
            Found{"docker/cuda-not-gpu"});
  EXPECT_EQ(CodesFor("FROM pytorch/pytorch:2.5.1-cuda12.4-cudnn9-runtime\n", with("RTX 5090")),
            Found{"docker/cuda-not-gpu"});
  EXPECT_EQ(CodesFor("FROM nvidia/cuda:12.8.1-runtime-ubuntu24.04\n", with("RTX 5090")), Found{});
  EXPECT_EQ(CodesFor("FROM python:3.11-slim\nRUN pip install --no-cache-dir torch==2.5.1 "
                     "--index-url https://download.pytorch.org/whl/cu121\n",
                     with("RTX 5090")),
            Found{"docker/cuda-not-gpu"});
  EXPECT_EQ(CodesFor("FROM vllm/vllm-openai:v0.11.0\n", with("H100")),
            Found{"docker/gpu-not-compared"});
}

TEST(DockerGpus, TheImageMustRunWithTheDriver) {
  const InspectOptions old{.gpus = {*field::FindGpu("L4")},
                           .driver = field::ParseDriverVersion("535.104")};
  EXPECT_EQ(CodesFor("FROM nvidia/cuda:13.0.1-runtime-ubuntu24.04\n", old),
            Found{"docker/driver-too-old"});
  EXPECT_EQ(CodesFor("FROM nvidia/cuda:12.8.1-runtime-ubuntu24.04\n", old), Found{});
}

TEST(DockerGpus, TheDriverIsComparedWithWhatImagesAndWheelsHave) {
  const InspectOptions old{.gpus = {*field::FindGpu("L4")},
                           .driver = field::ParseDriverVersion("535.104")};
  EXPECT_EQ(CodesFor("FROM pytorch/pytorch:2.9.0-cuda13.0-cudnn9-runtime\n", old),
            Found{"docker/driver-too-old"});
  EXPECT_EQ(CodesFor("FROM pytorch/pytorch:2.7.0-cuda12.8-cudnn9-runtime\n", old), Found{});
  EXPECT_EQ(CodesFor("FROM nvcr.io/nvidia/pytorch:25.12-py3\n", old),
            Found{"docker/driver-too-old"});
  EXPECT_EQ(CodesFor("FROM vllm/vllm-openai:v0.11.0\n", old), Found{"docker/driver-not-compared"});
  EXPECT_EQ(CodesFor("FROM python:3.12\n", old), Found{});
  EXPECT_EQ(CodesFor("FROM python:3.12\nRUN pip install --no-cache-dir torch==2.9.0 --index-url "
                     "https://download.pytorch.org/whl/cu130\n",
                     old),
            Found{"docker/driver-too-old"});
  EXPECT_EQ(CodesFor("FROM python:3.12\nRUN pip install --no-cache-dir torch==2.9.0 --index-url "
                     "https://download.pytorch.org/whl/cu126\n",
                     old),
            Found{});
  EXPECT_EQ(CodesFor("FROM python:3.12\nRUN pip install --no-cache-dir torch==2.9.0\n", old),
            Found{"docker/driver-not-compared"});
  EXPECT_EQ(CodesFor("FROM vllm/vllm-openai:v0.11.0\n"), Found{});
  EXPECT_EQ(CodesFor("FROM opennmt/ctranslate2:3.6.0-ubuntu22.04-cuda11.2\n", old), Found{});
  EXPECT_EQ(CodesFor("FROM x/y:1-cuda13.0\n", old), Found{"docker/driver-too-old"});
  EXPECT_EQ(CodesFor("FROM node:22-slim\n", old), Found{});
  EXPECT_EQ(CodesFor("ARG BASE\nFROM $BASE\n", old), Found{"docker/driver-not-compared"});
}

// Issue 22: "no conflict found" for a container that the NVIDIA runtime refuses to start.
TEST(DockerGpus, TheDriverMustMeetWhatTheImageRequires) {
  const auto codes = [](const char* driver, const std::string& text) {
    return CodesFor(
        text, {.gpus = {*field::FindGpu("H200")}, .driver = field::ParseDriverVersion(driver)});
  };
  const std::string cuda126 = "FROM nvidia/cuda:12.6.3-runtime-ubuntu24.04\n";
  EXPECT_EQ(codes("530.30.02", cuda126), Found{"docker/driver-refused"});
  EXPECT_EQ(codes("545.23.06", "FROM docker.io/" + cuda126.substr(5)),
            Found{"docker/driver-refused"});
  EXPECT_EQ(codes("535.104", cuda126), Found{});
  EXPECT_EQ(codes("550.54.14", cuda126), Found{});
  EXPECT_EQ(codes("560.28.03", cuda126), Found{});
  EXPECT_EQ(codes("525.60.13", "FROM nvidia/cuda:12.4.1-runtime-ubuntu22.04\n"), Found{});
  EXPECT_EQ(codes("525.60.13", cuda126), Found{"docker/driver-refused"});
  EXPECT_EQ(codes("530.30.02", cuda126 + "ENV NVIDIA_REQUIRE_CUDA=\"cuda>=12.0\"\n"), Found{});
  EXPECT_EQ(codes("530.30.02", cuda126 + "ENV NVIDIA_DISABLE_REQUIRE=1\n"),
            Found{"docker/require-disabled"});
  EXPECT_EQ(codes("530.30.02", "FROM pytorch/pytorch:2.7.0-cuda12.6-cudnn9-runtime\n"), Found{});
  const Artifact artifact = CheckFor(cuda126, {.driver = field::ParseDriverVersion("530.30.02")});
  const auto refused =
      std::ranges::find(artifact.findings, "docker/driver-refused", &Finding::code);
  ASSERT_NE(refused, artifact.findings.end());
  EXPECT_TRUE(refused->message.ends_with(
      "branch 470, 535 or 550, so the NVIDIA runtime refuses to start it"))
      << refused->message;
}

TEST(DockerGpus, TheDriverMustKnowTheGpu) {
  const InspectOptions impossible{.gpus = {*field::FindGpu("B200")},
                                  .driver = field::ParseDriverVersion("535.104")};
  EXPECT_EQ(CodesFor("FROM nvidia/cuda:12.8.1-runtime-ubuntu24.04\n", impossible),
            Found{"docker/driver-not-gpu"});
  EXPECT_EQ(CodesFor("FROM nvcr.io/nvidia/pytorch:25.09-py3\n", impossible),
            Found{"docker/driver-not-gpu"});
  EXPECT_EQ(CodesFor("FROM ubuntu:24.04\n", impossible), Found{});
}

TEST(DockerGpus, ACorrectedListIsQuotedForTheShell) {
  const InspectOptions l4{.gpus = {*field::FindGpu("L4")}};
  const std::string run = "RUN TORCH_CUDA_ARCH_LIST=9.0a pip install --no-cache-dir ./x\n";
  const Artifact artifact = CheckFor(kDevel + run, l4);
  ASSERT_FALSE(artifact.detail["corrections"].empty());
  EXPECT_EQ(artifact.detail["corrections"][0]["lines"][0],
            "RUN TORCH_CUDA_ARCH_LIST=\"9.0a;8.9\" pip install --no-cache-dir ./x");
  EXPECT_EQ(CodesFor(std::string(kDevel) +
                     "RUN TORCH_CUDA_ARCH_LIST=8.0;9.0+PTX pip install --no-cache-dir ./x\n"),
            Found{"docker/arch-unquoted"});
  EXPECT_EQ(CodesFor(std::string(kDevel) +
                     "RUN TORCH_CUDA_ARCH_LIST='8.0;9.0+PTX' pip install --no-cache-dir ./x\n"),
            Found{});
  EXPECT_EQ(CodesFor(std::string(kDevel) + "ENV TORCH_CUDA_ARCH_LIST=8.0;9.0+PTX\n"), Found{});
}

TEST(DockerGpus, ACorrectionIsOneThatTheToolkitCompiles) {
  const Artifact artifact = CheckFor(
      "FROM nvidia/cuda:12.4.1-devel-ubuntu22.04 AS build\nENV TORCH_CUDA_ARCH_LIST=\"8.0 9.0\"\n",
      {.gpus = {*field::FindGpu("B200")}});
  ASSERT_EQ(artifact.findings.size(), 3U);
  EXPECT_EQ(artifact.findings[0].code, "docker/cuda-not-gpu");
  EXPECT_EQ(artifact.findings[1].hint,
            "CUDA 12.4 does not compile for sm_100: use an image of CUDA 12.8 or newer");
  for (const Json& correction : artifact.detail["corrections"]) {
    EXPECT_EQ(correction["lines"][0], "ENV TORCH_CUDA_ARCH_LIST=\"8.0 9.0+PTX\"");
  }
  // PTX of compute_90a runs on no other GPU, and the list is meant for one.
  EXPECT_TRUE(CheckFor(std::string(kDevel) + "ENV TORCH_CUDA_ARCH_LIST=\"9.0a\"\n", {})
                  .detail["corrections"]
                  .empty());
}

TEST(DockerGpus, TheListForABuildWithoutOneCompiles) {
  for (const char* cuda : {"11.0.3-devel-ubuntu20.04", "11.4.3-devel-ubuntu20.04",
                           "12.4.1-devel-ubuntu22.04", "13.0.1-devel-ubuntu24.04"}) {
    const std::string from = "FROM nvidia/cuda:" + std::string(cuda) + " AS build\n";
    const Artifact artifact = CheckFor(from + "RUN python setup.py install\n", {});
    std::string line;
    for (const Json& correction : artifact.detail["corrections"]) {
      if (correction["code"] == "docker/arch-unset") line = correction["lines"][0];
    }
    ASSERT_FALSE(line.empty()) << cuda;
    EXPECT_EQ(CodesFor(from + line + "\n"), Found{}) << cuda;
  }
}

TEST(DockerGpus, ReadsTheArchitecturesOfCMakeAndNvcc) {
  const std::string cuda13 = "FROM nvidia/cuda:13.0.1-devel-ubuntu24.04 AS build\n";
  EXPECT_EQ(CodesFor(cuda13 + "RUN nvcc -arch=sm_70 -o /a /a.cu\n"),
            Found{"docker/arch-unsupported"});
  EXPECT_EQ(CodesFor(cuda13 + "RUN cmake -B b -DCMAKE_CUDA_ARCHITECTURES=\"70;80\" .\n"),
            Found{"docker/arch-unsupported"});
  EXPECT_EQ(CodesFor(cuda13 + "ENV CUDAARCHS=70\n"), Found{"docker/arch-unsupported"});
  const InspectOptions b200{.gpus = {*field::FindGpu("B200")}};
  EXPECT_EQ(CodesFor(cuda13 + "RUN nvcc -gencode arch=compute_80,code=sm_80 -o /a /a.cu\n", b200),
            Found{"docker/arch-not-gpu"});
  EXPECT_EQ(CodesFor(cuda13 + "RUN nvcc -gencode arch=compute_80,code=sm_80 "
                              "-gencode arch=compute_100,code=[sm_100,compute_100] -o /a /a.cu\n",
                     b200),
            Found{});
  EXPECT_EQ(CodesFor(cuda13 + "RUN nvcc -arch=sm_80 -o /a /a.cu\n", b200), Found{});  // with PTX
  EXPECT_EQ(CodesFor(cuda13 + "RUN nvcc -arch=native -o /a /a.cu\n", b200),
            Found{"docker/gpu-at-build"});
  EXPECT_EQ(CodesFor(cuda13 + "RUN cmake -B b -DCMAKE_CUDA_ARCHITECTURES=80-real .\n", b200),
            (Found{"docker/arch-not-gpu", "docker/arch-no-ptx"}));
  EXPECT_EQ(CodesFor(cuda13 + "RUN cmake -B b -DCMAKE_CUDA_ARCHITECTURES=native .\n", b200),
            Found{"docker/gpu-at-build"});
}

// A diff that takes out the GPU that was asked for is no fix.
TEST(DockerGpus, AFixKeepsTheArchitectureOfTheGpu) {
  const auto inspected = [](const char* gpu) {
    Artifact artifact{.path = "Dockerfile"};
    CheckDockerfile(ParseDockerfile("FROM nvidia/cuda:13.0.1-devel-ubuntu24.04\n"
                                    "ENV TORCH_CUDA_ARCH_LIST=\"7.0;8.0+PTX\"\n"),
                    {.gpus = {*field::FindGpu(gpu)}}, artifact);
    return artifact;
  };
  const Artifact old = inspected("V100");
  const auto unsupported =
      std::find_if(old.findings.begin(), old.findings.end(),
                   [](const Finding& each) { return each.code == "docker/arch-unsupported"; });
  ASSERT_NE(unsupported, old.findings.end());
  EXPECT_EQ(unsupported->hint, "use an image of CUDA 12.9 or older");
  EXPECT_EQ(old.detail["corrections"].dump().find("8.0+PTX"), std::string::npos);
  EXPECT_NE(inspected("A100").detail["corrections"].dump().find("8.0+PTX"), std::string::npos);
}

TEST(DockerGpus, WhatTheToolkitDoesNotCompileIsLeftOutOfTheList) {
  const std::string cuda13 = "FROM nvidia/cuda:13.0.1-devel-ubuntu24.04 AS build\n";
  const auto fix = [&](const std::string& line) {
    const Artifact artifact = CheckFor(cuda13 + line, {});
    const Json& corrections = artifact.detail["corrections"];
    return corrections.empty() ? std::string()
                               : std::to_string(corrections[0]["line"].get<int>()) + ": " +
                                     corrections[0]["lines"][0].get<std::string>();
  };
  EXPECT_EQ(fix("RUN cmake -B b -DCMAKE_CUDA_ARCHITECTURES=\"70;80\" .\n"),
            "2: RUN cmake -B b -DCMAKE_CUDA_ARCHITECTURES=\"80\" .");
  EXPECT_EQ(fix("ENV TORCH_CUDA_ARCH_LIST=\"7.0 8.0 9.0+PTX\"\n"),
            "2: ENV TORCH_CUDA_ARCH_LIST=\"8.0 9.0+PTX\"");
  EXPECT_EQ(fix("RUN cmake -B b \\\n    -DCMAKE_CUDA_ARCHITECTURES=\"70;80\" .\n"),
            "3:     -DCMAKE_CUDA_ARCHITECTURES=\"80\" .");
  // Nothing would be left, and nvcc is told in too many ways.
  EXPECT_EQ(fix("ENV CUDAARCHS=70\n"), "");
  EXPECT_EQ(fix("RUN nvcc -arch=sm_70 -o /a /a.cu\n"), "");
  EXPECT_EQ(CheckFor(cuda13 + "RUN nvcc -arch=sm_70 -o /a /a.cu\n", {}).findings[0].hint,
            "leave it out, or use an image of CUDA 12.9 or older");
}

TEST(DockerGpus, TheDriverIsComparedWithNvidiasImages) {
  const auto found = [](const std::string& image, const char* driver) {
    return CodesFor("FROM nvcr.io/nvidia/" + image + "\n",
                    {.driver = field::ParseDriverVersion(driver)});
  };
  EXPECT_EQ(found("pytorch:25.09-py3", "535"), Found{"docker/driver-too-old"});
  EXPECT_EQ(found("pytorch:25.09-py3", "580.82"), Found{});
  EXPECT_EQ(found("pytorch:25.06-py3", "535"), Found{});
  EXPECT_EQ(found("tritonserver:25.10-vllm-python-py3", "535"), Found{"docker/driver-too-old"});
  EXPECT_EQ(found("tritonserver:25.10-trtllm-python-py3", "535"), Found{});
  EXPECT_EQ(found("pytorch:21.05-py3", "535"), Found{"docker/driver-not-compared"});
}

// Issue 23: with --gpu, silence did not say whether anything was compared.
TEST(DockerGpus, SaysWhatItComparedWithWhat) {
  const auto said = [](std::string_view text, const char* gpu) {
    const Artifact artifact = CheckFor(
        text, {.gpus = {*field::FindGpu(gpu)}, .driver = field::ParseDriverVersion("575.57")});
    if (!artifact.detail.contains("compared")) return artifact.findings.at(0).message;
    return artifact.detail["compared"][0].get<std::string>();
  };
  EXPECT_EQ(said("FROM nvidia/cuda:12.8.1-runtime-ubuntu24.04\n", "L4"),
            "L4 (sm_89): nvidia/cuda:12.8.1-runtime-ubuntu24.04 has CUDA 12.8, which supports it, "
            "and driver 575.57 is enough");
  EXPECT_EQ(said("FROM ubuntu:24.04\n", "L4"),
            "L4 (sm_89): nothing in it brings CUDA, so there is nothing to run");
  const std::string copies = "-runtime-ubuntu24.04 AS a\nFROM ubuntu:24.04\nCOPY --from=a /x /x\n";
  EXPECT_EQ(said("FROM nvidia/cuda:12.8.1" + copies, "L4"),
            "L4 (sm_89): nvidia/cuda:12.8.1-runtime-ubuntu24.04 has CUDA 12.8, which supports it, "
            "and driver 575.57 is enough");
  EXPECT_EQ(said("FROM nvidia/cuda:13.0.1" + copies, "L4"),
            "CUDA 13.x needs driver 580.65.06 or newer, not 575.57");
  EXPECT_EQ(said("FROM --platform=linux/amd64 nvidia/cuda:12.8.1-runtime-ubuntu24.04\n", "GB200"),
            "does not run on GB200: the image is for linux/amd64, and it is only in aarch64 "
            "machines");
}

std::string SaidOf(std::string_view text, std::vector<const char*> gpus, const char* driver) {
  InspectOptions options{.driver = field::ParseDriverVersion(driver)};
  for (const char* gpu : gpus) options.gpus.push_back(*field::FindGpu(gpu));
  const Artifact artifact = CheckFor(text, options);
  std::string said;
  for (const Finding& finding : artifact.findings) {
    said += finding.code + ": " + finding.message + " (" + finding.hint + ")\n";
  }
  if (!artifact.detail.contains("compared")) return said;
  for (const Json& line : artifact.detail["compared"]) said += line.get<std::string>() + "\n";
  return said;
}

// Issue 23: a driver was declared new enough for a CUDA that nothing is known about.
TEST(DockerGpus, ADriverIsNotComparedWithAnUnknownCuda) {
  for (const char* text : {"FROM nvidia/cuda:14.0.0-base-ubuntu24.04\nUSER 1\n",
                           "FROM pytorch/pytorch:3.1.0-cuda15.2-cudnn9-runtime\nUSER 1\n",
                           "FROM python:3.12-slim\nRUN pip install --no-cache-dir torch==2.12.0 "
                           "--index-url https://download.pytorch.org/whl/cu140\nUSER 1\n"}) {
    const std::string said = SaidOf(text, {"H100"}, "470");
    EXPECT_NE(said.find("docker/driver-not-compared: CUDA 1"), std::string::npos) << said;
    EXPECT_NE(said.find("is not in the table"), std::string::npos) << said;
    EXPECT_EQ(said.find("is enough"), std::string::npos) << said;
    const InspectOptions h100{.gpus = {*field::FindGpu("H100")}};
    EXPECT_EQ(CodesFor(text, h100).back(), "docker/gpu-not-compared");
  }
}

// Issue 23: minor version compatibility does not cover PTX.
TEST(DockerGpus, PtxNeedsTheDriverOfItsRelease) {
  const std::string from = "FROM nvidia/cuda:12.4.1-devel-ubuntu22.04 AS build\n";
  const std::string ptx = from + "RUN nvcc -gencode arch=compute_80,code=compute_80 /x.cu -o /x\n";
  EXPECT_NE(
      SaidOf(ptx, {"H100"}, "535")
          .find("docker/driver-too-old: nvcc has only PTX for H100, and PTX of CUDA 12.4 needs "
                "driver 550.54.14 or newer, not 535"),
      std::string::npos)
      << SaidOf(ptx, {"H100"}, "535");
  EXPECT_EQ(SaidOf(ptx, {"H100"}, "535").find("is enough"), std::string::npos);
  EXPECT_NE(SaidOf(ptx, {"H100"}, "550.54.14").find("is enough"), std::string::npos);
  const std::string both = from + "RUN nvcc -arch=sm_90 /x.cu -o /x\n";
  EXPECT_NE(SaidOf(both, {"H100"}, "535").find("is enough"), std::string::npos);
}

// Issue 23: which package helps, and on which GPUs: there is none for GeForce.
TEST(DockerGpus, TheCompatPackageIsSuggestedWhereItHelps) {
  const std::string from = "FROM nvidia/cuda:13.0.1-base-ubuntu24.04\nUSER 1\n";
  EXPECT_NE(SaidOf(from, {"H100"}, "535")
                .find("(update the driver to 580.65.06 or newer, or use an image of CUDA 12.x; on "
                      "H100, cuda-compat-13-0, which the image has, may be enough)"),
            std::string::npos)
      << SaidOf(from, {"H100"}, "535");
  EXPECT_NE(SaidOf(from, {"sm_90"}, "535").find("; on data center GPUs, cuda-compat-13-0, which"),
            std::string::npos);
  for (const char* gpu : {"RTX 4090", "RTX A6000", "T1000"}) {
    EXPECT_NE(SaidOf(from, {gpu}, "535").find("or use an image of CUDA 12.x)"), std::string::npos)
        << gpu;
  }
  const std::string plain =
      "FROM python:3.12\nRUN pip install --no-cache-dir torch==2.9.0 "
      "--index-url https://download.pytorch.org/whl/cu130\n";
  EXPECT_NE(
      SaidOf(plain, {"H100"}, "535").find("on H100, installing cuda-compat-13-0 may be enough"),
      std::string::npos);
  EXPECT_EQ(SaidOf(plain, {"RTX 4090"}, "535").find("compat"), std::string::npos);
  EXPECT_NE(SaidOf(plain + "RUN apt-get install -y cuda-compat-13-0\n", {"H100"}, "535")
                .find("; on H100, cuda-compat-13-0, which line 3 installs, may be enough"),
            std::string::npos);
}

// Issue 23: "nothing in it brings CUDA" was said although nobody knew.
TEST(DockerGpus, WhatMayBringCudaIsNotKnown) {
  const auto is_known = [](const std::string& text) {
    const std::string said = SaidOf(text, {"L4"}, "575.57");
    EXPECT_NE(said.find("L4 (sm_89): n"), std::string::npos) << said;
    return said.find("nothing in it brings CUDA") != std::string::npos;
  };
  const std::string from = "FROM python:3.12-slim\n";
  EXPECT_TRUE(is_known(from + "RUN pip install --no-cache-dir numpy==2.1.0\n"));
  EXPECT_TRUE(is_known("ARG V\nFROM python:${V}\n"));
  EXPECT_FALSE(is_known(from + "RUN pip install --no-cache-dir -r requirements.txt\n"));
  EXPECT_FALSE(is_known(from + "RUN uv sync --frozen\n"));
  EXPECT_FALSE(is_known(from + "COPY wheels /wheels\n"));
  EXPECT_FALSE(is_known(from + "COPY environment.yml /\n"));
  EXPECT_FALSE(is_known("FROM python:3.12 AS a\nRUN pip install -r r.txt\n" + from +
                        "COPY --from=a /venv /venv\n"));
  EXPECT_FALSE(is_known(from + "COPY --from=ghcr.io/x/y:1 /venv /venv\n"));
  EXPECT_NE(SaidOf("ARG V\nFROM nvidia/cuda:${V}-base-ubuntu24.04\n", {"L4"}, "535")
                .find("docker/driver-not-compared"),
            std::string::npos);
}

// Issue 23: CUDA from packages was not seen.
TEST(DockerGpus, PackagesBringCudaToo) {
  const auto brings = [](const std::string& run, const char* base = "ubuntu:22.04") {
    const std::string said =
        SaidOf(std::string("FROM ") + base + "\nRUN " + run + "\n", {"H100"}, "580.95");
    const std::string_view begin = "H100 (sm_90): ";
    const std::size_t at = said.find(begin);
    if (at == std::string::npos) return said;
    return said.substr(at + begin.size(), said.find(',', at) - at - begin.size());
  };
  EXPECT_EQ(brings("apt-get install -y cuda-toolkit-12-4"), "cuda-toolkit-12-4 has CUDA 12.4");
  EXPECT_EQ(brings("apt-get install -y cuda-runtime-12-4"), "cuda-runtime-12-4 has CUDA 12.4");
  EXPECT_EQ(brings("apt-get install -y cuda-libraries-12-4"), "cuda-libraries-12-4 has CUDA 12.4");
  EXPECT_EQ(brings("apt-get install -y cuda-12-4"), "cuda-12-4 has CUDA 12.4");
  EXPECT_EQ(brings("apt-get install -y cuda-cudart-12-4"), "cuda-cudart-12-4 has CUDA 12.4");
  EXPECT_EQ(brings("apt-get install -y cuda-toolkit=12.6.3-1"), "cuda-toolkit has CUDA 12.6");
  EXPECT_EQ(brings("dnf install -y cuda-toolkit-12-8", "rockylinux:9"),
            "cuda-toolkit-12-8 has CUDA 12.8");
  EXPECT_EQ(brings("apt-get install -y nvidia-cuda-toolkit", "debian:bookworm-slim"),
            "nvidia-cuda-toolkit has CUDA 11.8");
  EXPECT_EQ(brings("conda install -y cuda-toolkit=12.4"), "cuda-toolkit has CUDA 12.4");
  EXPECT_EQ(brings("conda install -y pytorch==2.5.1 pytorch-cuda=12.4 -c pytorch -c nvidia"),
            "pytorch-cuda has CUDA 12.4");
  EXPECT_EQ(brings("mamba install -y -c nvidia/label/cuda-12.4.1 cuda-toolkit"),
            "cuda-toolkit has CUDA 12.4");
  EXPECT_EQ(brings("pip install nvidia-cuda-runtime-cu12==12.4.127", "python:3.12"),
            "nvidia-cuda-runtime-cu12 has CUDA 12.4");
  EXPECT_EQ(brings("sh ./cuda_12.4.1_550.54.15_linux.run --silent --toolkit"),
            "cuda_12.4.1_550.54.15_linux.run has CUDA 12.4");
  EXPECT_EQ(brings("apt-get install -y cuda-keyring cuda-compat-12-4"),
            "nothing in it brings CUDA");
  EXPECT_NE(brings("apt-get install -y cuda").find("unknown which CUDA cuda has"),
            std::string::npos);
}

TEST(DockerGpus, TheVerdictIsThatOfTheCudaThatAPackageBrings) {
  const std::string toolkit =
      "FROM ubuntu:22.04 AS build\nRUN apt-get install -y --no-install-recommends cuda-toolkit-";
  EXPECT_NE(
      SaidOf(toolkit + "12-4\n", {"RTX 5090"}, "580.95")
          .find("docker/cuda-not-gpu: the libraries of CUDA 12.4 have no machine code for RTX "
                "5090: CUDA 12.8 is the first with sm_120 (install CUDA 12.8 or newer)"),
      std::string::npos);
  const std::string copy = "FROM ubuntu:22.04\nCOPY --from=build /app /app\n";
  EXPECT_NE(SaidOf(toolkit + "13-0\n" + copy, {"V100"}, "580.95")
                .find("does not run on V100: CUDA 13.0 has nothing for sm_70"),
            std::string::npos);
}

// Issue 23: a torch without code for the GPU was a warning.
TEST(DockerGpus, ATorchWithoutCodeForTheGpuDoesNotRun) {
  const auto on = [](const std::string& wheel, const char* gpu) {
    const Artifact artifact =
        CheckFor("FROM python:3.11-slim\nRUN pip install --no-cache-dir " + wheel + "\nUSER 1\n",
                 {.gpus = {*field::FindGpu(gpu)}});
    for (const Finding& finding : artifact.findings) {
      if (finding.code != "docker/cuda-not-gpu") continue;
      return std::string(finding.severity == Severity::kError ? "error: " : "warning: ") +
             finding.message + " (" + finding.hint + ")";
    }
    return std::string();
  };
  const std::string index = " --index-url https://download.pytorch.org/whl/";
  EXPECT_EQ(
      on("torch==2.5.1" + index + "cu124", "RTX 5090"),
      "error: does not run on RTX 5090: torch 2.5.1 of cu124 has machine code for sm_50, "
      "sm_60, sm_70, sm_75, sm_80, sm_86, sm_90, and no PTX: its first kernel fails with 'no "
      "kernel image is available' (install torch 2.7.0 from .../whl/cu128, which has code for it)");
  EXPECT_TRUE(on("torch==2.5.1+cu121", "RTX 5090").starts_with("error: "));
  EXPECT_TRUE(on("torch" + index + "cu124", "RTX 5090").starts_with("error: "));
  EXPECT_TRUE(on("torch==2.7.1" + index + "cu128", "V100")
                  .ends_with("sm_100, sm_120, and PTX for compute_120: its first kernel fails with "
                             "'no kernel image is available' (install torch 2.7.1 from "
                             ".../whl/cu126, which has code for it)"))
      << on("torch==2.7.1" + index + "cu128", "V100");
  EXPECT_EQ(on("torch==2.8.0" + index + "cu128", "V100"), "");
  EXPECT_EQ(on("torch==2.8.0" + index + "cu128", "RTX 5090"), "");
  EXPECT_EQ(on("torch==2.5.1" + index + "cu124", "RTX 4090"), "");
  // Not known which release, or what it has.
  EXPECT_TRUE(on("torch --extra-index-url https://download.pytorch.org/whl/cu124", "RTX 5090")
                  .starts_with("warning: "));
  EXPECT_TRUE(on("torch" + index + "nightly/cu126", "RTX 5090").starts_with("warning: "));
  EXPECT_TRUE(on("torch==1.12.1" + index + "cu116", "RTX 5090").starts_with("warning: "));
  const Artifact image = CheckFor("FROM pytorch/pytorch:2.5.1-cuda12.4-cudnn9-runtime\n",
                                  {.gpus = {*field::FindGpu("RTX 5090")}});
  EXPECT_EQ(image.findings.at(0).severity, Severity::kError);
  EXPECT_EQ(image.findings.at(0).hint, "use an image with torch 2.7.0 for CUDA 12.8");
}

// Issue 23: two findings about one GPU had remedies that excluded each other.
TEST(DockerGpus, WhatHelpsIsSaidInOneSentence) {
  EXPECT_EQ(
      SaidOf("FROM nvidia/cuda:13.0.1-base-ubuntu24.04\nUSER 1\n", {"V100"}, "590.44"),
      "docker/driver-not-gpu: does not run on V100: driver branch 580 was the last to support "
      "sm_70, and CUDA 13.0 has nothing for sm_70; CUDA 12.9 was the last (use a driver of "
      "branch 580, and use an image of CUDA 12.9 or older)\n");
  EXPECT_EQ(SaidOf("FROM nvidia/cuda:13.0.1-base-ubuntu24.04\nUSER 1\n", {"B200"}, "535"),
            "docker/driver-not-gpu: does not run on B200: driver 535 (CUDA 12.2) does not support "
            "sm_100, which was added in CUDA 12.8, and CUDA 13.x needs driver 580.65.06 or newer "
            "(update the driver to 580.65.06 or newer)\n");
}

TEST(DockerGpus, AnOlderReleaseOfTheImageIsNamed) {
  const std::string said =
      SaidOf("FROM nvcr.io/nvidia/pytorch:25.09-py3\nUSER 1\n", {"V100"}, "580.95");
  EXPECT_NE(
      said.find("(use 25.06-py3 or older: it has CUDA 12.9, as "
                "github.com/triton-inference-server/server docs/introduction/compatibility.md "
                "(read 2026-11-18) says; its release notes say whether it supports sm_70)"),
      std::string::npos)
      << said;
}

// Issue 23: only the GPU that fails was mentioned.
TEST(DockerGpus, EveryGpuHasItsVerdict) {
  const std::string said =
      SaidOf("FROM nvidia/cuda:13.0.1-base-ubuntu24.04\n", {"H100", "V100"}, "580.95");
  EXPECT_NE(said.find("H100 (sm_90): nvidia/cuda:13.0.1-base-ubuntu24.04 has CUDA 13.0"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("V100 (sm_70): does not run, see docker/cuda-not-gpu"), std::string::npos);
}

}  // namespace
}  // namespace sibyl::inspect
