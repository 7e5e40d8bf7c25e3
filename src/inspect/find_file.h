// SPDX-License-Identifier: Apache-2.0
// Finds the file with a given sha256, wherever it is: this is how the citation of a fact is
// resolved to its artifact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::inspect {

/// The sha256 of mapped bytes; drops pages after hashing them.
std::string HashMapped(std::string_view mapped);

struct FindLimits {
  std::size_t max_files = 200'000;
  std::uint64_t max_bytes = std::uint64_t{16} << 30;  ///< Limit for all files together.
};

struct HashedFiles {
  std::map<std::string, std::filesystem::path>
      by_sha256;            ///< If several are equal, the first by path.
  bool is_complete = true;  ///< False if a limit was reached.
};

/// Hashes all files in `places` on `threads` threads. Does not follow links, skips folders
/// whose names begin with a dot, and ignores unreadable files.
HashedFiles HashFiles(const std::vector<std::filesystem::path>& places, unsigned threads,
                      const FindLimits& limits = {});

}  // namespace sibyl::inspect
