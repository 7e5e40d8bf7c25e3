// SPDX-License-Identifier: Apache-2.0
// Inspects Dockerfiles.
#pragma once

#include <span>

#include "inspect/inspector.h"

namespace sibyl::inspect {

bool IsDockerfile(const UnknownFile& file);
void InspectDockerfile(const DetectedFile& file, Artifact& artifact);
std::span<const Rule> DockerRules();

}  // namespace sibyl::inspect
