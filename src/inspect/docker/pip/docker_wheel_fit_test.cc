// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "inspect/docker/pip/docker_pip.h"
#include "inspect/docker/pip/image_python.h"

namespace sibyl::inspect {
namespace {

using Found = std::vector<std::string>;

// "CODE:LINE" of each finding, then the first line of each correction.
Found WheelFindings(const std::string& text) {
  Artifact artifact{.path = "Dockerfile"};
  artifact.detail["corrections"] = Json::array();
  ScriptBudget budget;
  CheckWheelFit(ParseDockerfile(text), budget, artifact);
  Found found;
  for (const Finding& finding : artifact.findings) {
    found.push_back(finding.code.substr(7) + ":" + std::to_string(finding.place.line));
  }
  for (const Json& correction : artifact.detail["corrections"]) {
    found.push_back(correction["lines"][0].get<std::string>());
  }
  return found;
}

std::string PythonOf(const std::string& text) {
  ScriptBudget budget;
  const Dockerfile file = ParseDockerfile(text);
  return PythonOfStage(file, file.stages.size() - 1, budget);
}

TEST(ImagePython, IsThatOfTheImageUnlessALineMayBringAnother) {
  EXPECT_EQ(PythonOf("FROM python:3.10.14-slim-bookworm\n"), "3.10");
  EXPECT_EQ(PythonOf("FROM python:3-slim\n"), "");
  EXPECT_EQ(PythonOf("FROM nvidia/cuda:12.4.1-devel-ubuntu22.04 AS a\nFROM a\n"), "3.10");
  EXPECT_EQ(PythonOf("FROM debian:bookworm-slim\nRUN apt-get install -y python3\n"), "3.11");
  EXPECT_EQ(PythonOf("FROM ubuntu:22.04\nRUN apt-get install -y python3.11\n"), "");
  EXPECT_EQ(PythonOf("FROM ubuntu:22.04\nRUN apt-get install -y python3.10-dev\n"), "3.10");
  EXPECT_EQ(PythonOf("FROM ubuntu:22.04\nRUN apt-get install -y python${V}\n"), "");
  EXPECT_EQ(PythonOf("FROM ubuntu:22.04\nRUN bash miniconda.sh\n"), "");
  EXPECT_EQ(PythonOf("FROM ubuntu:22.04\nCOPY --from=python:3.12 /usr/local /usr/local\n"), "");
  EXPECT_EQ(PythonOf("FROM pytorch/pytorch:2.5.1-cuda12.4-cudnn9-runtime\n"), "");
}

TEST(ImagePython, ACommandMayNameItsOwn) {
  EXPECT_EQ(PythonOfPip({"python3.11", "-m", "pip", "install", "x"}, "3.10"), "3.11");
  EXPECT_EQ(PythonOfPip({"/usr/bin/pip3.12", "install", "x"}, ""), "3.12");
  EXPECT_EQ(PythonOfPip({"pip", "install", "x"}, "3.10"), "3.10");
  EXPECT_EQ(PythonOfPip({"uv", "pip", "install", "x"}, "3.10"), "");
}

TEST(CopiedPython, PackagesAreForOnePython) {
  const auto found = [](const std::string& text) {
    Artifact artifact{.path = "Dockerfile"};
    ScriptBudget budget;
    CheckCopiedPython(ParseDockerfile(text), budget, artifact);
    Found lines;
    for (const Finding& each : artifact.findings) lines.push_back(std::to_string(each.place.line));
    return lines;
  };
  const std::string build = "FROM python:3.11-slim AS b\nRUN python -m venv /opt/venv\n";
  const std::string packages =
      "COPY --from=b /usr/local/lib/python3.11/site-packages "
      "/usr/local/lib/python3.11/site-packages\n";
  EXPECT_EQ(found(build + "FROM python:3.10-slim\n" + packages), Found{"4"});
  EXPECT_EQ(found(build + "FROM python:3.11-slim\n" + packages), Found{});
  EXPECT_EQ(found(build + "FROM ubuntu:20.04\nCOPY --from=b /opt/venv/ /opt/venv\n"), Found{"4"});
  // Its python is not there.
  EXPECT_EQ(
      found("FROM python:3.10 AS b\nRUN python -m venv /opt/venv\n"
            "FROM nvidia/cuda:12.4.1-runtime-ubuntu22.04\nCOPY --from=b /opt/venv /opt/venv\n"),
      Found{"4"});
  EXPECT_EQ(found(build + "FROM python:3.11-slim\nCOPY --from=b /opt/venv /opt/venv\n"), Found{});
  EXPECT_EQ(found(build + "FROM ubuntu:22.04\nCOPY --from=b /usr/local/ /usr/local/\n" + packages),
            Found{});
}

TEST(DockerWheelFit, AReleaseHasWheelsForSomePythons) {
  EXPECT_EQ(WheelFindings("FROM nvidia/cuda:12.4.1-runtime-ubuntu20.04\n"
                          "RUN pip3 install tensorflow[and-cuda]==2.15.0\n"),
            Found{"wheel-python:2"});
  EXPECT_EQ(WheelFindings("FROM python:3.13\nRUN pip install torch==2.4.1\n"),
            Found{"wheel-python:2"});
  EXPECT_EQ(WheelFindings("FROM python:3.10\nRUN pip install 'jax[cuda12]==0.7.2'\n"),
            Found{"wheel-python:2"});
  EXPECT_EQ(WheelFindings("FROM ubuntu:22.04\nRUN python3.13 -m pip install torch==2.4.1\n"),
            Found{"wheel-python:2"});
  EXPECT_EQ(WheelFindings("FROM python:3.12\nRUN pip install torch==2.4.1 jax==0.7.2\n"), Found{});
  EXPECT_EQ(WheelFindings("FROM python:3.13\nRUN pip install torch\\>=2.4.1 torch==2.4.*\n"),
            Found{});
}

TEST(DockerWheelFit, AWheelIsForOnePythonAndOneTorch) {
  const std::string flash =
      "RUN pip install https://x.org/flash_attn-2.6.3+cu123torch2.4cxx11abiFALSE-cp311-cp311-"
      "linux_x86_64.whl\n";
  EXPECT_EQ(WheelFindings("FROM python:3.10-slim\nRUN pip install torch==2.5.1\n" + flash),
            (Found{"torch-companion:3", "wheel-python:3"}));
  EXPECT_EQ(WheelFindings("FROM python:3.11-slim\nRUN pip install torch==2.4.1\n" + flash),
            Found{});
  EXPECT_EQ(WheelFindings("FROM pytorch/pytorch:2.5.1-cuda12.4-cudnn9-devel\n" + flash),
            Found{"torch-companion:2"});
  EXPECT_EQ(WheelFindings("FROM python:3.12\nRUN pip install a-1-cp39-abi3-linux_x86_64.whl\n"),
            Found{});
}

TEST(DockerWheelFit, TorchvisionRequiresOneTorch) {
  const std::string from = "FROM ubuntu:22.04\n";
  EXPECT_EQ(WheelFindings(from + "RUN pip install torch==2.1.2 torchvision==0.15.2\n"),
            (Found{"torch-companion:2", "RUN pip install torch==2.1.2 torchvision==0.16.2"}));
  EXPECT_EQ(WheelFindings(from + "RUN pip install torch==2.5.1+cu124\n"
                                 "RUN pip install torchaudio==2.4.0+cu124\n"),
            (Found{"torch-companion:3", "RUN pip install torchaudio==2.5.1+cu124"}));
  EXPECT_EQ(WheelFindings(from + "RUN pip install torch==2.1.2 torchvision==0.16.2\n"), Found{});
  EXPECT_EQ(WheelFindings(from + "RUN pip install torch torchvision==0.15.2\n"), Found{});
  EXPECT_EQ(WheelFindings(from + "RUN pip install torch==2.1.2\nRUN pip install -r x.txt\n"
                                 "RUN pip install torchvision==0.15.2\n"),
            Found{});
  EXPECT_EQ(WheelFindings(from + "RUN pip install torch==9.1.2 torchvision==0.15.2\n"), Found{});
}

TEST(DockerWheelFit, TensorFlowLoadsTheCudaOfItsBuild) {
  const std::string old = "FROM nvidia/cuda:11.2.2-cudnn8-runtime-ubuntu20.04\n";
  EXPECT_EQ(WheelFindings(old + "RUN python3.9 -m pip install tensorflow==2.15.0\n"),
            Found{"cuda-mismatch:2"});
  EXPECT_EQ(WheelFindings(old + "RUN python3.9 -m pip install 'tensorflow[and-cuda]==2.15.0'\n"),
            Found{});
  EXPECT_EQ(WheelFindings(old + "RUN pip3 install tensorflow==2.11.0\n"), Found{});
  EXPECT_EQ(WheelFindings(old + "RUN pip3 install torch==1.13.1\n"
                                "RUN python3.9 -m pip install tensorflow==2.15.0\n"),
            Found{});
}

}  // namespace
}  // namespace sibyl::inspect
