// SPDX-License-Identifier: Apache-2.0
// Finds CUDA that is in the base image and again in Python wheels.
#pragma once

#include "inspect/artifact.h"
#include "inspect/docker/docker_layers.h"
#include "inspect/docker/dockerfile.h"

namespace sibyl::inspect {

/// Of the final stage; the file has one. Wheels of PyTorch and similar packages install all of
/// CUDA.
void CheckCudaTwice(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

}  // namespace sibyl::inspect
