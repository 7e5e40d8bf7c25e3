// SPDX-License-Identifier: Apache-2.0
// Checks of Dockerfiles, one subject a file. Each stops when the budget is spent.
#pragma once

#include "inspect/artifact.h"
#include "inspect/docker/docker_layers.h"
#include "inspect/docker/dockerfile.h"

namespace sibyl::inspect {

/// Names of stages that are reserved, triggers that are not allowed, copies of a whole file system.
void CheckStructure(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

/// Variables of FROM that nothing declares, and ARGs that a stage does not have.
void CheckArguments(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

/// Tokens, passwords and key files that stay in the image.
void CheckSecrets(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

/// PATH without what it had; variables that hide the GPU from the program.
void CheckEnvironment(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

/// pip in a system whose Python does not let it, and Python where there is none.
void CheckPython(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

/// Packages that are for another CUDA than that of the image.
void CheckCudaPackages(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

/// Files that a later layer removes or copies, and caches that stay.
void CheckLeftovers(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

/// Sources that are not pinned to a commit.
void CheckSources(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

/// Indexes of PyTorch's wheels that do not exist or do not have the release.
void CheckWheelIndexes(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

/// What one stage builds and another runs: with its libraries, its system and its PyTorch.
void CheckHandedOver(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

/// Scripts that go on after an error, environments that a RUN cannot activate.
void CheckScripts(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

/// A GCC that nvcc does not accept.
void CheckHostCompilers(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

/// System packages that a user without rights installs, caches in the home of another user.
void CheckUsers(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

/// Variables of builds that are set after the build.
void CheckLateSettings(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact);

}  // namespace sibyl::inspect
