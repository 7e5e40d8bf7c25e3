// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_places.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/line_excerpt.h"
#include "base/strings.h"

namespace sibyl::inspect {
namespace {

// What the command of a finding begins with, to find its line in a here-document.
std::string_view CommandOf(std::string_view code) {
  constexpr std::pair<std::string_view, std::string_view> kCommands[] = {
      {"docker/download-unchecked", "http"}, {"docker/pipefail", " | "},
      {"docker/curl-no-fail", "curl"},       {"docker/nvcc-in-runtime", "nvcc"},
      {"docker/unpinned-source", "git"},     {"docker/unpinned-wheel", "pip"},
      {"docker/cuda-twice", "pip"},          {"docker/pip-cache", "pip"},
      {"docker/wheel-needs-nvcc", "pip"},    {"docker/torch-replaced", "pip"},
      {"docker/cpu-wheel", "pip"},           {"docker/sudo", "sudo"},
      {"docker/gpu-at-build", "cuda"},       {"docker/apt-lists", "update"},
      {"docker/unpinned-package", "cuda"},   {"docker/secret", "token"}};
  for (const auto& [each, command] : kCommands) {
    if (each == code) return command;
  }
  return {};
}

// The line of a here-document that a finding is about: that of its correction, or the first one
// with its command.
const DockerLine* LineOfFinding(const DockerInstruction& run, const Finding& finding,
                                const Json& corrections) {
  for (const Json& correction : corrections) {
    if (correction["code"] != finding.code || correction["finding_line"] != finding.place.line) {
      continue;
    }
    const auto line = std::ranges::find(run.here_lines, correction["line"].get<std::size_t>(),
                                        &DockerLine::number);
    return line == run.here_lines.end() ? nullptr : &*line;
  }
  const std::string_view command = CommandOf(finding.code);
  if (command.empty()) return nullptr;
  const auto line = std::ranges::find_if(
      run.here_lines, [&](const DockerLine& each) { return Contains(each.text, command); });
  return line == run.here_lines.end() ? nullptr : &*line;
}

}  // namespace

void PlaceInHereDocuments(const Dockerfile& file, Artifact& artifact) {
  std::map<std::size_t, const DockerInstruction*> runs;
  for (const DockerStage& stage : file.stages) {
    for (const DockerInstruction& run : stage.instructions) {
      if (!run.here_lines.empty()) runs.emplace(run.line, &run);
    }
  }
  if (runs.empty()) return;
  Json& corrections = artifact.detail["corrections"];
  for (Finding& finding : artifact.findings) {
    const auto run = runs.find(finding.place.line);
    if (run == runs.end()) continue;
    const DockerLine* line = LineOfFinding(*run->second, finding, corrections);
    if (line == nullptr) continue;
    for (Json& correction : corrections) {
      const bool is_its =
          correction["code"] == finding.code && correction["finding_line"] == finding.place.line;
      if (is_its) correction["finding_line"] = line->number;
    }
    finding.place.line = line->number;
    finding.place.text = LineExcerpt(line->text, 0);
  }
}

void DropRepeated(Artifact& artifact) {
  std::set<std::tuple<std::size_t, std::string, std::string>> seen;
  std::erase_if(artifact.findings, [&](const Finding& each) {
    return !seen.emplace(each.place.line, each.code, each.message).second;
  });
  Json kept = Json::array();
  std::set<std::string> texts;
  for (Json& correction : artifact.detail["corrections"]) {
    if (texts.insert(FormatJson(correction, JsonLayout::kCompact)).second) {
      kept.push_back(std::move(correction));
    }
  }
  artifact.detail["corrections"] = std::move(kept);
}

void DropCorrectionsOfTriggers(const Dockerfile& file, Json& corrections) {
  std::set<std::size_t> triggers;
  for (const DockerStage& stage : file.stages) {
    for (const DockerInstruction& at : stage.instructions) {
      if (at.is_trigger) triggers.insert(at.line);
    }
  }
  Json kept = Json::array();
  for (Json& correction : corrections) {
    const std::string first = correction["lines"][0].get<std::string>();
    const bool is_lost = triggers.contains(correction["line"].get<std::size_t>()) &&
                         !StartsWithIgnoringCase(Trim(first), "ONBUILD");
    if (!is_lost) kept.push_back(std::move(correction));
  }
  corrections = std::move(kept);
}

}  // namespace sibyl::inspect
