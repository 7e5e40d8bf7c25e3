// SPDX-License-Identifier: Apache-2.0
// Container images: OCI layouts and the archives of docker save. Layers are
// decoded as a stream, never unpacked; what a later layer deletes or replaces
// is counted as dead, and what is CUDA's is found by content.
#pragma once

#include <filesystem>
#include <string_view>

#include "inspect/artifact.h"
#include "inspect/pages.h"
#include "inspect/totals.h"

namespace sibyl::inspect {

/// A tar file with a manifest.json or an index.json in it.
bool IsImageArchive(std::string_view bytes);

/// A folder with an oci-layout.
bool IsOciLayout(const std::filesystem::path& folder);

/// Adds facts, findings, the device code of the files that are visible in the
/// end, and detail: "layers", "components", "duplicates". Where the budget is
/// exceeded, a finding says which limit, and sums and device code are left out.
void InspectImageArchive(std::string_view bytes, Memory memory, Budget& budget, Artifact& artifact);
/// Tells the budget the size of every blob that it reads.
void InspectOciLayout(const std::filesystem::path& folder, Budget& budget, Artifact& artifact);

}  // namespace sibyl::inspect
