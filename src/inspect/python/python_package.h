// SPDX-License-Identifier: Apache-2.0
// What a Python package says of itself: METADATA, WHEEL, RECORD of a dist-info
// folder, in a wheel or in site-packages. Read, never imported.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/totals.h"

namespace sibyl::inspect {

struct PythonMetadata {
  std::string name;
  std::string version;
  std::vector<std::string> requires_dist;
};

/// The header lines of METADATA; the description behind them is not looked at.
PythonMetadata ParseMetadata(std::string_view text);

/// "Tag:" lines of WHEEL: "cp312-cp312-manylinux_2_28_x86_64".
std::vector<std::string> ParseWheelTags(std::string_view text);

struct RecordEntry {
  std::string path;
  std::string sha256;  ///< As RECORD has it: base64 without padding; may be empty.
  std::uint64_t bytes = 0;
  bool has_size = false;
};

/// Lines of RECORD, quotes of CSV taken off. Ends where the budget is exceeded.
std::vector<RecordEntry> ParseRecord(std::string_view text, Budget& budget);

/// The name in front of versions, extras and markers: "nvidia-cublas-cu12".
std::string RequirementName(std::string_view requirement);

/// Base64 of the alphabet that RECORD uses, of a digest in hexadecimal.
std::string RecordDigest(std::string_view sha256_hex);

}  // namespace sibyl::inspect
