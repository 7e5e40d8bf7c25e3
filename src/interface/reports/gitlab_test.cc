// SPDX-License-Identifier: Apache-2.0
#include "interface/reports/gitlab.h"

#include <gtest/gtest.h>

#include <set>

#include "base/terminal.h"
#include "interface/reports/test_findings.h"

namespace sibyl::interface {
namespace {

// https://docs.gitlab.com/ee/ci/testing/code_quality.html: the members it reads.
TEST(GitLab, HasTheMembersThatGitLabReads) {
  const std::set<std::string> kSeverities = {"info", "minor", "major", "critical", "blocker"};
  const Json report =
      FindingsAsGitLab({PlainFinding(3, "x"), PlainFinding(0, "y", Severity::kWarning),
                        PlainFinding(4, "z", Severity::kNote), HostileFinding()});
  ASSERT_EQ(report.size(), 4U);
  for (const Json& entry : report) {
    EXPECT_EQ(entry.size(), 5U);
    EXPECT_TRUE(entry["description"].is_string());
    EXPECT_TRUE(entry["check_name"].is_string());
    EXPECT_EQ(entry["fingerprint"].get<std::string>().size(), 64U);
    EXPECT_TRUE(kSeverities.contains(entry["severity"].get<std::string>()));
    EXPECT_FALSE(entry["location"]["path"].get<std::string>().empty());
    EXPECT_GE(entry["location"]["lines"]["begin"].get<int>(), 1);
  }
  EXPECT_EQ(report[0]["severity"], "major");
  EXPECT_EQ(report[1]["severity"], "minor");
  EXPECT_EQ(report[1]["location"]["lines"]["begin"], 1);
  EXPECT_EQ(report[2]["severity"], "info");
}

TEST(GitLab, IsAnEmptyArrayWithoutFindings) {
  EXPECT_EQ(FormatJson(FindingsAsGitLab({}), JsonLayout::kCompact), "[]");
}

TEST(GitLab, KeepsFingerprintsWhenLinesMoveAndGivesNoneTwice) {
  const auto fingerprints = [](const std::vector<Finding>& findings) {
    std::vector<std::string> all;
    for (const Json& entry : FindingsAsGitLab(findings)) {
      all.push_back(entry["fingerprint"].get<std::string>());
    }
    return all;
  };
  const auto before = fingerprints({PlainFinding(3, "x"), PlainFinding(9, "x")});
  EXPECT_EQ(before, fingerprints({PlainFinding(30, "x"), PlainFinding(90, "x")}));
  EXPECT_NE(before[0], before[1]);
  Finding cited = PlainFinding(3, "a.cc has 15 lines");
  cited.details.push_back({"text", "a.cc:40"});
  Finding later = cited;
  later.message = "a.cc has 16 lines";
  EXPECT_EQ(fingerprints({cited}), fingerprints({later}));
}

TEST(GitLab, NamesPathsAsGitDoes) {
  Finding finding = PlainFinding(1, "x");
  finding.place.file = "./docs/../docs/a.md";
  EXPECT_EQ(FindingsAsGitLab({finding})[0]["location"]["path"], "docs/a.md");
  finding.place.file.clear();
  EXPECT_EQ(FindingsAsGitLab({finding})[0]["location"]["path"], ".");
}

TEST(GitLab, DescribesHostileTextOnOneHarmlessLine) {
  const Json report = FindingsAsGitLab({HostileFinding()});
  const auto description = report[0]["description"].get<std::string>();
  EXPECT_EQ(Harmless(description), description);
  EXPECT_TRUE(ParseJson(FormatJson(report)).ok());
}

}  // namespace
}  // namespace sibyl::interface
