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

std::string ReplacedText(std::string_view text, std::string_view from, std::string_view to) {
  std::string replaced;
  std::size_t begin = 0;
  for (std::size_t at = text.find(from); at != std::string_view::npos;
       at = text.find(from, begin)) {
    replaced += text.substr(begin, at - begin);
    replaced += to;
    begin = at + from.size();
  }
  return begin == 0 ? std::string() : replaced.append(text.substr(begin));
}

void CorrectDockerLine(Artifact& artifact, const DockerInstruction& at,
                       const std::vector<std::string>& lines) {
  artifact.detail["corrections"].push_back({{"line", at.line},
                                            {"code", artifact.findings.back().code},
                                            {"finding_line", artifact.findings.back().place.line},
                                            {"lines", lines}});
}

}  // namespace sibyl::inspect
