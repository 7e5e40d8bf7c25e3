// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_finding.h"

#include "base/line_excerpt.h"

namespace sibyl::inspect {

Finding& AddDockerFinding(Artifact& artifact, const DockerInstruction& at, Severity severity,
                          std::string code, std::string message) {
  artifact.findings.push_back(
      {.severity = severity,
       .code = std::move(code),
       .message = std::move(message),
       .place = {.file = artifact.path, .line = at.line, .text = LineExcerpt(at.text, 0)}});
  return artifact.findings.back();
}

void CorrectDockerLine(Artifact& artifact, const DockerInstruction& at,
                       const std::vector<std::string>& lines) {
  artifact.detail["corrections"].push_back(
      {{"line", at.line}, {"code", artifact.findings.back().code}, {"lines", lines}});
}

}  // namespace sibyl::inspect
