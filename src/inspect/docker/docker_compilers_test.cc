// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_compilers.h"

#include <gtest/gtest.h>

namespace sibyl::inspect {
namespace {

std::vector<std::string> CompilerFindings(const std::string& image, const std::string& lines) {
  Artifact artifact{.path = "Dockerfile"};
  artifact.detail["corrections"] = Json::array();
  ScriptBudget budget;
  CheckCompilers(ParseDockerfile("FROM " + image + "\n" + lines), budget, artifact);
  std::vector<std::string> found;
  for (const Finding& finding : artifact.findings) {
    EXPECT_FALSE(finding.hint.empty());
    found.push_back(finding.code);
  }
  return found;
}

using Found = std::vector<std::string>;
const Found kNeeds = {"docker/wheel-needs-nvcc"};
const Found kFails = {"docker/nvcc-in-runtime"};
constexpr const char* kRuntimeImage = "nvidia/cuda:12.8.1-runtime-ubuntu24.04";

TEST(DockerCompilers, APackageThatIsCompiledNeedsTheCompiler) {
  const std::string install = "RUN pip install --no-cache-dir flash-attn==2.7.4\n";
  EXPECT_EQ(CompilerFindings(kRuntimeImage, install), kNeeds);
  EXPECT_EQ(CompilerFindings("pytorch/pytorch:2.9.0-cuda13.0-cudnn9-runtime", install), kNeeds);
  EXPECT_EQ(CompilerFindings("python:3.12", install), kNeeds);
  EXPECT_EQ(CompilerFindings("pytorch/pytorch:2.9.0-cuda13.0-cudnn9-devel", install), Found{});
  EXPECT_EQ(CompilerFindings("python:3.12",
                             "RUN pip install https://example.org/flash_attn-2.7.4-cp312.whl\n"),
            Found{});
}

TEST(DockerCompilers, AnExtensionThatIsRequestedNeedsTheCompiler) {
  EXPECT_EQ(
      CompilerFindings(kRuntimeImage,
                       "RUN git clone https://github.com/NVIDIA/apex && cd apex && pip install -v "
                       "--no-build-isolation --config-settings \"--build-option=--cuda_ext\" ./\n"),
      kNeeds);
}

// Issue 23: compiling in a runtime image without the word nvcc was not found.
TEST(DockerCompilers, SomethingCompilesWithoutTheWordNvcc) {
  EXPECT_EQ(CompilerFindings(kRuntimeImage,
                             "RUN pip install -v git+https://github.com/NVIDIA/apex.git\n"),
            kNeeds);
  EXPECT_EQ(CompilerFindings(kRuntimeImage, "RUN DS_BUILD_OPS=1 pip install deepspeed==0.17.0\n"),
            kNeeds);
  EXPECT_EQ(
      CompilerFindings(kRuntimeImage, "ENV DS_BUILD_FUSED_ADAM=1\nRUN pip install deepspeed\n"),
      kNeeds);
  EXPECT_EQ(CompilerFindings(kRuntimeImage, "RUN pip install deepspeed==0.17.0\n"), Found{});
  EXPECT_EQ(CompilerFindings(kRuntimeImage, "RUN cd /src && python3 setup.py install\n"), kNeeds);
  EXPECT_EQ(CompilerFindings(kRuntimeImage, "ENV FORCE_CUDA=1\nRUN python setup.py bdist_wheel\n"),
            kFails);
  EXPECT_EQ(
      CompilerFindings(kRuntimeImage,
                       "RUN python -c \"from torch.utils.cpp_extension import load; load()\"\n"),
      kFails);
  EXPECT_EQ(CompilerFindings(kRuntimeImage, "RUN cmake -B b -DGGML_CUDA=ON .\n"), kFails);
  EXPECT_EQ(CompilerFindings(kRuntimeImage, "RUN cmake -B b -DGGML_CUDA=OFF .\n"), Found{});
  EXPECT_EQ(CompilerFindings(kRuntimeImage,
                             "RUN CMAKE_ARGS=-DGGML_CUDA=on pip install llama-cpp-python\n"),
            kNeeds);
  EXPECT_EQ(CompilerFindings(kRuntimeImage, "RUN pip install xformers==0.0.32\n"), Found{});
  EXPECT_EQ(CompilerFindings("python:3.12", "RUN python setup.py install\n"), Found{});
}

TEST(DockerCompilers, TheCompilerIsInDevelImagesOnly) {
  EXPECT_EQ(CompilerFindings("nvidia/cuda:13.0.1-runtime-ubuntu24.04", "RUN nvcc -o /a /a.cu\n"),
            kFails);
  EXPECT_EQ(CompilerFindings("nvidia/cuda:13.0.1-devel-ubuntu24.04", "RUN nvcc -o /a /a.cu\n"),
            Found{});
  EXPECT_EQ(CompilerFindings(kRuntimeImage,
                             "RUN apt-get install -y cuda-nvcc-12-8\n"
                             "RUN nvcc -o /a /a.cu\n"),
            Found{});
}

}  // namespace
}  // namespace sibyl::inspect
