// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/rules/docker_mistakes.h"

#include <gtest/gtest.h>

#include <set>

#include "inspect/docker/docker_check.h"

namespace sibyl::inspect {
namespace {

// "CODE: CORRECTION" of each finding of lines that follow a FROM.
std::vector<std::string> MistakesIn(const std::string& lines,
                                    const std::string& image = "ubuntu:24.04") {
  Artifact artifact{.path = "Dockerfile"};
  artifact.detail["corrections"] = Json::array();
  ScriptBudget budget;
  CheckMistakes(ParseDockerfile("FROM " + image + "\n" + lines), budget, artifact);
  std::vector<std::string> found;
  for (const Finding& finding : artifact.findings) found.push_back(finding.code);
  for (const Json& correction : artifact.detail["corrections"]) {
    found.push_back(correction["lines"][0].get<std::string>());
  }
  return found;
}

using Found = std::vector<std::string>;

TEST(DockerMistakes, AListInSingleQuotesIsNotJson) {
  EXPECT_EQ(MistakesIn("CMD ['python', 'x.py']\n"),
            (Found{"docker/json-quotes", "CMD [\"python\", \"x.py\"]"}));
  EXPECT_EQ(MistakesIn("CMD [\"python\", \"x.py\"]\n"), Found{});
  EXPECT_EQ(MistakesIn("RUN [ 'a' = 'a' ] && true\n"), Found{});
}

TEST(DockerMistakes, AShellIgnoresTheArgumentsOfCmd) {
  EXPECT_EQ(MistakesIn("ENTRYPOINT python serve.py\nCMD [\"--port\", \"80\"]\n"),
            Found{"docker/no-effect"});
  EXPECT_EQ(MistakesIn("ENTRYPOINT [\"python\"]\nCMD [\"serve.py\"]\n"), Found{});
}

TEST(DockerMistakes, PortsEnd) {
  EXPECT_EQ(MistakesIn("EXPOSE 99999\n"), Found{"docker/port"});
  EXPECT_EQ(MistakesIn("EXPOSE 8080/tcp 65535 $PORT 8000-8010\n"), Found{});
}

TEST(DockerMistakes, AFolderOrAVariableEndsWithItsRun) {
  EXPECT_EQ(MistakesIn("RUN cd /src\n"), (Found{"docker/lost-after-run", "WORKDIR /src"}));
  EXPECT_EQ(MistakesIn("RUN export A=1 B=2\n"), (Found{"docker/lost-after-run", "ENV A=1 B=2"}));
  EXPECT_EQ(MistakesIn("RUN export A=$(date)\n"), Found{"docker/lost-after-run"});
  EXPECT_EQ(MistakesIn("RUN cd /src && make\nRUN export A=1 && make\nRUN cd /src; make\n"),
            Found{});
}

TEST(DockerMistakes, TheDriverIsThatOfTheHost) {
  EXPECT_EQ(MistakesIn("RUN apt-get install -y nvidia-driver-535\n"),
            Found{"docker/driver-in-image"});
  EXPECT_EQ(MistakesIn("RUN apt-get install -y nvidia-cuda-toolkit cuda-toolkit-13-0\n"), Found{});
}

TEST(DockerMistakes, ABuildHasNoGpu) {
  EXPECT_EQ(MistakesIn("RUN nvidia-smi\n"), Found{"docker/gpu-at-build"});
  EXPECT_EQ(MistakesIn("RUN python3 -c \"import torch; assert torch.cuda.is_available()\"\n"),
            Found{"docker/gpu-at-build"});
  EXPECT_EQ(MistakesIn("RUN nvidia-smi || true\nRUN echo nvidia-smi\nCMD [\"nvidia-smi\"]\n"),
            Found{});
  EXPECT_EQ(MistakesIn("RUN nvcc -arch=native /a.cu\n"), Found{"docker/gpu-at-build"});
  EXPECT_EQ(MistakesIn("RUN cmake -DCMAKE_CUDA_ARCHITECTURES=native ..\n"),
            Found{"docker/gpu-at-build"});
  EXPECT_EQ(MistakesIn("RUN nvcc -arch=sm_90 /a.cu\nRUN gcc -march=native a.c\n"), Found{});
}

TEST(DockerMistakes, RemovingFilesOfTheBaseImageFreesNothing) {
  const std::string removal = "RUN rm -rf /usr/local/cuda/lib64/*.a\n";
  const std::string devel = "nvidia/cuda:12.4.1-devel-ubuntu22.04";
  EXPECT_EQ(MistakesIn(removal, devel), Found{"docker/removed-too-late"});
  EXPECT_EQ(MistakesIn(removal), Found{}) << "this image has no such files";
  EXPECT_EQ(MistakesIn("RUN apt-get install -y cuda-x && rm -rf /usr/local/cuda/doc\n", devel),
            Found{});
  EXPECT_EQ(MistakesIn(removal + "FROM ubuntu:24.04\n", devel), Found{})
      << "what is copied out of this stage is smaller";
}

// A finding without anything to do about it is only an annoyance.
TEST(DockerMistakes, EveryFindingComesWithAFixOrAHint) {
  constexpr std::string_view kFiles[] = {
      "FROM nvcr.io/nvidia/pytorch:25.09-py3\nRUN apt-get update && \\\n    apt-get install -y "
      "nvidia-driver-535\nRUN pip3 install torch flash-attn\nRUN wget https://x.org/x.tar\nRUN "
      "curl "
      "-s https://x.org/i.sh | sh\nADD https://x.org/m.bin /m\nRUN nvidia-smi\nRUN python -c "
      "\"import torch; torch.cuda.is_available()\"\nRUN cd /tmp\nRUN export A=1\nEXPOSE "
      "99999\nENTRYPOINT python serve.py\nCMD ['--port', '8000']\n",
      "FROM nvidia/cuda:13.0.1-devel-ubuntu24.04\nARG GIT_SHA\nCOPY . /src\nRUN pip install -r "
      "/src/requirements.txt\nRUN nvcc -arch=sm_70 a.cu\nENV TORCH_CUDA_ARCH_LIST=\"7.0;8.0\"\nRUN "
      "pip install torch\nRUN sudo apt install git\nWORKDIR w\nENV HF_TOKEN=abc\nMAINTAINER "
      "me\nCMD "
      "a\nCMD b\nENV LD_LIBRARY_PATH=/usr/local/cuda/lib64/stubs\nENV "
      "LD_LIBRARY_PATH=/usr/local/cuda/compat\n",
      "FROM nvidia/cuda:12.8.1-runtime-ubuntu24.04 AS build\nRUN nvcc --version\nFROM "
      "nvidia/cuda:13.0.1-base-ubuntu24.04\nCOPY --from=biuld /a /a\nCOPY --from=7 /a /a\nCOPY "
      "--from=build /usr/local/cuda/lib64/libcupti.so.12 /usr/lib/libcudnn.so.9 "
      "/usr/lib/libcublas.so.12 /usr/lib/\nENV A=/x/cupti\nRUN apt-get update\n",
      "FROM vllm/vllm-openai\nADD a /b\nRUN apt-get install git\n",
      "ARG BASE\nFROM $BASE\n",
      "RUN true\nFROM --platform=linux/amd64 nvidia/cuda:12.8.1-cudnn8-runtime-ubuntu24.04 AS a\n"
      "RUN dnf install git\nENV A=1 B=$A\nENV CUDA_HOME=/usr/local/cuda-11.8\nUSER root\nRUN "
      "useradd -u 900000 x && ln -s /bin/bash /bin/sh && service ssh start\nRUN curl -k -o x "
      "https://x.org/x\nRUN pip install torch --index-url https://x.org/whl/cpu\nCOPY a b /c\n"
      "COPY --from=other /a /a\nFROM ubuntu:24.04 AS a\nCOPY a b\nRUN apt-get upgrade && apt-get "
      "install -y cuda\nRUN python setup.py install\n",
      "FROM nvcr.io/nvidia/pytorch:25.09-py3\nRUN apt-get install -y libcudnn9-cuda-13\nRUN pip "
      "install vllm\n",
      "FROM nvidia/cuda:12.8.1-runtime-ubuntu24.04\nRUN python setup.py install\nRUN cmake "
      "-DGGML_CUDA=ON .\nRUN pip install onnxruntime\n"};
  const InspectOptions options{
      .gpus = {*field::FindGpu("B200"), *field::FindGpu("V100"), *field::FindGpu("GB200")},
      .driver = field::ParseDriverVersion("535")};
  std::set<std::string> codes;
  for (const std::string_view text : kFiles) {
    Artifact artifact{.path = "Dockerfile"};
    CheckDockerfile(ParseDockerfile(text), options, artifact);
    for (const Finding& finding : artifact.findings) {
      codes.insert(finding.code);
      bool is_fixed = !finding.hint.empty();
      for (const Json& correction : artifact.detail["corrections"]) {
        is_fixed = is_fixed || correction["code"] == finding.code;
      }
      EXPECT_TRUE(is_fixed) << finding.code << ": " << finding.message;
    }
  }
  EXPECT_GT(codes.size(), 55U);
}

}  // namespace
}  // namespace sibyl::inspect
