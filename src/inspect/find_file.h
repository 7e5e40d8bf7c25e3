// SPDX-License-Identifier: Apache-2.0
// The file with a given sha256, wherever it lies: how a fact's citation leads
// back to its artifact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::inspect {

/// The sha256 of bytes that are mapped, whose pages are dropped behind it.
std::string HashMapped(std::string_view mapped);

struct FindLimits {
  std::size_t max_files = 200'000;
  std::uint64_t max_bytes = std::uint64_t{16} << 30;  ///< All that is hashed together.
};

struct HashedFiles {
  std::map<std::string, std::filesystem::path> by_sha256;  ///< The first of equals by path.
  bool is_complete = true;                                 ///< False when a limit ended it.
};

/// All files at and below `places`, hashed on `threads` threads. Links are not
/// followed, folders whose names begin with a dot are not entered, and what
/// cannot be read is not there.
HashedFiles HashFiles(const std::vector<std::filesystem::path>& places, unsigned threads,
                      const FindLimits& limits = {});

}  // namespace sibyl::inspect
