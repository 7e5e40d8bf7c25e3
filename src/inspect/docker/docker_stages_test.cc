// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_stages.h"

#include <gtest/gtest.h>

namespace sibyl::inspect {
namespace {

// "LINE CODE" of each finding, then the lines of the corrections.
std::vector<std::string> StageFindings(const std::string& text) {
  Artifact artifact{.path = "Dockerfile"};
  artifact.detail["corrections"] = Json::array();
  ScriptBudget budget;
  CheckStages(ParseDockerfile(text), budget, artifact);
  std::vector<std::string> found;
  for (const Finding& finding : artifact.findings) {
    found.push_back(std::to_string(finding.place.line) + " " + finding.code);
  }
  for (const Json& correction : artifact.detail["corrections"]) {
    for (const Json& line : correction["lines"]) found.push_back(line.get<std::string>());
  }
  return found;
}

using Found = std::vector<std::string>;
const std::string kTwo = "FROM ubuntu:24.04 AS build\nFROM ubuntu:24.04\n";

// Issue 23: DL3022 of hadolint was found only for names that resemble a stage's.
TEST(DockerStages, ACopyIsFromAnEarlierStageOrAnImageWithAVersion) {
  EXPECT_EQ(StageFindings(kTwo + "COPY --from=biuld /a /a\n"),
            (Found{"3 docker/unknown-stage", "COPY --from=build /a /a"}));
  EXPECT_EQ(StageFindings(kTwo + "COPY --from=wheels /a /a\n"), Found{"3 docker/unknown-stage"});
  EXPECT_EQ(StageFindings(kTwo + "COPY --from=3 /a /a\n"), Found{"3 docker/unknown-stage"});
  EXPECT_EQ(StageFindings(kTwo + "COPY --from=nginx /a /a\n"), Found{"3 docker/unpinned-image"});
  EXPECT_EQ(StageFindings(kTwo + "COPY --from=build /a /a\n"), Found{});
  EXPECT_EQ(StageFindings(kTwo + "COPY --from=ghcr.io/astral-sh/uv:0.8 /uv /bin/\n"), Found{});
  EXPECT_EQ(StageFindings(kTwo + "RUN --mount=type=bind,from=wheels,target=/w true\n"),
            Found{"3 docker/unknown-stage"});
  EXPECT_EQ(StageFindings(kTwo + "RUN --mount=type=bind,from=build,target=/w true\n"), Found{});
  EXPECT_EQ(StageFindings("FROM ubuntu:24.04 AS build\nFROM biuld\n"),
            (Found{"2 docker/unknown-stage", "FROM build"}));
}

// An exit status of 0 would pass a build that fails.
TEST(DockerStages, AMisspeltStageIsAnError) {
  const auto severity = [](const std::string& name) {
    Artifact artifact{.path = "Dockerfile"};
    artifact.detail["corrections"] = Json::array();
    ScriptBudget budget;
    CheckStages(ParseDockerfile(kTwo + "COPY --from=" + name + " /a /a\n"), budget, artifact);
    return artifact.findings.at(0).severity;
  };
  EXPECT_EQ(severity("biuld"), Severity::kError);
  EXPECT_EQ(severity("wheels"), Severity::kWarning) << "it may be an image";
}

TEST(DockerStages, HaveNamesOfTheirOwnAndNothingBefore) {
  EXPECT_EQ(StageFindings("FROM ubuntu:24.04 AS a\nFROM ubuntu:24.04 AS a\n"),
            Found{"2 docker/stage-twice"});
  EXPECT_EQ(StageFindings("ARG A=1\nRUN true\nFROM ubuntu:24.04\n"), Found{"2 docker/before-from"});
}

// Issue 23: DL3002 of hadolint was not found.
TEST(DockerStages, TheContainerDoesNotRunAsRoot) {
  const std::string from = "FROM ubuntu:24.04\n";
  EXPECT_EQ(StageFindings(from + "RUN useradd -m app\nUSER root\nCMD [\"x\"]\n"),
            (Found{"3 docker/user-root", "USER app", "CMD [\"x\"]"}));
  EXPECT_EQ(StageFindings(from + "USER app\nUSER 0:0\n"), Found{"3 docker/user-root"});
  EXPECT_EQ(StageFindings(from + "USER root\nRUN x\nUSER app\n"), Found{});
  EXPECT_EQ(StageFindings(from + "USER root\nFROM ubuntu:24.04\nUSER app\n"), Found{});
  EXPECT_EQ(StageFindings("FROM ubuntu:24.04 AS a\nUSER root\nFROM a\n"),
            Found{"2 docker/user-root"});
  EXPECT_EQ(StageFindings(from), Found{});
}

TEST(DockerStages, SeveralFilesAreCopiedIntoAFolder) {
  const std::string from = "FROM ubuntu:24.04\nWORKDIR /w\n";
  EXPECT_EQ(StageFindings(from + "COPY a b /x\n"),
            (Found{"3 docker/copy-destination", "COPY a b /x/"}));
  // The folder exists: only the classic builder refuses it.
  const std::string note = "3 docker/copy-destination";
  EXPECT_EQ(StageFindings(from + "COPY a b /w\n"), (Found{note, "COPY a b /w/"}));
  for (const char* makes : {"RUN mkdir -p /q\n", "COPY lib/ /q\n", "COPY a /q/\n"}) {
    EXPECT_EQ(StageFindings("FROM ubuntu:24.04\n" + std::string(makes) + "COPY a b /q\n"),
              (Found{note, "COPY a b /q/"}));
  }
  EXPECT_EQ(StageFindings(from + "COPY a b /usr/local/bin\n"),
            (Found{note, "COPY a b /usr/local/bin/"}));
  EXPECT_EQ(StageFindings(from + "COPY a b ./\nCOPY a b .\nCOPY a x\n"), Found{});
  EXPECT_EQ(StageFindings("FROM ubuntu:24.04\nCOPY a x\n"), Found{"2 docker/copy-relative"});
}

}  // namespace
}  // namespace sibyl::inspect
