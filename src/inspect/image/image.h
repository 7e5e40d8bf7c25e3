// SPDX-License-Identifier: Apache-2.0
// Inspects container images: OCI layouts and archives from docker save. Layers are streamed,
// never unpacked to disk; files that a later layer deletes or replaces count as dead, and CUDA
// files are detected by content.
#pragma once

#include <filesystem>
#include <string_view>

#include "inspect/artifact.h"
#include "inspect/pages.h"
#include "inspect/totals.h"

namespace sibyl::inspect {

/// A tar file that contains manifest.json or index.json.
bool IsImageArchive(std::string_view bytes);

/// A folder that contains oci-layout.
bool IsOciLayout(const std::filesystem::path& folder);

/// Adds facts, findings, the device code of the files visible in the end, and detail: "layers",
/// "components", "duplicates". If the budget is exceeded, a finding names the limit, and sums
/// and device code are omitted.
void InspectImageArchive(std::string_view bytes, Memory memory, Budget& budget, Artifact& artifact);
/// Adds the size of every blob that it reads to the budget.
void InspectOciLayout(const std::filesystem::path& folder, Budget& budget, Artifact& artifact);

}  // namespace sibyl::inspect
