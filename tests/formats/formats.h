// SPDX-License-Identifier: Apache-2.0
// The formats that Sibyl writes, each with a fixture for every version:
// tests/formats/NAME/vN. docs/formats/README.md says how to add one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::formats {

struct Format {
  std::string_view name = {};  ///< Of its folder: "index-segment".
  std::string_view source =
      {};  ///< The file that has its version: "src/index/segment/segment_format.h".
  std::string_view constant =
      {};  ///< "kSegmentVersion"; empty: the format has no number, and is v1.
  /// Writes a fixture of the current version into an empty folder.
  void (*write)(const std::filesystem::path& folder) = nullptr;
  /// Reads a fixture with the current code and checks what it holds.
  void (*read)(const std::filesystem::path& folder) = nullptr;
};

std::vector<Format> CacheFormats();
std::vector<Format> JournalFormats();
std::vector<Format> OracleFormats();

/// The text of a fixture; a failure of the test when it cannot be read.
std::string ReadFixture(const std::filesystem::path& path);
/// Makes the folders above it.
void WriteFixture(const std::filesystem::path& path, std::string_view bytes);

}  // namespace sibyl::formats
