// SPDX-License-Identifier: Apache-2.0
// Reads the metadata of a Python package: METADATA, WHEEL and RECORD of a dist-info folder, in
// a wheel or in site-packages. Never imports the package.
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

/// The header lines of METADATA; the description after them is not read.
PythonMetadata ParseMetadata(std::string_view text);

/// "Tag:" lines of WHEEL: "cp312-cp312-manylinux_2_28_x86_64".
std::vector<std::string> ParseWheelTags(std::string_view text);

struct RecordEntry {
  std::string path;
  std::string sha256;  ///< As in RECORD: base64 without padding; may be empty.
  std::uint64_t bytes = 0;
  bool has_size = false;
};

/// The lines of RECORD, without CSV quotes. Stops when the budget is exceeded.
std::vector<RecordEntry> ParseRecord(std::string_view text, Budget& budget);

/// The name before versions, extras and markers: "nvidia-cublas-cu12".
std::string RequirementName(std::string_view requirement);

/// Converts a hexadecimal digest to the base64 alphabet of RECORD.
std::string RecordDigest(std::string_view sha256_hex);

}  // namespace sibyl::inspect
