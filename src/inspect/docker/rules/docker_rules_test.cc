// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/rules/docker_rules.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "inspect/docker/rules/linux_system.h"

namespace sibyl::inspect {
namespace {

using Found = std::vector<std::string>;
using Check = void (*)(const Dockerfile&, ScriptBudget&, Artifact&);

// "CODE:LINE" of each finding, then the first line of each correction.
Found FoundBy(Check check, const std::string& text) {
  Artifact artifact{.path = "Dockerfile"};
  artifact.detail["corrections"] = Json::array();
  ScriptBudget budget;
  check(ParseDockerfile(text), budget, artifact);
  Found found;
  for (const Finding& finding : artifact.findings) {
    found.push_back(finding.code.substr(7) + ":" + std::to_string(finding.place.line));
  }
  for (const Json& correction : artifact.detail["corrections"]) {
    found.push_back(correction["lines"][0].get<std::string>());
  }
  return found;
}

TEST(DockerStructure, ReservedNamesTriggersAndWholeCopies) {
  EXPECT_EQ(FoundBy(CheckStructure, "FROM ubuntu:24.04 AS scratch\n"), Found{"stage-reserved:1"});
  EXPECT_EQ(FoundBy(CheckStructure, "FROM --platform=$TARGETPLATFORM ubuntu:24.04\n"),
            (Found{"platform-redundant:1", "FROM ubuntu:24.04"}));
  EXPECT_EQ(FoundBy(CheckStructure, "FROM --platform=$BUILDPLATFORM ubuntu:24.04\n"), Found{});
  EXPECT_EQ(FoundBy(CheckStructure, "FROM x:1 AS a\nFROM x:1\nCOPY --link --from=a / /\n"),
            Found{"copy-all:3"});
  EXPECT_EQ(FoundBy(CheckStructure, "FROM x:1 AS a\nFROM scratch\nCOPY --from=a /out/ /\n"),
            Found{});
  EXPECT_EQ(FoundBy(CheckStructure, "FROM x:1\nONBUILD ONBUILD RUN make\nONBUILD FROM y\n"),
            (Found{"onbuild:2", "onbuild:3", "ONBUILD RUN make"}));
  EXPECT_EQ(FoundBy(CheckStructure, "FROM x:1\nONBUILD RUN make\nONBUILD USER me\n"), Found{});
  EXPECT_EQ(FoundBy(CheckStructure,
                    "ARG S=a\nFROM x:1\nCOPY --from=${S} /a /b\n"
                    "RUN --mount=type=bind,from=$S,target=/x make\n"),
            (Found{"unknown-stage:3", "unknown-stage:4"}));
}

TEST(DockerArguments, AFromNeedsAnArgAboveTheFirst) {
  EXPECT_EQ(FoundBy(CheckArguments, "FROM nvidia/cuda:${CUDA}-base-ubuntu24.04\n"),
            Found{"arg-undeclared:1"});
  EXPECT_EQ(FoundBy(CheckArguments, "FROM x:1\nARG CUDA=12.8.1\nFROM nvidia/cuda:${CUDA}-base\n"),
            (Found{"arg-undeclared:3", "ARG CUDA=12.8.1"}));
  EXPECT_EQ(
      FoundBy(CheckArguments, "ARG CUDA\nFROM x:${CUDA}\nFROM y:${TAG:-1} AS a-$TARGETARCH\n"),
      Found{});
}

TEST(DockerArguments, AStageDeclaresAgainWhatItUses) {
  EXPECT_EQ(FoundBy(CheckArguments,
                    "ARG TORCH=2.9.0\nFROM ubuntu:24.04\nRUN pip install torch==${TORCH}\n"),
            (Found{"arg-not-in-stage:3", "ARG TORCH"}));
  EXPECT_EQ(FoundBy(CheckArguments, "ARG T=1\nFROM x:1\nARG T\nRUN echo $T\n"), Found{});
  EXPECT_EQ(FoundBy(CheckArguments, "ARG T=1\nFROM ubuntu:24.04\nRUN T=${T} pip install .\n"),
            (Found{"arg-not-in-stage:3", "ARG T"}));
  EXPECT_EQ(FoundBy(CheckArguments, "ARG T=1\nFROM x:1 AS a\nARG T\nFROM a\nRUN echo $T\n"),
            Found{});
  EXPECT_EQ(FoundBy(CheckArguments, "ARG T=1\nFROM ubuntu:24.04\nRUN T=2; echo $T '$T' \\$T\n"),
            Found{});
  EXPECT_EQ(FoundBy(CheckArguments, "ARG T=1\nFROM ubuntu:24.04\nRUN echo ${T:-3}\n"), Found{});
  EXPECT_EQ(FoundBy(CheckArguments, "ARG T=1\nFROM ubuntu:24.04\nRUN <<EOF\nmake\necho $T\nEOF\n"),
            (Found{"arg-not-in-stage:3", "ARG T"}));
  // The image sets it.
  EXPECT_EQ(FoundBy(CheckArguments,
                    "ARG CUDA_VERSION=12.8.1\n"
                    "FROM nvidia/cuda:${CUDA_VERSION}-base-ubuntu24.04\n"
                    "RUN echo $CUDA_VERSION\n"),
            Found{});
}

TEST(DockerSecrets, StayInTheImage) {
  EXPECT_EQ(FoundBy(CheckSecrets, "FROM x:1\nARG HF_TOKEN\nENV TOKENIZERS_PARALLELISM=1\n"),
            Found{"secret:2"});
  EXPECT_EQ(FoundBy(CheckSecrets, "FROM x:1\nENV API_KEY abc\n"), Found{"secret:2"});
  EXPECT_EQ(FoundBy(CheckSecrets, "FROM x:1\nCOPY id_rsa /root/.ssh/\nCOPY .env.example /app/\n"),
            Found{"secret:2"});
  EXPECT_EQ(FoundBy(CheckSecrets, "FROM x:1\nRUN git clone https://me:s3cretpass@git.org/x.git\n"),
            Found{"secret:2"});
  EXPECT_EQ(FoundBy(CheckSecrets,
                    "FROM x:1\nRUN git clone https://$USER:$TOKEN@git.org/x.git && "
                    "git clone ssh://git@github.com/a/b\n"),
            Found{});
  EXPECT_EQ(
      FoundBy(CheckSecrets, "FROM x:1\nRUN hf auth login --token hf_abcdefghijklmnopqrstuvwxyz\n"),
      Found{"secret:2"});
}

TEST(DockerSecrets, AreNotCopiedToALayer) {
  const std::string run = "FROM x:1\nRUN --mount=type=secret,id=a ";
  EXPECT_EQ(FoundBy(CheckSecrets, run + "cp /run/secrets/a /root/.netrc && pip install x\n"),
            Found{"secret:2"});
  EXPECT_EQ(FoundBy(CheckSecrets, run + "cp /run/secrets/a /root/.netrc && pip install x && "
                                        "rm /root/.netrc\n"),
            Found{});
  EXPECT_EQ(FoundBy(CheckSecrets, run + "TOKEN=$(cat /run/secrets/a) make\n"), Found{});
}

TEST(DockerEnvironment, KeepsWhatItHad) {
  EXPECT_EQ(FoundBy(CheckEnvironment, "FROM ubuntu:24.04\nENV PATH=/opt/tool/bin\n"),
            (Found{"path-lost:2", "ENV PATH=/opt/tool/bin:$PATH"}));
  EXPECT_EQ(FoundBy(CheckEnvironment, "FROM ubuntu:24.04\nENV PATH=/opt/tool/bin:$PATH A=1\n"),
            Found{});
  EXPECT_EQ(FoundBy(CheckEnvironment, "FROM ubuntu:24.04\nENV PATH=/x:/usr/bin:/bin\n"), Found{});
  EXPECT_EQ(FoundBy(CheckEnvironment,
                    "FROM nvidia/cuda:12.8.1-base-ubuntu24.04\nENV LD_LIBRARY_PATH=/opt/lib\n"),
            (Found{"path-lost:2", "ENV LD_LIBRARY_PATH=/opt/lib:$LD_LIBRARY_PATH"}));
}

TEST(DockerEnvironment, DoesNotHideTheGpu) {
  const std::string from = "FROM nvidia/cuda:12.8.1-base-ubuntu24.04\n";
  EXPECT_EQ(FoundBy(CheckEnvironment, from + "ENV NVIDIA_VISIBLE_DEVICES=void\n"),
            (Found{"gpu-hidden:2", "ENV NVIDIA_VISIBLE_DEVICES=all"}));
  EXPECT_EQ(FoundBy(CheckEnvironment, from + "ENV NVIDIA_DRIVER_CAPABILITIES=utility,video\n"),
            (Found{"gpu-hidden:2", "ENV NVIDIA_DRIVER_CAPABILITIES=compute,utility,video"}));
  EXPECT_EQ(FoundBy(CheckEnvironment, from + "ENV CUDA_VISIBLE_DEVICES=\"\"\n"),
            Found{"gpu-hidden:2"});
  EXPECT_EQ(FoundBy(CheckEnvironment, from + "ENV NVIDIA_VISIBLE_DEVICES=all "
                                             "NVIDIA_DRIVER_CAPABILITIES=compute,utility\n"),
            Found{});
  EXPECT_EQ(FoundBy(CheckEnvironment, from + "ENV NVIDIA_DISABLE_REQUIRE=1\n"),
            Found{"require-disabled:2"});
}

TEST(DockerPython, AptManagesThePythonOfNewSystems) {
  const std::string pip =
      "RUN apt-get update && apt-get install -y python3-pip\nRUN pip install numpy\n";
  EXPECT_EQ(FoundBy(CheckPython, "FROM ubuntu:24.04\n" + pip),
            (Found{"pip-managed:3", "RUN pip install --break-system-packages numpy"}));
  EXPECT_EQ(FoundBy(CheckPython, "FROM debian:bookworm-slim\n" + pip)[0], "pip-managed:3");
  EXPECT_EQ(
      FoundBy(CheckPython, "FROM nvidia/cuda:12.8.1-base-ubuntu24.04 AS a\nFROM a\n" + pip)[0],
      "pip-managed:4");
  EXPECT_EQ(FoundBy(CheckPython, "FROM ubuntu:22.04\n" + pip), Found{});
  EXPECT_EQ(FoundBy(CheckPython, "FROM python:3.12-slim\nRUN pip install numpy\n"), Found{});
  EXPECT_EQ(FoundBy(CheckPython, "FROM ubuntu:24.04\nENV PIP_BREAK_SYSTEM_PACKAGES=1\n" + pip),
            Found{});
  EXPECT_EQ(FoundBy(CheckPython, "FROM ubuntu:24.04\nENV PATH=/venv/bin:$PATH\n" + pip), Found{});
  EXPECT_EQ(FoundBy(CheckPython,
                    "FROM ubuntu:24.04\nENV A=1 PATH=/usr/local/cuda/bin:/venv/bin:$PATH\n" + pip),
            Found{});
  EXPECT_EQ(
      FoundBy(CheckPython, "FROM ubuntu:24.04\nENV PATH=/usr/local/cuda/bin:$PATH\n" + pip)[0],
      "pip-managed:4");
  EXPECT_EQ(FoundBy(CheckPython,
                    "FROM ubuntu:24.04\nRUN apt-get update && apt-get install -y "
                    "python3-venv && python3 -m venv /v && /v/bin/pip install numpy\n"),
            Found{});
}

TEST(DockerPython, WhatNothingInstallsIsNotThere) {
  EXPECT_EQ(FoundBy(CheckPython, "FROM ubuntu:22.04\nRUN git clone https://x.org/y\n"),
            (Found{"program-missing:2", "FROM ubuntu:22.04"}));
  EXPECT_EQ(FoundBy(CheckPython, "FROM nvidia/cuda:12.8.1-devel-ubuntu22.04\nRUN cmake -B b\n")[0],
            "program-missing:2");
  EXPECT_EQ(FoundBy(CheckPython,
                    "FROM ubuntu:22.04\nRUN apt-get update && apt-get install -y git "
                    "&& git clone https://x.org/y\n"),
            Found{});
  EXPECT_EQ(FoundBy(CheckPython, "FROM ubuntu:22.04\nRUN ./setup.sh\nRUN git clone x\n"), Found{});
  EXPECT_EQ(FoundBy(CheckPython, "FROM ubuntu:22.04\nCOPY --from=x:1 /usr /usr\nRUN git pull\n"),
            Found{});
  EXPECT_EQ(
      FoundBy(CheckPython, "FROM python:3.12-slim\nRUN pip install git+https://x.org/y@v1\n")[0],
      "program-missing:2");
  EXPECT_EQ(FoundBy(CheckPython, "FROM unknown/image:1\nRUN git clone x\n"), Found{});
}

// Issue 23: only what a RUN used was looked up.
TEST(DockerPython, WhatTheContainerStartsIsThere) {
  const std::string from = "FROM nvidia/cuda:13.0.1-runtime-ubuntu24.04\n";
  EXPECT_EQ(FoundBy(CheckPython, from + "CMD [\"python\", \"serve.py\"]\n")[0],
            "program-missing:2");
  EXPECT_EQ(FoundBy(CheckPython, from + "ENTRYPOINT [\"python3\", \"-m\", \"serve\"]\n")[0],
            "program-missing:2");
  EXPECT_EQ(FoundBy(CheckPython, from + "CMD exec python3 serve.py\n")[0], "program-missing:2");
  EXPECT_EQ(FoundBy(CheckPython, from + "CMD [\"git\", \"daemon\"]\n")[0], "program-missing:2");
  EXPECT_EQ(FoundBy(CheckPython, from + "RUN python3 x.py\n")[0], "program-missing:2");
  EXPECT_EQ(FoundBy(CheckPython, from + "RUN apt-get update && apt-get install -y git vim\n"
                                        "CMD [\"python\", \"serve.py\"]\n")[0],
            "program-missing:3");
  // It may be there, or be an argument.
  const std::string start = "CMD [\"python3\", \"serve.py\"]\n";
  EXPECT_EQ(FoundBy(CheckPython, from + "ENTRYPOINT [\"/run\"]\n" + start), Found{});
  EXPECT_EQ(FoundBy(CheckPython, from + "RUN apt-get install -y gdb\n" + start), Found{});
  EXPECT_EQ(FoundBy(CheckPython, from + "COPY --from=x:1 /opt/conda /opt/conda\n" + start),
            Found{});
  EXPECT_EQ(FoundBy(CheckPython, from + "ENV PATH=/venv/bin:$PATH\n" + start), Found{});
  EXPECT_EQ(FoundBy(CheckPython, from + "CMD [\"/venv/bin/python3\", \"x.py\"]\n"), Found{});
  EXPECT_EQ(FoundBy(CheckPython, "FROM nvidia/cuda:13.0.1-devel-ubuntu24.04\n" + start), Found{});
}

// Issue 23: the suggested line removed lists that another line needs.
TEST(DockerPython, TheSuggestedInstallKeepsListsThatAreNeeded) {
  const std::string text =
      "FROM ubuntu:24.04 AS a\nRUN apt-get update\nFROM a\nRUN apt-get install -y vim\n"
      "RUN git pull\n";
  Artifact artifact{.path = "Dockerfile"};
  artifact.detail["corrections"] = Json::array();
  ScriptBudget budget;
  CheckPython(ParseDockerfile(text), budget, artifact);
  EXPECT_EQ(artifact.detail["corrections"][0]["lines"][1],
            "RUN apt-get update && apt-get install -y --no-install-recommends git");
}

TEST(DockerPython, ThereIsNoProgramNamedPython) {
  const std::string from = "FROM ubuntu:22.04\nRUN apt-get update && apt-get install -y python3\n";
  EXPECT_EQ(FoundBy(CheckPython, from + "CMD [\"python\", \"x.py\"]\n"),
            (Found{"program-missing:3", "CMD [\"python3\", \"x.py\"]"}));
  EXPECT_EQ(FoundBy(CheckPython, from + "RUN python -m x\n"),
            (Found{"program-missing:3", "RUN python3 -m x"}));
  EXPECT_EQ(FoundBy(CheckPython, from + "RUN ln -s /usr/bin/python3 /usr/bin/python\n"
                                        "CMD [\"python\", \"x.py\"]\n"),
            Found{});
}

TEST(DockerCudaPackages, AreForTheCudaOfTheImage) {
  const std::string from = "FROM nvidia/cuda:12.4.1-runtime-ubuntu22.04\n";
  EXPECT_EQ(FoundBy(CheckCudaPackages, from + "RUN apt-get install -y cuda-toolkit-13-0\n"),
            (Found{"cuda-mismatch:2", "RUN apt-get install -y cuda-toolkit-12-4"}));
  EXPECT_EQ(FoundBy(CheckCudaPackages, from + "RUN apt-get install -y libcudnn9-cuda-13\n"),
            (Found{"cuda-mismatch:2", "RUN apt-get install -y libcudnn9-cuda-12"}));
  EXPECT_EQ(
      FoundBy(CheckCudaPackages, from + "RUN apt-get install -y cuda-nvcc-12-4 "
                                        "libcublas-dev-12-4 libcudnn9-dev-cuda-12 cuda-keyring\n"),
      Found{});
  EXPECT_EQ(
      FoundBy(CheckCudaPackages, from + "RUN apt-get install -y libnccl2=2.16.5-1+cuda11.8\n"),
      Found{"cuda-mismatch:2"});
  EXPECT_EQ(FoundBy(CheckCudaPackages,
                    "FROM x:1\nRUN conda install -y pytorch-cuda=12.1 "
                    "cudatoolkit=11.3\n"),
            Found{"cuda-mismatch:2"});
  EXPECT_EQ(FoundBy(CheckCudaPackages, from + "RUN pip install cupy-cuda11x==13.3.0\n"),
            (Found{"cuda-mismatch:2", "RUN pip install cupy-cuda12x==13.3.0"}));
  EXPECT_EQ(FoundBy(CheckCudaPackages, from + "RUN pip install cupy-cuda12x==13.3.0\n"), Found{});
  EXPECT_EQ(FoundBy(CheckCudaPackages, from + "RUN pip install onnxruntime-gpu==1.20.1\n"),
            Found{"library-missing:2"});
  EXPECT_EQ(FoundBy(CheckCudaPackages,
                    "FROM nvidia/cuda:12.8.1-runtime-ubuntu22.04\n"
                    "RUN pip install onnxruntime-gpu==1.20.1\n"),
            (Found{"library-missing:2", "FROM nvidia/cuda:12.8.1-cudnn-runtime-ubuntu22.04"}));
  EXPECT_EQ(FoundBy(CheckCudaPackages,
                    "FROM x:1\nRUN apt-key adv --fetch-keys "
                    "https://x.org/7fa2af80.pub\n"),
            (Found{"cuda-key:2", "RUN apt-key adv --fetch-keys https://x.org/3bf863cc.pub"}));
}

TEST(DockerLeftovers, WhatALaterLayerRemovesStays) {
  const std::string from = "FROM ubuntu:22.04\nRUN apt-get update && apt-get install -y git\n";
  EXPECT_EQ(FoundBy(CheckLeftovers, from + "RUN rm -rf /var/lib/apt/lists/* && apt-get clean\n"),
            Found{"removed-too-late:3"});
  EXPECT_EQ(FoundBy(CheckLeftovers, from + "RUN rm /etc/nginx/sites-enabled/default\n"), Found{});
  EXPECT_EQ(FoundBy(CheckLeftovers, from + "RUN make && rm -rf /tmp/x\n"), Found{});
  EXPECT_EQ(FoundBy(CheckLeftovers, "FROM x:1\nCOPY . /app\nRUN chown -R me /app\n"),
            Found{"stored-twice:3"});
  EXPECT_EQ(FoundBy(CheckLeftovers, "FROM x:1\nCOPY . /app\nRUN chown me /app/log\n"), Found{});
  EXPECT_EQ(FoundBy(CheckLeftovers, "FROM x:1\nWORKDIR /app\nCOPY . .\nRUN chown -R me /app\n"),
            Found{"stored-twice:4"});
  EXPECT_EQ(FoundBy(CheckLeftovers, "FROM x:1\nCOPY . .\nRUN chown -R me /app\n"), Found{});
  EXPECT_EQ(
      FoundBy(CheckLeftovers,
              "FROM x:1\nRUN hf download a/b --local-dir /models/b\nRUN chmod -R 777 /models\n"),
      Found{"stored-twice:3"});
}

TEST(DockerUsers, PackagesOfTheSystemNeedRoot) {
  const std::string from = "FROM ubuntu:22.04\nUSER app\n";
  EXPECT_EQ(FoundBy(CheckUsers, from + "RUN apt-get update && apt-get install -y git\n"),
            (Found{"not-root:3", "USER root"}));
  EXPECT_EQ(FoundBy(CheckUsers, from + "RUN apt-get update && \\\n  apt-get install -y git\n"),
            (Found{"not-root:3", "USER root", "  apt-get install -y git"}));
  EXPECT_EQ(FoundBy(CheckUsers, "FROM a:1 AS b\nUSER app\nFROM b\nRUN dnf install -y git\n")[0],
            "not-root:4");
  EXPECT_EQ(FoundBy(CheckUsers, from + "RUN sudo apt-get update\n"), Found{});
  EXPECT_EQ(FoundBy(CheckUsers, from + "USER 0:0\nRUN apt-get update\n"), Found{});
  EXPECT_EQ(FoundBy(CheckUsers, "FROM a:1\nUSER $NB_UID\nRUN apt-get update\n"), Found{});
}

TEST(DockerUsers, ACacheInTheHomeOfRootIsForRoot) {
  const std::string from = "FROM ubuntu:22.04\nUSER app\n";
  const std::string run = "RUN --mount=type=cache,target=/root/.cache/pip pip install x\n";
  EXPECT_EQ(FoundBy(CheckUsers, from + run), Found{"cache-defeated:3"});
  EXPECT_EQ(FoundBy(CheckUsers, "FROM ubuntu:22.04\n" + run), Found{});
  EXPECT_EQ(FoundBy(CheckUsers, from + "ENV PIP_CACHE_DIR=/root/.cache/pip\n" + run), Found{});
}

TEST(DockerLateSettings, ABuildDoesNotSeeWhatIsSetBelow) {
  const std::string build = "FROM x:1\nRUN pip install --no-build-isolation .\n";
  EXPECT_EQ(FoundBy(CheckLateSettings, build + "ENV FORCE_CUDA=1\n"),
            (Found{"set-too-late:3", "ENV FORCE_CUDA=1"}));
  EXPECT_EQ(FoundBy(CheckLateSettings, build + "ENV FORCE_CUDA=1\nRUN python setup.py install\n"),
            Found{});
  EXPECT_EQ(FoundBy(CheckLateSettings, "FROM x:1\nENV FORCE_CUDA=1\nRUN pip install flash-attn\n"),
            Found{});
}

TEST(DockerLeftovers, CondaAsksAndKeeps) {
  EXPECT_EQ(FoundBy(CheckLeftovers, "FROM x:1\nRUN conda install numpy\n"),
            (Found{"apt-asks:2", "conda-cache:2", "RUN conda install -y numpy",
                   "RUN conda install numpy && conda clean -afy"}));
  EXPECT_EQ(FoundBy(CheckLeftovers, "FROM x:1\nRUN conda install -y numpy && conda clean -afy\n"),
            Found{});
}

TEST(DockerHandedOver, WhatAnotherStageBuiltMustRunHere) {
  const std::string build =
      "FROM nvidia/cuda:12.6.3-cudnn-devel-ubuntu24.04 AS build\n"
      "RUN nvcc gemm.cu -lcublas -lcudnn -o gemm\n";
  EXPECT_EQ(FoundBy(CheckHandedOver, build + "FROM nvidia/cuda:12.6.3-base-ubuntu24.04\n"
                                             "COPY --from=build /gemm /usr/bin/\n"),
            Found{"library-missing:4"});
  EXPECT_EQ(FoundBy(CheckHandedOver, build + "FROM nvidia/cuda:12.6.3-cudnn-runtime-ubuntu22.04\n"
                                             "COPY --from=build /gemm /usr/bin/\n"),
            (Found{"older-system:3", "FROM nvidia/cuda:12.6.3-cudnn-runtime-ubuntu24.04"}));
  EXPECT_EQ(FoundBy(CheckHandedOver, build + "FROM nvidia/cuda:12.6.3-cudnn-runtime-ubuntu24.04\n"
                                             "COPY --from=build /gemm /usr/bin/\n"),
            Found{});
  EXPECT_EQ(FoundBy(CheckHandedOver, build + "FROM ubuntu:24.04\nCOPY --from=build /gemm /gemm\n"),
            Found{"library-missing:4"});
  EXPECT_EQ(FoundBy(CheckHandedOver, build + "FROM ubuntu:24.04\n"
                                             "RUN apt-get install -y libcublas-12-6\n"
                                             "COPY --from=build /gemm /gemm\n"),
            Found{});
  EXPECT_EQ(FoundBy(CheckHandedOver,
                    "FROM nvidia/cuda:12.6.3-devel-ubuntu24.04 AS build\n"
                    "RUN nvcc a.cu -o /a\nFROM ubuntu:24.04\n"
                    "COPY --from=build /a /a\n"),
            Found{});  // nvcc links the runtime statically
  EXPECT_EQ(FoundBy(CheckHandedOver,
                    "FROM python:3.11-bookworm AS build\nRUN make\n"
                    "FROM ubuntu:20.04\nCOPY --from=build /a /a\n"),
            Found{"older-system:3"});
  const std::string torch =
      "pip install torch==2.5.1 --index-url https://download.pytorch.org/whl/";
  EXPECT_EQ(FoundBy(CheckHandedOver, "FROM x:1 AS build\nRUN " + torch +
                                         "cu124 && pip wheel -w /w .\nFROM x:1\n"
                                         "COPY --from=build /w /w\nRUN " +
                                         torch + "cu118\n"),
            (Found{"torch-toolkit:5", "RUN " + torch + "cu124"}));
}

TEST(DockerScripts, StopAtErrorsAndCannotActivate) {
  EXPECT_EQ(FoundBy(CheckScripts, "FROM x:1\nRUN <<EOF\nmake\nmake install\nEOF\n"),
            (Found{"script-errors:2", "set -e"}));
  EXPECT_EQ(FoundBy(CheckScripts, "FROM x:1\nRUN <<EOF\nset -eux\nmake\nmake install\nEOF\n"),
            Found{});
  EXPECT_EQ(FoundBy(CheckScripts,
                    "FROM x:1\nSHELL [\"/bin/bash\", \"-euo\", \"pipefail\", "
                    "\"-c\"]\nRUN <<EOF\nmake\nmake install\nEOF\n"),
            Found{});
  EXPECT_EQ(FoundBy(CheckScripts, "FROM x:1\nRUN python3 <<EOF\na = 1\nb = 2\nEOF\n"), Found{});
  EXPECT_EQ(FoundBy(CheckScripts, "FROM x:1\nRUN conda activate seg && pip install x\n"),
            Found{"conda-activate:2"});
  EXPECT_EQ(FoundBy(CheckScripts,
                    "FROM x:1\nSHELL [\"/bin/bash\", \"-lc\"]\n"
                    "RUN conda activate seg\n"),
            Found{});
}

TEST(DockerSources, ArePinned) {
  EXPECT_EQ(FoundBy(CheckSources, "FROM x:1\nRUN pip install git+https://github.com/a/b.git\n"),
            Found{"unpinned-source:2"});
  EXPECT_EQ(FoundBy(CheckSources, "FROM x:1\nRUN pip install git+https://github.com/a/b.git@v1\n"),
            Found{});
  EXPECT_EQ(FoundBy(CheckSources, "FROM x:1\nRUN git clone https://x.org/y\n"),
            Found{"unpinned-source:2"});
  EXPECT_EQ(FoundBy(CheckSources,
                    "FROM x:1\nRUN git clone https://x.org/y && cd y && "
                    "git checkout 1a2b3c\n"),
            Found{});
  EXPECT_EQ(FoundBy(CheckSources, "FROM x:1\nRUN git clone -b v2.0 https://x.org/y\n"), Found{});
}

TEST(DockerWheelIndex, ExistsAndHasTheRelease) {
  const std::string pip = "FROM x:1\nRUN pip install ";
  const std::string index = " --index-url https://download.pytorch.org/whl/";
  EXPECT_EQ(FoundBy(CheckWheelIndexes, pip + "torch" + index + "cu125\n"),
            (Found{"wheel-index:2", "RUN pip install torch" + index + "cu124"}));
  EXPECT_EQ(FoundBy(CheckWheelIndexes, pip + "torch==2.5.1" + index + "cu128\n"),
            (Found{"wheel-index:2", "RUN pip install torch==2.5.1" + index + "cu124"}));
  EXPECT_EQ(FoundBy(CheckWheelIndexes, pip + "torch==2.9.0" + index + "cu121\n"),
            (Found{"wheel-index:2", "RUN pip install torch==2.9.0" + index + "cu126"}));
  EXPECT_EQ(FoundBy(CheckWheelIndexes, pip + "torch==2.5.1" + index + "cu124\n"), Found{});
  EXPECT_EQ(FoundBy(CheckWheelIndexes, pip + "torch==2.5.*" + index + "cu128\n"), Found{});
  EXPECT_EQ(FoundBy(CheckWheelIndexes, pip + "torch==1.7.1" + index + "cu110\n"), Found{});
  EXPECT_EQ(FoundBy(CheckWheelIndexes, pip + "--pre torch --index-url "
                                             "https://download.pytorch.org/whl/nightly/cu125\n"),
            Found{});
}

TEST(LinuxSystem, IsReadFromTheNameOfTheImage) {
  EXPECT_EQ(SystemOf("nvidia/cuda:12.8.1-cudnn-devel-ubuntu24.04").version, "24.04");
  EXPECT_EQ(SystemOf("docker.io/library/ubuntu:noble").version, "24.04");
  EXPECT_EQ(SystemOf("debian:12-slim").version, "12");
  EXPECT_EQ(SystemOf("rockylinux:9").name, "");
  EXPECT_EQ(SystemOf("nvidia/cuda:12.8.1-base-ubi9").name, "");
  EXPECT_TRUE(ManagesPython(SystemOf("debian:trixie")));
  EXPECT_FALSE(ManagesPython(SystemOf("debian:bullseye")));
  EXPECT_FALSE(ManagesPython(SystemOf("ubuntu:22.04")));
}

}  // namespace
}  // namespace sibyl::inspect
