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

/// Suggests another text in the place of `from`, on the first line of the instruction or of its
/// here-documents that has it and is not a comment. False if there is none.
bool CorrectDockerText(Artifact& artifact, const DockerInstruction& at, std::string_view from,
                       std::string_view to);

/// Suggests another command after the last one of a RUN, or at the end of its script. False where
/// that cannot be seen.
bool CorrectDockerEnd(Artifact& artifact, const DockerInstruction& run, std::string_view command);

}  // namespace sibyl::inspect
