// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/rules/docker_commands.h"

#include <gtest/gtest.h>

namespace sibyl::inspect {
namespace {

// Codes, then the lines of the corrections.
std::vector<std::string> CommandFindings(
    const std::string& lines, const std::string& image = "nvidia/cuda:13.0.1-base-ubuntu24.04") {
  Artifact artifact{.path = "Dockerfile"};
  artifact.detail["corrections"] = Json::array();
  ScriptBudget budget;
  CheckCommands(ParseDockerfile("FROM " + image + "\n" + lines), budget, artifact);
  std::vector<std::string> found;
  for (const Finding& finding : artifact.findings) found.push_back(finding.code);
  for (const Json& correction : artifact.detail["corrections"]) {
    for (const Json& line : correction["lines"]) found.push_back(line.get<std::string>());
  }
  return found;
}

using Found = std::vector<std::string>;

TEST(DockerCommands, AValueDoesNotSeeVariablesOfItsOwnEnv) {
  EXPECT_EQ(CommandFindings("ENV CUDA_HOME=/usr/local/cuda PATH=$CUDA_HOME/bin:$PATH\n"),
            (Found{"docker/env-same-line", "ENV CUDA_HOME=/usr/local/cuda",
                   "ENV PATH=$CUDA_HOME/bin:$PATH"}));
  EXPECT_EQ(CommandFindings("ENV A=1 \\\n    B=${A}2\n"), Found{"docker/env-same-line"});
  EXPECT_EQ(CommandFindings("ENV PATH=/x:$PATH LANG=C\n"), Found{});
  EXPECT_EQ(CommandFindings("ENV PATH /x:$PATH\n"), Found{});
}

TEST(DockerCommands, AnErrorPageIsNotTheFile) {
  EXPECT_EQ(CommandFindings("RUN curl -sSLO https://x.org/a.tar\n"),
            (Found{"docker/curl-no-fail", "RUN curl -f -sSLO https://x.org/a.tar"}));
  EXPECT_EQ(CommandFindings("RUN curl -fsSLO https://x.org/a.tar\n"), Found{});
  EXPECT_EQ(CommandFindings("RUN curl --fail -o a https://x.org/a.tar\n"), Found{});
  EXPECT_EQ(CommandFindings("RUN curl -s http://localhost:80/x -o y\n"), Found{});
  EXPECT_EQ(CommandFindings("RUN wget --no-check-certificate https://x.org/a\n"),
            (Found{"docker/certificate-unchecked", "RUN wget https://x.org/a"}));
  EXPECT_EQ(CommandFindings("RUN curl -k -fO https://x.org/a\n"),
            (Found{"docker/certificate-unchecked", "RUN curl -fO https://x.org/a"}));
}

TEST(DockerCommands, PackagesOfCudaHaveAVersionAndStay) {
  EXPECT_EQ(CommandFindings("RUN apt-get update && apt-get upgrade -y\n"),
            Found{"docker/apt-upgrade"});
  EXPECT_EQ(CommandFindings("RUN apt-get update && apt-get upgrade -y\n", "ubuntu:24.04"), Found{});
  EXPECT_EQ(CommandFindings("RUN apt-get install -y cuda-toolkit\n"),
            Found{"docker/unpinned-package"});
  EXPECT_EQ(CommandFindings("RUN apt-get install -y cuda-toolkit-13-0\n"), Found{});
}

TEST(DockerCommands, RedHatsPackageManagerIsCheckedToo) {
  EXPECT_EQ(CommandFindings("RUN dnf install git\n"),
            (Found{"docker/apt-asks", "docker/dnf-cache", "RUN dnf install -y git",
                   "RUN dnf install git && dnf clean all"}));
  EXPECT_EQ(CommandFindings("RUN yum install -y git && yum clean all\n"), Found{});
  EXPECT_EQ(CommandFindings("RUN dnf install -y git\nFROM rockylinux:9\n"),
            Found{});  // not shipped
}

TEST(DockerCommands, ServicesUsersAndShells) {
  EXPECT_EQ(CommandFindings("RUN service ssh start\n"), Found{"docker/lost-after-run"});
  EXPECT_EQ(CommandFindings("RUN useradd -m -u 1000000000 app\n"),
            (Found{"docker/large-user", "RUN useradd -l -m -u 1000000000 app"}));
  EXPECT_EQ(CommandFindings("RUN useradd -m -u 1000 app\n"), Found{});
  EXPECT_EQ(CommandFindings("RUN ln -sf /bin/bash /bin/sh\n"),
            (Found{"docker/shell-link", "SHELL [\"/bin/bash\", \"-c\"]"}));
}

TEST(DockerCommands, EachLineOfAHereDocumentIsACommand) {
  EXPECT_EQ(CommandFindings("RUN <<EOF\napt-get update\napt-get upgrade -y\nEOF\n"),
            Found{"docker/apt-upgrade"});
}

TEST(DockerCommands, AnImageWithoutAShellMayGetOne) {
  EXPECT_EQ(CommandFindings("RUN [\"/busybox/ln\", \"-s\", \"/busybox/sh\", \"/bin/sh\"]\n"),
            Found{});
}

TEST(DockerCommands, APackageIsNamedForTheCudaOfItsImage) {
  const auto hint = [](const std::string& image) {
    Artifact artifact{.path = "Dockerfile"};
    artifact.detail["corrections"] = Json::array();
    ScriptBudget budget;
    CheckCommands(ParseDockerfile("FROM " + image + "\nRUN apt-get install -y cuda-toolkit\n"),
                  budget, artifact);
    return artifact.findings.at(0).hint;
  };
  EXPECT_EQ(hint("nvidia/cuda:12.4.1-base-ubuntu22.04"),
            "name the release of the image: cuda-toolkit-12-4");
  EXPECT_EQ(hint("ubuntu:24.04"), "name the release: cuda-toolkit-MAJOR-MINOR");
}

}  // namespace
}  // namespace sibyl::inspect
