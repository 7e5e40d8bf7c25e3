// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_shipped.h"

#include <gtest/gtest.h>

#include <map>

#include "inspect/docker/docker_check.h"

namespace sibyl::inspect {
namespace {

std::map<std::string, std::size_t> LinesByCode(std::string_view text) {
  Artifact artifact{.path = "Dockerfile"};
  CheckDockerfile(ParseDockerfile(text), {}, artifact);
  std::map<std::string, std::size_t> lines;
  for (const Finding& finding : artifact.findings) lines[finding.code] = finding.place.line;
  // These excerpts install neither Python nor other programs.
  lines.erase("docker/program-missing");
  lines.erase("docker/pip-managed");
  return lines;
}

std::string CorrectionOf(std::string_view code, std::string_view text) {
  Artifact artifact{.path = "Dockerfile"};
  CheckDockerfile(ParseDockerfile(text), {}, artifact);
  for (const Json& correction : artifact.detail["corrections"]) {
    if (correction["code"] == code) return correction["lines"][0].get<std::string>();
  }
  return {};
}

using Lines = std::map<std::string, std::size_t>;

TEST(DockerShipped, ListsOfAnEarlierLayerCannotBeRemoved) {
  const std::string_view text =
      "FROM ubuntu:24.04\nRUN apt-get update\nRUN apt-get install -y --no-install-recommends git\n";
  EXPECT_EQ(LinesByCode(text), (Lines{{"docker/apt-update-alone", 2}}));
}

TEST(DockerShipped, SeveralLinesAreFixedWhereTheCommandIs) {
  const std::string_view text =
      "FROM ubuntu:24.04\nRUN apt-get update \\\n  # tools\n && apt-get install -y \\\n  git\n";
  EXPECT_EQ(CorrectionOf("docker/apt-recommends", text),
            " && apt-get install --no-install-recommends -y \\");
  EXPECT_EQ(CorrectionOf("docker/apt-lists", text), "  git && rm -rf /var/lib/apt/lists/*");
}

TEST(DockerShipped, OtherInstallsOfTheLineStay) {
  EXPECT_EQ(CorrectionOf("docker/apt-recommends",
                         "FROM ubuntu:24.04\nRUN install -d /etc/apt/keys && apt-get update && "
                         "apt-get -y install git && rm -rf /var/lib/apt/lists/*\n"),
            "RUN install -d /etc/apt/keys && apt-get update && "
            "apt-get -y install --no-install-recommends git && rm -rf /var/lib/apt/lists/*");
}

TEST(DockerShipped, Pip3HasTheSameFix) {
  EXPECT_EQ(CorrectionOf("docker/pip-cache", "FROM python:3.12\nRUN pip3 install einops==0.8.0\n"),
            "RUN pip3 install --no-cache-dir einops==0.8.0");
}

TEST(DockerShipped, AFolderOfCcacheNeedsCcache) {
  const std::string cmake = "RUN cmake --build /src/b\n";
  EXPECT_FALSE(LinesByCode("FROM ubuntu:24.04\n" + cmake).contains("docker/no-cache-mount"));
  EXPECT_TRUE(LinesByCode("FROM ubuntu:24.04\nENV CMAKE_CXX_COMPILER_LAUNCHER=ccache\n" + cmake)
                  .contains("docker/no-cache-mount"));
}

TEST(DockerShipped, PackageListsAndRecommendedPackagesAreSaid) {
  const std::string_view text = "FROM ubuntu:24.04\nRUN apt-get update && apt-get install -y git\n";
  EXPECT_EQ(LinesByCode(text), (Lines{{"docker/apt-lists", 2}, {"docker/apt-recommends", 2}}));
  EXPECT_EQ(CorrectionOf("docker/apt-lists", text),
            "RUN apt-get update && apt-get install -y git && rm -rf /var/lib/apt/lists/*");
  EXPECT_EQ(CorrectionOf("docker/apt-recommends", text),
            "RUN apt-get update && apt-get install --no-install-recommends -y git");
}

// Issue 23: the fix removed lists that the next line installs from, and the build failed.
TEST(DockerShipped, ListsStayWhileALaterLineInstallsFromThem) {
  const std::string from = "FROM ubuntu:24.04 AS a\n";
  const std::string update = "RUN apt-get update && apt-get install -y --no-install-recommends git";
  const std::string script =
      "RUN <<EOF\napt-get update\napt-get install -y --no-install-recommends git\nEOF\n";
  const std::string install = "RUN apt-get install -y --no-install-recommends vim\n";
  EXPECT_EQ(CorrectionOf("docker/apt-lists", from + update + "\n" + install), "");
  EXPECT_EQ(CorrectionOf("docker/apt-lists", from + script + install), "");
  EXPECT_EQ(CorrectionOf("docker/apt-lists", from + update + "\nFROM a\n" + install), "");
  EXPECT_EQ(CorrectionOf("docker/apt-lists", from + update + "\nRUN bash setup.sh\n"), "");
  EXPECT_EQ(CorrectionOf("docker/apt-lists", from + update + "\nRUN rosdep install x\n"), "");
  EXPECT_EQ(LinesByCode(from + update + "\n" + install), (Lines{{"docker/apt-lists", 2}}));
  const std::string fixed = update + " && rm -rf /var/lib/apt/lists/*";
  EXPECT_EQ(CorrectionOf("docker/apt-lists", from + update + "\nRUN git pull\n"), fixed);
  EXPECT_EQ(CorrectionOf("docker/apt-lists", from + update + "\n" + fixed + "\n" + install), fixed);
}

TEST(DockerShipped, NothingIsInstalledWithoutLists) {
  const std::string from =
      "FROM ubuntu:24.04 AS a\nRUN apt-get update && apt-get install -y "
      "--no-install-recommends git && rm -rf /var/lib/apt/lists/*\n";
  const std::string install = "RUN apt-get install -y --no-install-recommends vim\n";
  const auto has_error = [&](const std::string& lines) {
    return LinesByCode(from + lines).contains("docker/apt-no-lists");
  };
  EXPECT_TRUE(has_error(install));
  EXPECT_TRUE(has_error("FROM a\n" + install));
  EXPECT_EQ(CorrectionOf("docker/apt-no-lists", from + install),
            "RUN apt-get update && apt-get install -y --no-install-recommends vim");
  EXPECT_FALSE(has_error("RUN apt-get install -y git\n"));  // is there
  EXPECT_FALSE(has_error("RUN apt-get install -y ./a.deb\n"));
  EXPECT_FALSE(has_error("RUN add-apt-repository ppa:x/y && apt-get install -y vim\n"));
  EXPECT_FALSE(has_error("RUN bash setup.sh\n" + install));
  EXPECT_FALSE(has_error("RUN apt-get install -y vim || true\n"));
  EXPECT_FALSE(has_error("RUN apt-get update && apt-get install -y vim\n"));
  EXPECT_FALSE(has_error("RUN --mount=type=cache,target=/var/lib/apt apt-get install -y vim\n"));
  EXPECT_FALSE(has_error("FROM ubuntu:24.04\n" + install));
}

TEST(DockerShipped, CleanInstallsAreQuiet) {
  EXPECT_EQ(LinesByCode("FROM ubuntu:24.04\n"
                        "RUN apt-get update && apt-get install -y --no-install-recommends git \\\n"
                        "    && rm -rf /var/lib/apt/lists/*\n"
                        "RUN --mount=type=cache,target=/var/cache/apt \\\n"
                        "    --mount=type=cache,target=/var/lib/apt \\\n"
                        "    apt-get update && apt-get install -y --no-install-recommends vim\n"
                        "RUN pip install --no-cache-dir numpy==2.1.0\n"
                        "RUN --mount=type=cache,target=/root/.cache/pip pip install scipy==1.14.0\n"
                        "CMD [\"python3\"]\n"),
            Lines{});
}

TEST(DockerShipped, AStageThatIsThrownAwayMayKeepThem) {
  EXPECT_EQ(
      LinesByCode("FROM ubuntu:24.04 AS build\n"
                  "RUN apt-get update && apt-get install -y git\nRUN pip install numpy==2.1.0\n"
                  "FROM ubuntu:24.04\nCOPY --from=build /a /a\n"),
      Lines{});
}

TEST(DockerShipped, AnInstallThatAsksFails) {
  const std::string_view text =
      "FROM ubuntu:24.04 AS build\nRUN apt-get install git\nFROM scratch\n";
  EXPECT_EQ(LinesByCode(text), (Lines{{"docker/apt-asks", 2}}));
  EXPECT_EQ(CorrectionOf("docker/apt-asks", text), "RUN apt-get install -y git");
}

TEST(DockerShipped, AListThatIsCachedGoesStale) {
  EXPECT_EQ(LinesByCode("FROM ubuntu:24.04\nRUN apt-get update\n"),
            (Lines{{"docker/apt-update-alone", 2}}));
}

TEST(DockerShipped, DownloadsOfPipStay) {
  const std::string_view text = "FROM python:3.12\nRUN python -m pip install numpy==2.1.0\n";
  EXPECT_EQ(LinesByCode(text), (Lines{{"docker/pip-cache", 2}}));
  EXPECT_EQ(CorrectionOf("docker/pip-cache", text),
            "RUN python -m pip install --no-cache-dir numpy==2.1.0");
  EXPECT_EQ(LinesByCode("FROM python:3.12\nENV PIP_NO_CACHE_DIR=1\nRUN pip install numpy==2.1.0\n"),
            Lines{});
}

TEST(DockerShipped, SourcesAreCopiedAfterDependenciesAreInstalled) {
  EXPECT_EQ(LinesByCode("FROM python:3.12\nCOPY . /app\n"
                        "RUN pip install --no-cache-dir -r /app/requirements.txt\n"),
            (Lines{{"docker/copy-before-install", 2}}));
  EXPECT_EQ(LinesByCode("FROM python:3.12\nCOPY requirements.txt /app/\n"
                        "RUN pip install --no-cache-dir -r /app/requirements.txt\nCOPY . /app\n"
                        "RUN pip install --no-cache-dir /app\n"),
            Lines{});
}

TEST(DockerShipped, ImagesWithoutAVersionAndOtherHabits) {
  EXPECT_EQ(
      LinesByCode("FROM ubuntu\nADD main.py /app/\nCMD python3 /app/main.py\n"),
      (Lines{{"docker/unpinned-image", 1}, {"docker/add-for-copy", 2}, {"docker/shell-form", 3}}));
  EXPECT_EQ(CorrectionOf("docker/shell-form", "FROM a:1\nCMD python3 /app/main.py\n"),
            "CMD [\"python3\", \"/app/main.py\"]");
  EXPECT_EQ(LinesByCode("FROM tensorflow/tensorflow:latest-gpu\n"),
            (Lines{{"docker/unpinned-image", 1}}));
  EXPECT_EQ(LinesByCode("FROM lukemathwalker/cargo-chef:latest-rust-1.85.1\n"), Lines{});
  EXPECT_EQ(LinesByCode("FROM ubuntu@sha256:12\nADD x.tar.gz /\nCMD exec main $ARGS\n"), Lines{});
}

}  // namespace
}  // namespace sibyl::inspect
