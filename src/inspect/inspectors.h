// SPDX-License-Identifier: Apache-2.0
// The table of inspectors. CONTRIBUTING.md says how to add one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/inspector.h"

namespace sibyl::inspect {

/// In the order in which they are tried.
std::span<const Inspector> Inspectors();

/// The row that reads a file, by its bytes; nullptr if none does. `name` is used only to choose
/// among text formats.
const Inspector* InspectorOf(std::string_view bytes, std::string_view name);

/// "ELF files, static archives, ... and images"
std::string SupportedFiles();

/// The inspectors whose facts can be cited: "elf", "cuda", ...
std::vector<std::string_view> CitableInspectors();

}  // namespace sibyl::inspect
