// SPDX-License-Identifier: Apache-2.0
// Finds commands that compile device code in an image that has no nvcc.
#pragma once

#include <string_view>

#include "inspect/artifact.h"
#include "inspect/docker/docker_layers.h"
#include "inspect/docker/dockerfile.h"

namespace sibyl::inspect {

/// A package of which PyPI has no wheels with device code, or not for every PyTorch, CUDA and
/// Python: "flash-attn".
bool IsCompiledByPip(std::string_view name);

/// Stops when the budget is spent.
void CheckCompilers(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

/// Whether installing "flash-attn", "git+https://github.com/NVIDIA/apex" compiles device code.
bool CompilesDeviceCode(std::string_view requirement);

}  // namespace sibyl::inspect
