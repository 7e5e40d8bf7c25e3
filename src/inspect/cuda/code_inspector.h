// SPDX-License-Identifier: Apache-2.0
// Inspects files with device code: programs, libraries, object files, static archives, cubins,
// fatbins, PTX, LTO-IR.
#pragma once

#include <span>

#include "inspect/inspector.h"

namespace sibyl::inspect {

/// ELF files for a CPU.
bool IsHostElf(const UnknownFile& file);
bool IsStaticArchive(const UnknownFile& file);
bool IsCubin(const UnknownFile& file);
bool IsFatbin(const UnknownFile& file);
bool IsPtx(const UnknownFile& file);
bool IsLtoIr(const UnknownFile& file);

/// Reads all of these, because one may contain another.
void InspectCode(const DetectedFile& file, Artifact& artifact);

std::span<const Rule> CodeRules();

}  // namespace sibyl::inspect
