// SPDX-License-Identifier: Apache-2.0
// Layers that are built again without need: cache mounts that are missing or
// defeated, ARGs above what does not use them; and compiling for a GPU that
// nobody named.
#pragma once

#include <string>
#include <string_view>

#include "inspect/artifact.h"
#include "inspect/dockerfile.h"

namespace sibyl::inspect {

void CheckLayers(const Dockerfile& file, Artifact& artifact);

/// The package in a pip or uv command that brings CUDA's libraries with it
/// ("torch"); empty when there is none or the CPU build is asked for.
std::string CudaWheelIn(std::string_view script);

}  // namespace sibyl::inspect
