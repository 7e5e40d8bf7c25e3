// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/pip/docker_pip.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sibyl::inspect {
namespace {

using Found = std::vector<std::string>;

// "CODE:LINE" of each finding, then the first line of each correction.
Found PipFindings(const std::string& text) {
  Artifact artifact{.path = "Dockerfile"};
  artifact.detail["corrections"] = Json::array();
  ScriptBudget budget;
  CheckPip(ParseDockerfile(text), budget, artifact);
  Found found;
  for (const Finding& finding : artifact.findings) {
    found.push_back(finding.code.substr(7) + ":" + std::to_string(finding.place.line));
  }
  for (const Json& correction : artifact.detail["corrections"]) {
    found.push_back(correction["lines"][0].get<std::string>());
  }
  return found;
}

Found PipFindingsOf(const std::string& command) {
  return PipFindings("FROM python:3.11-slim\nRUN " + command + "\n");
}

TEST(DockerPip, AShellTakesAVersionForARedirection) {
  EXPECT_EQ(PipFindingsOf("pip install x>=1.0 'y>=2' z<3 && make >log"),
            (Found{"shell-redirect:2", "RUN pip install \"x>=1.0\" 'y>=2' \"z<3\" && make >log"}));
  EXPECT_EQ(PipFindingsOf("conda install -y numpy[a]>=1.2,<2")[0], "shell-redirect:2");
  EXPECT_EQ(PipFindings("FROM x:1\nRUN pip install a \\\n  b>=1\n"),
            (Found{"shell-redirect:2", "  \"b>=1\""}));
  EXPECT_EQ(PipFindings("FROM x:1\nRUN <<EOF\npip install b>=1\nEOF\n"),
            (Found{"shell-redirect:2", "pip install \"b>=1\""}));
  // Other quotes are around it.
  EXPECT_EQ(PipFindingsOf("bash -c \"pip install x>=1\""), Found{"shell-redirect:2"});
  EXPECT_EQ(PipFindingsOf("pip install x > log 2>&1"), Found{});
  EXPECT_EQ(PipFindingsOf("pip install x\\>=1 \"y>=1\""), Found{});
  EXPECT_EQ(PipFindingsOf("[\"pip\", \"install\", \"x>=1\"]"), Found{});
  EXPECT_EQ(PipFindingsOf("test x>=1"), Found{});
}

TEST(DockerPip, AnIndexReplacesPyPI) {
  const std::string index = " https://download.pytorch.org/whl/cu124";
  EXPECT_EQ(
      PipFindingsOf("pip install torch transformers --index-url" + index),
      (Found{"index-replaced:2", "RUN pip install torch transformers --extra-index-url" + index}));
  EXPECT_EQ(PipFindingsOf("pip install torch timm -i" + index),
            (Found{"index-replaced:2", "RUN pip install torch timm --extra-index-url" + index}));
  EXPECT_EQ(PipFindingsOf("pip install torch numpy --index-url" + index), Found{});
  // What is there already is not looked for.
  EXPECT_EQ(PipFindingsOf("pip install timm && pip install torch timm --index-url" + index),
            Found{});
  EXPECT_EQ(PipFindingsOf("pip install -r x.txt && pip install torch timm --index-url" + index),
            Found{});
  EXPECT_EQ(PipFindingsOf("pip install torch timm --extra-index-url" + index), Found{});
  EXPECT_EQ(PipFindingsOf("pip install torch timm --index-url" + index +
                          " --extra-index-url https://pypi.org/simple"),
            Found{});
  EXPECT_EQ(PipFindings("FROM x:1\nENV PIP_EXTRA_INDEX_URL=https://pypi.org/simple\n"
                        "RUN pip install torch timm --index-url" +
                        index + "\n"),
            Found{});
}

TEST(DockerPip, PyPIHasNoLocalVersions) {
  const std::string option = "--extra-index-url https://download.pytorch.org/whl/cu118";
  EXPECT_EQ(PipFindingsOf("pip install torch==2.1.2+cu118"),
            (Found{"wheel-index:2", "RUN pip install " + option + " torch==2.1.2+cu118"}));
  EXPECT_EQ(PipFindingsOf("pip install \"torch==2.1.2+cu118\""),
            (Found{"wheel-index:2", "RUN pip install " + option + " \"torch==2.1.2+cu118\""}));
  EXPECT_EQ(PipFindingsOf("pip install torch==2.1.2+cu118 " + option), Found{});
  EXPECT_EQ(PipFindingsOf("pip install torch==2.1.2+cu118 -r requirements.txt"), Found{});
  EXPECT_EQ(PipFindingsOf("pip install torch==2.1.2"), Found{});
  EXPECT_EQ(PipFindingsOf("pip install torch==2.2.0+cu122"), Found{"wheel-index:2"});
  EXPECT_EQ(PipFindingsOf("pip install torch==1.9.0+cu111"),
            (Found{"wheel-index:2",
                   "RUN pip install -f https://download.pytorch.org/whl/torch_stable.html "
                   "torch==1.9.0+cu111"}));
  EXPECT_EQ(PipFindings("FROM python:3.11\nRUN pip config set global.index-url https://x.org\n"
                        "RUN pip install torch==2.1.2+cu118\n"),
            Found{});
  // The image may know another index.
  EXPECT_EQ(PipFindings("FROM dustynv/l4t:1\nRUN pip install torch==2.1.2+cu118\n"), Found{});
}

TEST(DockerPip, HttpLetsAnybodyReplacePackages) {
  EXPECT_EQ(PipFindingsOf("pip install x -i http://mirrors.aliyun.com/pypi/simple/ "
                          "--trusted-host mirrors.aliyun.com"),
            (Found{"certificate-unchecked:2",
                   "RUN pip install x -i https://mirrors.aliyun.com/pypi/simple/"}));
  EXPECT_EQ(PipFindingsOf("pip install --trusted-host pypi.org x"),
            (Found{"certificate-unchecked:2", "RUN pip install x"}));
  EXPECT_EQ(PipFindingsOf("pip install --trusted-host pypi.org --trusted-host pypi.python.org x"),
            (Found{"certificate-unchecked:2", "RUN pip install x"}));
  EXPECT_EQ(PipFindingsOf("pip install --trusted-host pypi.org --trusted-host x.example.com x"),
            Found{"certificate-unchecked:2"});
  EXPECT_EQ(PipFindingsOf("pip install x -i http://mirror.example.com --trusted-host "
                          "mirror.example.com"),
            Found{"certificate-unchecked:2"});
  EXPECT_EQ(PipFindingsOf("pip install x -i http://devpi:3141 --trusted-host devpi"), Found{});
  EXPECT_EQ(PipFindingsOf("pip install x -i http://10.0.0.7:3141/simple --trusted-host 10.0.0.7"),
            Found{});
  EXPECT_EQ(PipFindingsOf("pip install x -i https://mirrors.aliyun.com/pypi/simple"), Found{});
}

TEST(DockerPip, AlpineHasNoGlibc) {
  EXPECT_EQ(PipFindings("FROM python:3.12-alpine\nRUN pip install numpy torch==2.5.1\n"),
            Found{"musl:2"});
  EXPECT_EQ(PipFindings("FROM alpine:3.20 AS a\nFROM a\nRUN pip install onnxruntime-gpu\n"),
            Found{"musl:3"});
  EXPECT_EQ(PipFindings("FROM python:3.12-alpine\nRUN pip install numpy\n"), Found{});
  EXPECT_EQ(PipFindings("FROM python:3.12-slim\nRUN pip install torch==2.5.1\n"), Found{});
}

}  // namespace
}  // namespace sibyl::inspect
