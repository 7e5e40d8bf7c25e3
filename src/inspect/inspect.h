// SPDX-License-Identifier: Apache-2.0
// Start here: reports what files and folders contain.
//
// Detects kinds by content, not by name. Executes nothing, unpacks nothing to disk and fetches
// nothing; needs no GPU, driver or NVIDIA tool. docs/formats/facts.md lists the facts.
#pragma once

#include <filesystem>
#include <vector>

#include "base/result.h"
#include "inspect/artifact.h"
#include "inspect/inspect_options.h"

namespace sibyl::inspect {

struct Inspected {
  std::vector<Artifact> artifacts;  ///< In the requested order; those of a folder by name.
  std::size_t files_seen = 0;       ///< In folders; most are not artifacts.
};

/// Files must be readable. A named file of unknown kind becomes an artifact of kind "other"
/// with a finding. In folders, files of unknown kind are skipped, links are not followed, and
/// an unreadable file is a finding.
Result<Inspected> Inspect(const std::vector<std::filesystem::path>& paths,
                          const InspectOptions& options);

}  // namespace sibyl::inspect
