// SPDX-License-Identifier: Apache-2.0
// Python wheels and the folders they are installed to: what they say they need,
// what they bring, and the device code in their libraries.
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

/// A zip file with a dist-info folder.
bool IsWheel(std::string_view bytes);

/// Adds facts, findings and the device code of all libraries, each a region
/// with its path as member. Libraries are unpacked one at a time: small ones in
/// memory, others to a scratch file that is gone afterwards.
/// Where the budget is exceeded, a finding says which limit.
void InspectWheel(std::string_view bytes, const WheelOptions& options, Budget& budget,
                  Artifact& artifact);

/// A folder with *.dist-info in it: requirements on nvidia-* that are not met,
/// files that RECORD names and that are not there.
void InspectSitePackages(const Root& folder, Artifact& artifact);

}  // namespace sibyl::inspect
