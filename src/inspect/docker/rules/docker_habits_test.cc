// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/rules/docker_habits.h"

#include <gtest/gtest.h>

#include "inspect/docker/docker_check.h"

namespace sibyl::inspect {
namespace {

// "3: the first line of the fix"; "3" if there is none, and "" without a finding.
std::string HabitFound(std::string_view code, std::string_view text) {
  Artifact artifact{.path = "Dockerfile"};
  CheckDockerfile(ParseDockerfile("FROM ubuntu:24.04 AS base\n" + std::string(text)), {}, artifact);
  for (const Finding& finding : artifact.findings) {
    if (finding.code != code) continue;
    for (const Json& correction : artifact.detail["corrections"]) {
      if (correction["code"] == code) {
        return std::to_string(finding.place.line) + ": " +
               correction["lines"][0].get<std::string>();
      }
    }
    return std::to_string(finding.place.line);
  }
  return {};
}

TEST(DockerHabits, SudoAndAptAreForPeople) {
  EXPECT_EQ(HabitFound("docker/sudo", "RUN sudo make install\n"), "2: RUN make install");
  EXPECT_EQ(HabitFound("docker/sudo", "RUN apt-get install -y sudo\n"), "");
  EXPECT_EQ(HabitFound("docker/sudo", "RUN apt-get install -y sudo git && useradd x\n"), "");
  EXPECT_EQ(HabitFound("docker/sudo", "USER me\nRUN sudo make install\n"), "");
  EXPECT_EQ(HabitFound("docker/sudo", "RUN if true; then sudo -E make; fi\n"), "2");
  EXPECT_EQ(HabitFound("docker/apt-for-people", "RUN apt update && apt install -y git\n"),
            "2: RUN apt-get update && apt-get install -y git");
  EXPECT_EQ(HabitFound("docker/apt-for-people", "RUN apt-get update\n"), "");
}

TEST(DockerHabits, EveryLineOfAnInstructionIsCorrected) {
  EXPECT_EQ(HabitFound("docker/apt-for-people", "RUN true && \\\n    apt install -y git\n"),
            "2:     apt-get install -y git");
}

TEST(DockerHabits, ADownloadThatNothingIsComparedWithIsSaid) {
  const auto is_said = [](std::string_view run) {
    return !HabitFound("docker/download-unchecked", run).empty();
  };
  EXPECT_TRUE(is_said("RUN wget https://x.org/x.tar.gz && tar xf x.tar.gz\n"));
  EXPECT_TRUE(is_said("RUN curl -fsSL https://x.org/i.sh | sh\n"));
  EXPECT_TRUE(is_said("RUN set -e; curl -fsSLO https://x.org/z.deb; dpkg -i z.deb\n"));
  EXPECT_FALSE(is_said("RUN wget https://x.org/x.tar && echo \"ab  x.tar\" | sha256sum -c\n"));
  EXPECT_FALSE(is_said("RUN curl -fsSL https://x.org/key.asc | gpg --dearmor -o /k.gpg\n"));
  EXPECT_FALSE(is_said("RUN curl -s https://x.org/key | gpg --dearmor -o /k\n"));
  EXPECT_FALSE(is_said("RUN wget https://x.org/cuda-keyring_1.1-1_all.deb\n"));
  EXPECT_FALSE(is_said("RUN curl -f http://localhost:8000/health\n"));
  EXPECT_FALSE(is_said("RUN echo https://x.org/x.tar.gz\n"));
  EXPECT_FALSE(
      is_said("RUN apt-get install -y wget curl && pip install -i https://x.org/simple y\n"));
}

TEST(DockerHabits, ADownloadThatFailsInAPipeIsSaid) {
  EXPECT_EQ(HabitFound("docker/pipefail", "RUN curl -s https://x.org/i.sh | bash\n"),
            "2: SHELL [\"/bin/bash\", \"-o\", \"pipefail\", \"-c\"]");
  EXPECT_EQ(HabitFound("docker/pipefail", "RUN set -o pipefail; curl https://x.org | bash\n"), "");
  EXPECT_EQ(HabitFound("docker/pipefail",
                       "SHELL [\"/bin/bash\", \"-o\", \"pipefail\", \"-c\"]\n"
                       "RUN curl https://x.org | bash\n"),
            "");
  EXPECT_EQ(HabitFound("docker/pipefail",
                       "SHELL [\"/bin/bash\", \"-o\", \"pipefail\", \"-c\"]\n"
                       "FROM base\nRUN curl https://x.org | bash\n"),
            "");
  EXPECT_EQ(HabitFound("docker/pipefail", "RUN curl -O https://x.org && ls | wc -l\n"), "");
}

TEST(DockerHabits, FoldersAndRepeatedLines) {
  EXPECT_EQ(HabitFound("docker/workdir-relative", "WORKDIR app\n"), "2");
  EXPECT_EQ(HabitFound("docker/workdir-relative", "WORKDIR /app\nWORKDIR sub\n"), "");
  EXPECT_EQ(HabitFound("docker/workdir-relative", "WORKDIR $HOME/app\n"), "");
  EXPECT_EQ(HabitFound("docker/no-effect", "CMD [\"a\"]\nCMD [\"b\"]\n"), "2");
  EXPECT_EQ(HabitFound("docker/no-effect", "CMD [\"a\"]\nFROM base\nCMD [\"b\"]\n"), "");
}

TEST(DockerHabits, DownloadsAndWheelsHaveAVersion) {
  EXPECT_EQ(HabitFound("docker/add-unchecked", "ADD https://x.org/m.bin /m/\n"),
            "2: ADD --checksum=sha256:DIGEST https://x.org/m.bin /m/");
  EXPECT_EQ(HabitFound("docker/add-unchecked", "ADD --checksum=sha256:1f https://x.org/m /m\n"),
            "");
  EXPECT_EQ(HabitFound("docker/unpinned-wheel", "RUN pip install torch\n"), "2");
  EXPECT_EQ(HabitFound("docker/unpinned-wheel", "RUN pip install torch==2.7.0\n"), "");
}

TEST(DockerHabits, SecretsStayInTheHistory) {
  EXPECT_EQ(HabitFound("docker/secret", "ARG HF_TOKEN\n"), "2");
  EXPECT_EQ(HabitFound("docker/secret", "ENV OPENAI_API_KEY=sk-1\n"), "2");
  EXPECT_EQ(HabitFound("docker/secret", "ENV TOKENIZERS_PARALLELISM=false\n"), "");
  EXPECT_EQ(HabitFound("docker/secret", "ARG KEYRING=/usr/share/keyrings/x\n"), "");
  EXPECT_EQ(HabitFound("docker/maintainer", "MAINTAINER Ada\n"),
            "2: LABEL org.opencontainers.image.authors=\"Ada\"");
}

}  // namespace
}  // namespace sibyl::inspect
