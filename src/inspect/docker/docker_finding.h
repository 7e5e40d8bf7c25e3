// SPDX-License-Identifier: Apache-2.0
// Findings at an instruction of a Dockerfile, and the lines that would correct it.
#pragma once

#include <string>
#include <vector>

#include "inspect/artifact.h"
#include "inspect/docker/dockerfile.h"

namespace sibyl::inspect {

Finding& AddDockerFinding(Artifact& artifact, const DockerInstruction& at, Severity severity,
                          std::string code, std::string message);

/// Suggested lines for the last finding.
void CorrectDockerLine(Artifact& artifact, const DockerInstruction& at,
                       const std::vector<std::string>& lines);

}  // namespace sibyl::inspect
