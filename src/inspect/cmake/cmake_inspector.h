// SPDX-License-Identifier: Apache-2.0
// Inspects CMakeCache.txt.
#pragma once

#include <span>

#include "inspect/inspector.h"

namespace sibyl::inspect {

bool IsCMakeCache(const UnknownFile& file);
void InspectCMakeCache(const DetectedFile& file, Artifact& artifact);
std::span<const Rule> CMakeRules();

}  // namespace sibyl::inspect
