// SPDX-License-Identifier: Apache-2.0
// Compares the tags of nvidia/cuda with the form that they have: 12.8.1-cudnn-devel-ubuntu24.04.
// A tag that does not exist fails the build only after the rest of the file was written.
#pragma once

#include "inspect/artifact.h"
#include "inspect/docker/dockerfile.h"

namespace sibyl::inspect {

void CheckTags(const Dockerfile& file, Artifact& artifact);

}  // namespace sibyl::inspect
