// SPDX-License-Identifier: Apache-2.0
// Container images as artifacts: archives and OCI layouts.
#pragma once

#include <filesystem>
#include <span>

#include "inspect/image/image.h"
#include "inspect/inspector.h"

namespace sibyl::inspect {

bool IsImageFile(const UnknownFile& file);
void InspectImageFile(const DetectedFile& file, Artifact& artifact);

/// What IsOciLayout (image.h) says yes to.
void InspectImageFolder(const std::filesystem::path& folder, const InspectOptions& options,
                        Artifact& artifact);

std::span<const Rule> ImageRules();

}  // namespace sibyl::inspect
