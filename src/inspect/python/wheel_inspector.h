// SPDX-License-Identifier: Apache-2.0
// Inspects wheels and folders of installed packages.
#pragma once

#include <filesystem>
#include <span>

#include "inspect/inspector.h"
#include "inspect/python/wheel.h"

namespace sibyl::inspect {

bool IsWheelFile(const UnknownFile& file);
void InspectWheelFile(const DetectedFile& file, Artifact& artifact);

void InspectPackageFolder(const Root& folder, const InspectOptions& options, Artifact& artifact);

/// 2 for "name-1.0.dist-info/METADATA", at any depth.
unsigned LevelsBelowSitePackages(const std::filesystem::path& file);

/// For both.
std::span<const Rule> WheelRules();

}  // namespace sibyl::inspect
