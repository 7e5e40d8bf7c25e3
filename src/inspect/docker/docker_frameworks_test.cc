// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_frameworks.h"

#include <gtest/gtest.h>

namespace sibyl::inspect {
namespace {

// "CODE" and "CODE: CORRECTION" of lines that follow a FROM.
std::vector<std::string> FrameworkFindings(const std::string& image, const std::string& lines,
                                           const InspectOptions& options = {}) {
  Artifact artifact{.path = "Dockerfile"};
  artifact.detail["corrections"] = Json::array();
  ScriptBudget budget;
  CheckFrameworks(ParseDockerfile("FROM " + image + "\n" + lines), options, budget, artifact);
  std::vector<std::string> found;
  for (const Finding& finding : artifact.findings) found.push_back(finding.code);
  for (const Json& correction : artifact.detail["corrections"]) {
    found.push_back(correction["lines"][0].get<std::string>());
  }
  return found;
}

using Found = std::vector<std::string>;
constexpr const char* kNvidias = "nvcr.io/nvidia/pytorch:25.09-py3";
constexpr const char* kRuntime = "nvidia/cuda:12.8.1-runtime-ubuntu24.04";

TEST(DockerFrameworks, APackageIsCompiledWithTheCudaOfTorch) {
  const std::string torch =
      "RUN pip install torch --index-url https://download.pytorch.org/whl/cu118\n";
  const std::string attention = "RUN pip install flash-attn --no-build-isolation\n";
  const std::string devel = "nvidia/cuda:12.4.1-devel-ubuntu22.04";
  EXPECT_EQ(FrameworkFindings(devel, torch + attention), Found{"docker/torch-toolkit"});
  EXPECT_EQ(FrameworkFindings(devel, torch), Found{});
  EXPECT_EQ(FrameworkFindings(devel, attention), Found{});
  EXPECT_EQ(FrameworkFindings("nvidia/cuda:11.8.0-devel-ubuntu22.04", torch + attention), Found{});
  EXPECT_EQ(
      FrameworkFindings(devel, "RUN apt-get install -y cuda-toolkit-11-8\n" + torch + attention),
      Found{});
}

TEST(DockerFrameworks, SourcesWithDeviceCodeAreCompiledWithTheCudaOfTorchToo) {
  const std::string devel = "nvidia/cuda:12.4.1-devel-ubuntu22.04";
  const std::string torch =
      "RUN pip install torch --index-url https://download.pytorch.org/whl/cu118\n";
  const std::string list = "ENV TORCH_CUDA_ARCH_LIST=8.0\n";
  const std::string build = "RUN cd /opt/apex && pip install --no-build-isolation ./\n";
  EXPECT_EQ(FrameworkFindings(devel, torch + list + build), Found{"docker/torch-toolkit"});
  EXPECT_EQ(FrameworkFindings(devel, torch + list + "RUN python setup.py install\n"),
            Found{"docker/torch-toolkit"});
  EXPECT_EQ(FrameworkFindings(devel, torch + build), Found{});  // perhaps no device code
  EXPECT_EQ(FrameworkFindings("nvidia/cuda:11.8.0-devel-ubuntu22.04", torch + list + build),
            Found{});
}

TEST(DockerFrameworks, CondaForgeHasABuildWithoutCuda) {
  const std::string run = "RUN conda install -y -c conda-forge pytorch=2.3 torchvision\n";
  EXPECT_EQ(FrameworkFindings(kRuntime, run),
            (Found{"docker/cpu-wheel",
                   "RUN CONDA_OVERRIDE_CUDA=12.8 conda install -y -c conda-forge pytorch=2.3 "
                   "torchvision"}));
  const std::string miniconda = "continuumio/miniconda3:24.5.0-0";
  EXPECT_EQ(FrameworkFindings(miniconda, run), Found{});
  EXPECT_EQ(FrameworkFindings(miniconda, run, {.gpus = {*field::FindGpu("A10")}}),
            Found{"docker/cpu-wheel"});
  EXPECT_EQ(FrameworkFindings(kRuntime, "ENV CONDA_OVERRIDE_CUDA=12.8\n" + run), Found{});
  EXPECT_EQ(FrameworkFindings(kRuntime, "RUN conda install -c conda-forge pytorch-gpu\n"), Found{});
  EXPECT_EQ(
      FrameworkFindings(kRuntime,
                        "RUN conda install pytorch pytorch-cuda=12.4 -c pytorch -c conda-forge\n"),
      Found{});
}

TEST(DockerFrameworks, JaxMayNeedTheLibrariesOfTheImage) {
  const std::string jax = "RUN pip install \"jax[cuda12_local]\"\n";
  EXPECT_EQ(FrameworkFindings("nvidia/cuda:12.8.1-base-ubuntu24.04", jax),
            Found{"docker/library-missing"});
  EXPECT_EQ(FrameworkFindings(kRuntime, jax), Found{"docker/library-missing"});
  EXPECT_EQ(FrameworkFindings("nvidia/cuda:12.8.1-cudnn-runtime-ubuntu24.04", jax), Found{});
  EXPECT_EQ(FrameworkFindings(kRuntime, "RUN apt-get install -y libcudnn9-cuda-12\n" + jax),
            Found{});
  EXPECT_EQ(FrameworkFindings(kRuntime, "RUN pip install \"jax[cuda12]\"\n"), Found{});
}

TEST(DockerFrameworks, CondaInstallsWithoutCudaIfItIsToldTo) {
  EXPECT_EQ(FrameworkFindings(kRuntime, "RUN conda install -y pytorch cpuonly -c pytorch\n"),
            Found{"docker/cpu-wheel"});
  EXPECT_EQ(FrameworkFindings("ubuntu:24.04", "RUN conda install -y pytorch cpuonly\n"), Found{});
}

TEST(DockerFrameworks, TheImagesOfNvidiaHaveATorchOfTheirOwn) {
  EXPECT_EQ(FrameworkFindings(kNvidias, "RUN pip install torch==2.9.0\n"),
            Found{"docker/torch-replaced"});
  EXPECT_EQ(FrameworkFindings(kNvidias, "RUN pip install vllm==0.11.0\n"),
            Found{"docker/torch-replaced"});
  EXPECT_EQ(FrameworkFindings(kNvidias, "RUN pip install --no-deps xformers\n"), Found{});
  EXPECT_EQ(FrameworkFindings(kNvidias, "RUN pip install einops\n"), Found{});
  EXPECT_EQ(FrameworkFindings("ubuntu:24.04", "RUN pip install torch==2.9.0\n"), Found{});
}

TEST(DockerFrameworks, TheImagesOfPyTorchHaveTheOneOfTheirTag) {
  const char* const image = "pytorch/pytorch:2.9.0-cuda13.0-cudnn9-runtime";
  EXPECT_EQ(FrameworkFindings(image, "RUN pip install torch==2.8.0\n"),
            Found{"docker/torch-replaced"});
  EXPECT_EQ(FrameworkFindings(image, "RUN pip install torch==2.9.0 torchvision\n"), Found{});
}

// Issue 23: a cuDNN that replaces that of an NGC image was not found.
TEST(DockerFrameworks, WhatAnImageWasBuiltWithStays) {
  const Found replaced{"docker/cuda-replaced"};
  EXPECT_EQ(FrameworkFindings(kNvidias, "RUN apt-get install -y libcudnn9-cuda-12\n"), replaced);
  EXPECT_EQ(FrameworkFindings(kNvidias, "RUN pip install nvidia-cudnn-cu12==9.1.0.70\n"), replaced);
  EXPECT_EQ(FrameworkFindings(kNvidias, "RUN apt-get install -y cuda-toolkit-12-4\n"), replaced);
  EXPECT_EQ(FrameworkFindings("nvidia/cuda:12.8.1-cudnn-runtime-ubuntu24.04",
                              "RUN apt-get install -y libcudnn8\n"),
            replaced);
  EXPECT_EQ(FrameworkFindings(kRuntime, "RUN apt-get install -y nvidia-cuda-toolkit\n"), replaced);
  EXPECT_EQ(FrameworkFindings(kRuntime, "RUN apt-get install -y libcudnn9-cuda-12\n"), Found{});
  EXPECT_EQ(FrameworkFindings(kNvidias, "RUN apt-get install -y git\n"), Found{});
  EXPECT_EQ(FrameworkFindings("nvcr.io/nvidia/l4t-base:r36.2.0",
                              "RUN apt-get install -y cuda-toolkit-12-6\n"),
            Found{});
}

// Issue 23: CPU wheels over CUDA ones.
TEST(DockerFrameworks, ABuildWithoutCudaIsNotForAnImageWithCuda) {
  EXPECT_EQ(FrameworkFindings(kRuntime,
                              "RUN pip install torch==2.9.0 --index-url "
                              "https://download.pytorch.org/whl/cpu\n"),
            (Found{"docker/cpu-wheel",
                   "RUN pip install torch==2.9.0 --index-url "
                   "https://download.pytorch.org/whl/cu128"}));
  EXPECT_EQ(FrameworkFindings(kNvidias,
                              "RUN pip install torchvision --extra-index-url "
                              "https://download.pytorch.org/whl/cpu\n"),
            Found{"docker/cpu-wheel"});
  EXPECT_EQ(FrameworkFindings(kRuntime, "RUN pip install onnxruntime==1.22.0\n"),
            Found{"docker/cpu-wheel"});
  EXPECT_EQ(FrameworkFindings("python:3.12",
                              "RUN pip install torch==2.9.0 --index-url "
                              "https://download.pytorch.org/whl/cpu\n"),
            Found{});
}

// Issue 23: a wrong CUDA_HOME.
TEST(DockerFrameworks, TheToolkitIsThatOfTheImage) {
  EXPECT_EQ(FrameworkFindings(kRuntime, "ENV CUDA_HOME=/usr/local/cuda-11.8\n"),
            (Found{"docker/cuda-home", "ENV CUDA_HOME=/usr/local/cuda"}));
  EXPECT_EQ(FrameworkFindings(kRuntime, "ENV PATH=/usr/local/cuda-12.4/bin:$PATH\n"),
            (Found{"docker/cuda-home", "ENV PATH=/usr/local/cuda/bin:$PATH"}));
  EXPECT_EQ(FrameworkFindings(kRuntime, "ENV CUDA_HOME=/usr/local/cuda-12.8\n"), Found{});
  EXPECT_EQ(FrameworkFindings(kRuntime, "ENV CUDA_HOME=/usr/local/cuda-12\n"), Found{});
  EXPECT_EQ(FrameworkFindings(kRuntime, "ENV CUDA_HOME=/usr/local/cuda\n"), Found{});
  EXPECT_EQ(FrameworkFindings(kRuntime,
                              "RUN apt-get install -y cuda-toolkit-11-8\n"
                              "ENV CUDA_HOME=/usr/local/cuda-11.8\n"),
            Found{});
  EXPECT_EQ(FrameworkFindings("ubuntu:24.04", "ENV CUDA_HOME=/usr/local/cuda-11.8\n"), Found{});
}

}  // namespace
}  // namespace sibyl::inspect
