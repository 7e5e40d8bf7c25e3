// SPDX-License-Identifier: Apache-2.0
// The commands of a RUN, and what they install.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sibyl::inspect {

using ShellCommand = std::vector<std::string>;  ///< Its words, without quotes.

/// "a && b; c" as three commands. Each line of a here-document begins another.
std::vector<ShellCommand> CommandsOf(std::string_view script);

bool HasWord(const ShellCommand& command, std::string_view word);

/// Whether the words follow each other in the command, the first one with or without its folder:
/// "pip install" in "/opt/venv/bin/pip install x", not in "git commit -m 'pip install'".
bool HasPhrase(const ShellCommand& command, std::string_view words);

/// "apt-get" of "sudo A=b /usr/bin/apt-get -y install x"; empty if there is none.
std::string ProgramOf(const ShellCommand& command);

/// "cmake -DUSE_CUDA=ON", "cmake -DBACKEND=cuda"; not "-DOpenCL_LIBRARY=/usr/local/cuda/...".
bool IsCudaBuildOfCMake(const ShellCommand& command);

/// "install" of "apt-get -y install x"; empty for programs other than apt and apt-get.
std::string_view AptVerb(const ShellCommand& command);

/// "pip install", "pip3 install", "python -m pip install"; not "uv pip install".
bool IsPipInstall(const ShellCommand& command);

/// What a command installs with pip or uv: "torch==2.9.0", "git+https://…"; options and their
/// values are left out.
std::vector<std::string> PythonPackagesIn(const ShellCommand& command);

/// "flash-attn" of "flash_attn[extra]==2.7.4", "apex" of "git+https://github.com/NVIDIA/apex.git".
std::string PackageName(std::string_view requirement);

}  // namespace sibyl::inspect
