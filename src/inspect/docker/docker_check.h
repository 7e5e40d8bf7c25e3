// SPDX-License-Identifier: Apache-2.0
// Checks Dockerfiles that build CUDA software: findings that need to know the content of base
// images, which linters do not. Reports nothing if the content is unknown.
#pragma once

#include "inspect/artifact.h"
#include "inspect/docker/dockerfile.h"
#include "inspect/inspect_options.h"

namespace sibyl::inspect {

/// Adds facts, findings and, as detail["corrections"], corrected lines.
void CheckDockerfile(const Dockerfile& file, const InspectOptions& options, Artifact& artifact);

}  // namespace sibyl::inspect
