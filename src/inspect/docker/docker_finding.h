// SPDX-License-Identifier: Apache-2.0
// Findings at an instruction of a Dockerfile, and the lines that would correct it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "inspect/artifact.h"
#include "inspect/docker/dockerfile.h"

namespace sibyl::inspect {

Finding& AddDockerFinding(Artifact& artifact, const DockerInstruction& at, Severity severity,
                          std::string code, std::string message);

/// Every `from` as `to`; empty if there is none.
std::string ReplacedText(std::string_view text, std::string_view from, std::string_view to);

/// Suggested lines for the last finding.
void CorrectDockerLine(Artifact& artifact, const DockerInstruction& at,
                       const std::vector<std::string>& lines);

}  // namespace sibyl::inspect
