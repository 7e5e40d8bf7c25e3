// SPDX-License-Identifier: Apache-2.0
// The Python that a stage has, where its base image and its lines say it without doubt.
#pragma once

#include <string>
#include <string_view>

#include "inspect/docker/docker_layers.h"
#include "inspect/docker/dockerfile.h"
#include "inspect/docker/shell/shell_commands.h"

namespace sibyl::inspect {

/// "3.10" of python:3.10-slim and of nvidia/cuda:12.4.1-devel-ubuntu22.04. Empty if a line of the
/// stage, or of one that it is built on, may bring another.
std::string PythonOfStage(const Dockerfile& file, std::size_t stage, ScriptBudget& budget);

/// The Python that a command of pip installs into: "3.11" of "python3.11 -m pip install x", that of
/// the stage for "pip install x"; empty if it is not known.
std::string PythonOfPip(const ShellCommand& command, std::string_view of_stage);

}  // namespace sibyl::inspect
