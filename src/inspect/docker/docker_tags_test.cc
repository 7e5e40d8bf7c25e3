// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_tags.h"

#include <gtest/gtest.h>

#include "inspect/docker/docker_check.h"

namespace sibyl::inspect {
namespace {

// The corrected line; "?" if there is a finding without one, "" if there is none.
std::string TagFound(const std::string& tag) {
  Artifact artifact{.path = "Dockerfile"};
  artifact.detail["corrections"] = Json::array();
  CheckTags(ParseDockerfile("FROM nvidia/cuda" + tag + "\n"), artifact);
  if (artifact.findings.empty()) return {};
  EXPECT_EQ(artifact.findings[0].code, "docker/unknown-tag");
  const Json& corrections = artifact.detail["corrections"];
  if (corrections.empty()) {
    EXPECT_FALSE(artifact.findings[0].hint.empty()) << tag;
    return "?";
  }
  return corrections[0]["lines"][0].get<std::string>().substr(5 + 11);
}

// The build fails, and CI looks at the exit status.
TEST(DockerTags, ThatDoNotExistAreErrorsUnlessTheReleaseIsNewerThanTheTable) {
  const auto severity = [](const char* tag) {
    Artifact artifact{.path = "Dockerfile"};
    artifact.detail["corrections"] = Json::array();
    CheckTags(ParseDockerfile(std::string("FROM nvidia/cuda") + tag + "\n"), artifact);
    return artifact.findings.at(0).severity;
  };
  EXPECT_EQ(severity(":latest"), Severity::kError);
  EXPECT_EQ(severity(""), Severity::kError);
  EXPECT_EQ(severity(":12.8.1-cudnn8-devel-ubuntu24.04"), Severity::kError);
  EXPECT_EQ(severity(":99.1.0-devel-plan9"), Severity::kWarning);
}

// Issue 23: a fix was suggested that names a tag of a release that does not exist.
TEST(DockerTags, AReleaseThatIsNotKnownIsSaidAndNeverSuggested) {
  const auto said = [](const std::string& tag) {
    Artifact artifact{.path = "Dockerfile"};
    CheckDockerfile(ParseDockerfile("FROM nvidia/cuda:" + tag +
                                    "\nRUN pip install torch==2.8.0 "
                                    "--index-url https://download.pytorch.org/whl/cu128\n"),
                    {}, artifact);
    std::string text = artifact.detail["corrections"].dump();
    for (const Finding& finding : artifact.findings) {
      text += "\n" + finding.code + ": " + finding.message + " (" + finding.hint + ")";
    }
    return text;
  };
  for (const char* variant : {"devel", "runtime"}) {
    const std::string unknown = said(std::string("12.9.9-") + variant + "-ubuntu22.04");
    EXPECT_NE(unknown.find("docker/unknown-tag: nvidia/cuda 12.9.9 is not a known release: the "
                           "newest of CUDA 12.9 is 12.9.2"),
              std::string::npos)
        << unknown;
    const char* other = std::string_view(variant) == "devel" ? "12.9.9-runtime" : "12.9.9-devel";
    EXPECT_EQ(unknown.find(other), std::string::npos) << unknown;
    EXPECT_EQ(unknown.find("12.9.9-base"), std::string::npos) << unknown;
  }
  EXPECT_NE(said("12.7.0-devel-ubuntu22.04").find("no release of nvidia/cuda with CUDA 12.7 is"),
            std::string::npos);
  EXPECT_EQ(said("12.9.1-devel-ubuntu22.04").find("docker/unknown-tag"), std::string::npos);
}

// Issue 23: a tag that does not exist was not found.
TEST(DockerTags, HaveAVersionAFlavourAndASystem) {
  for (const char* tag : {":13.0.1-devel-ubuntu24.04", ":12.4.1-cudnn-runtime-ubuntu22.04",
                          ":11.8.0-cudnn8-devel-ubuntu20.04", ":12.3.2-cudnn9-runtime-ubuntu22.04",
                          ":12.6.3-base-rockylinux9", ":12.2.2-devel-centos7",
                          ":12.8.1-devel-ubuntu24.04@sha256:00", "gl:11.4.2-runtime-ubuntu20.04"}) {
    EXPECT_EQ(TagFound(tag), "") << tag;
  }
  for (const char* tag :
       {"", ":latest", ":12.4-devel-ubuntu22.04", ":12.4.1-ubuntu22.04", ":devel-ubuntu22.04",
        ":12.4.1-devel-windows", ":10.2-cudnn7-devel-ubuntu18.04"}) {
    EXPECT_EQ(TagFound(tag), "?") << tag;
  }
}

TEST(DockerTags, ACorrectedTagHasWhatTheReleaseHas) {
  EXPECT_EQ(TagFound(":12.4.1-devel-cudnn-ubuntu22.04"), ":12.4.1-cudnn-devel-ubuntu22.04");
  EXPECT_EQ(TagFound(":12.8.1-cudnn8-devel-ubuntu22.04"), ":12.8.1-cudnn-devel-ubuntu22.04");
  EXPECT_EQ(TagFound(":13.0.1-cudnn9-runtime-ubuntu24.04"), ":13.0.1-cudnn-runtime-ubuntu24.04");
  EXPECT_EQ(TagFound(":12.2.2-cudnn-devel-ubuntu22.04"), ":12.2.2-cudnn8-devel-ubuntu22.04");
  EXPECT_EQ(TagFound(":12.8.1-devel-ubuntu2404"), ":12.8.1-devel-ubuntu24.04");
  EXPECT_EQ(TagFound(":12.1.1-devel-ubuntu24.04"), ":12.1.1-devel-ubuntu22.04");
  EXPECT_EQ(TagFound(":13.0.1-runtime-ubuntu20.04"), ":13.0.1-runtime-ubuntu24.04");
  EXPECT_EQ(TagFound(":12.8.1-devel-centos7"), ":12.8.1-devel-ubuntu24.04");
  EXPECT_EQ(TagFound(":12.8.1-devel"), ":12.8.1-devel-ubuntu24.04");
  EXPECT_EQ(TagFound(":12.8.1-cudnn-base-ubuntu24.04"), ":12.8.1-cudnn-runtime-ubuntu24.04");
}

}  // namespace
}  // namespace sibyl::inspect
