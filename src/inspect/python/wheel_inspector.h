// SPDX-License-Identifier: Apache-2.0
// Wheels and folders of installed packages as artifacts.
#pragma once

#include <filesystem>
#include <span>

#include "inspect/inspector.h"
#include "inspect/python/wheel.h"

namespace sibyl::inspect {

bool IsWheelFile(const UnknownFile& file);
void InspectWheelFile(const DetectedFile& file, Artifact& artifact);

/// Two for "name-1.0.dist-info/METADATA", at any depth; InspectSitePackages
/// (wheel.h) reads the folder.
unsigned LevelsBelowSitePackages(const std::filesystem::path& file);

/// Of both.
std::span<const Rule> WheelRules();

}  // namespace sibyl::inspect
