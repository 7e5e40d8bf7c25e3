// SPDX-License-Identifier: Apache-2.0
// Inspects Python wheels and the folders they are installed to: their requirements, their
// content, and the device code in their libraries.
#pragma once

#include <string_view>

#include "base/files/root.h"
#include "inspect/artifact.h"
#include "inspect/pages.h"
#include "inspect/totals.h"

namespace sibyl::inspect {

struct WheelOptions {
  CodeDepth depth = CodeDepth::kContent;
  unsigned threads = 1;
  Memory memory = Memory::kOwned;  ///< Where the wheel's bytes are.
};

/// A zip file that contains a dist-info folder.
bool IsWheel(std::string_view bytes);

/// Adds facts, findings and the device code of all libraries, each a region with its path as
/// member. Libraries are unpacked one at a time: small ones in memory, others to a scratch file
/// that is removed afterwards. If the budget is exceeded, a finding names the limit.
void InspectWheel(std::string_view bytes, const WheelOptions& options, Budget& budget,
                  Artifact& artifact);

/// Checks a folder that contains *.dist-info: reports requirements on nvidia-* that are not
/// met, and files in RECORD that are missing.
void InspectSitePackages(const Root& folder, Artifact& artifact);

}  // namespace sibyl::inspect
