// SPDX-License-Identifier: Apache-2.0
// Start here: looks at files and folders and says what they hold.
//
// What a thing is, is told by its bytes, not by its name. Nothing is executed,
// unpacked to the disk or fetched; no GPU, driver or tool of NVIDIA is needed.
// docs/formats/facts.md lists the facts.
#pragma once

#include <filesystem>
#include <vector>

#include "base/result.h"
#include "inspect/artifact.h"
#include "inspect/inspect_options.h"

namespace sibyl::inspect {

struct Inspected {
  std::vector<Artifact> artifacts;  ///< In the order asked; those of a folder by name.
  std::size_t files_seen = 0;       ///< In folders; most are nothing of ours.
};

/// Files must be readable; a file of no known kind that was named itself gives
/// an artifact of kind "other" with a finding. In folders, what holds nothing is
/// left out, links are not followed, and what cannot be read is a finding.
Result<Inspected> Inspect(const std::vector<std::filesystem::path>& paths,
                          const InspectOptions& options);

}  // namespace sibyl::inspect
