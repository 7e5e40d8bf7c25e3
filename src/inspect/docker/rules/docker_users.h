// SPDX-License-Identifier: Apache-2.0
// Whether the commands of a Dockerfile run as root, as far as its lines say it.
#pragma once

#include <optional>
#include <vector>

#include "inspect/docker/dockerfile.h"

namespace sibyl::inspect {

/// For each stage, whether it begins as root: true unless a stage that it is built on ends with
/// another user.
std::vector<bool> StartsAsRoot(const Dockerfile& file);

/// Whether a USER makes root the user; a variable is taken for another. nullopt for other
/// instructions.
std::optional<bool> MakesRoot(const DockerInstruction& at);

}  // namespace sibyl::inspect
