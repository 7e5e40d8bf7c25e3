// SPDX-License-Identifier: Apache-2.0
// Inspects container images: archives and OCI layouts.
#pragma once

#include <filesystem>
#include <span>

#include "inspect/image/image.h"
#include "inspect/inspector.h"

namespace sibyl::inspect {

bool IsImageFile(const UnknownFile& file);
void InspectImageFile(const DetectedFile& file, Artifact& artifact);

/// For folders that are IsOciLayout (image.h).
void InspectImageFolder(const std::filesystem::path& folder, const InspectOptions& options,
                        Artifact& artifact);

std::span<const Rule> ImageRules();

}  // namespace sibyl::inspect
