// SPDX-License-Identifier: Apache-2.0
#include "interface/reports/gitlab.h"

#include <filesystem>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "base/terminal.h"
#include "interface/reports/fingerprint.h"

namespace sibyl::interface {
namespace {

std::string_view GitLabSeverity(const Finding& finding) {
  switch (finding.severity) {
    case Severity::kError:
      return "major";
    case Severity::kWarning:
      return "minor";
    case Severity::kNote:
      return "info";
  }
  return "info";
}

// GitLab compares paths with those of the repository, which have no "./".
std::string GitLabPath(const Finding& finding) {
  if (finding.place.file.empty()) return ".";
  return std::filesystem::path(finding.place.file).lexically_normal().generic_string();
}

std::string GitLabFingerprint(const Finding& finding, Fingerprints& fingerprints) {
  const Fingerprints::Fingerprint next = fingerprints.Next(finding);
  if (next.occurrence == 1) return next.hash;
  return Sha256(next.hash + ':' + std::to_string(next.occurrence));
}

}  // namespace

Json FindingsAsGitLab(const std::vector<Finding>& findings) {
  Json report = Json::array();
  Fingerprints fingerprints;
  for (const Finding& finding : findings) {
    // A description is shown on one line.
    report.push_back({{"description", Harmless(MessageWithHint(finding))},
                      {"check_name", finding.code},
                      {"fingerprint", GitLabFingerprint(finding, fingerprints)},
                      {"severity", GitLabSeverity(finding)},
                      {"location",
                       {{"path", GitLabPath(finding)},
                        {"lines", {{"begin", finding.place.line > 0 ? finding.place.line : 1}}}}}});
  }
  return report;
}

}  // namespace sibyl::interface
