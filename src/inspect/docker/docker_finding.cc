// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_finding.h"

#include <fmt/format.h>

#include "base/line_excerpt.h"
#include "base/strings.h"

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

bool CorrectDockerText(Artifact& artifact, const DockerInstruction& at, std::string_view from,
                       std::string_view to) {
  for (const DockerLine& line : at.AllLines()) {
    const std::size_t begin = line.text.find(from);
    if (begin == std::string::npos || Trim(line.text).starts_with('#')) continue;
    std::string text = line.text;
    CorrectDockerLine(artifact, {.line = line.number}, {text.replace(begin, from.size(), to)});
    return true;
  }
  return false;
}

bool CorrectDockerEnd(Artifact& artifact, const DockerInstruction& run, std::string_view command) {
  if (!run.here_lines.empty()) {
    // Only of "RUN <<EOF": other programs may read a here-document too.
    if (!Trim(run.arguments).starts_with("<<") || run.here.size() != 1) return false;
    const DockerLine& last = run.here_lines.back();
    if (last.text.ends_with('\\')) return false;
    const std::string indent = last.text.substr(0, last.text.find_first_not_of(" \t"));
    CorrectDockerLine(artifact, {.line = last.number},
                      {last.text, fmt::format("{}{}", indent, command)});
    return true;
  }
  if (!run.here.empty() || run.lines.empty()) return false;
  const std::string& last = run.lines.back();
  if (last.ends_with('\\') || Trim(last).empty() || Trim(last).starts_with('#')) return false;
  CorrectDockerLine(artifact, {.line = run.line + run.lines.size() - 1},
                    {fmt::format("{} && {}", last, command)});
  return true;
}

}  // namespace sibyl::inspect
