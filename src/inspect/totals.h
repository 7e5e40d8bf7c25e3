// SPDX-License-Identifier: Apache-2.0
// Limits the total cost of reading one artifact, whatever it claims. Limits per member are not
// enough: an image can list one layer ten thousand times.
//
// All readers of one artifact share one Budget: the layers of an image, the libraries in them,
// the containers in those. docs/formats/facts.md lists the limits.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/finding.h"

namespace sibyl::inspect {

enum class Total : std::uint8_t {
  kLayers,         ///< Layers that a manifest lists.
  kDocuments,      ///< Indexes, manifests and configurations that are read.
  kDocumentBytes,  ///< And their bytes.
  kEntries,        ///< Members, files of layers, sections, fatbin entries, lines of RECORD.
  kUnpackedBytes,  ///< Output of all decoders together.
  kKeptBytes,      ///< Names and tables held in memory.
};
inline constexpr std::size_t kTotals = 6;

// Limits for single items that several readers need.
inline constexpr std::size_t kMostDocumentBytes = std::size_t{8} << 20;  // one JSON document
inline constexpr int kDeepestIndex = 4;                                  // nested indexes
inline constexpr std::size_t kMostOrigins = 1'000;    // distinct tools that made cubins
inline constexpr std::size_t kMostDamages = 100;      // damaged places that are listed
inline constexpr std::size_t kMostFindings = 200;     // of one kind of artifact
inline constexpr std::size_t kMostFiles = 1'000'000;  // in a folder
inline constexpr std::size_t kMostText = 16U << 20U;  // CMakeCache.txt, METADATA, headers
inline constexpr std::size_t kMostDockerfile = 1U << 20U;
inline constexpr std::size_t kMostInstructions = 2'000;   // of a Dockerfile
inline constexpr std::size_t kMostCachedPaths = 100'000;  // in a CMakeCache.txt

/// How much of each total is left. Thread-safe. Once a total is exceeded, nothing more is
/// granted: readers stop and the artifact gets LimitFinding. Whether a total is exceeded does
/// not depend on the order in which threads spend; how far each reader got does.
class Budget {
 public:
  /// Limits for an artifact of `stored_bytes` bytes.
  explicit Budget(std::uint64_t stored_bytes);
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  /// Adds bytes to the artifact: the blobs of a layout are found one by one.
  void AddStored(std::uint64_t bytes);

  /// False if this exceeds the total, and from then on always.
  bool Spend(Total total, std::uint64_t amount);

  bool is_exceeded() const { return exceeded_.load() != kNone; }
  std::uint64_t spent(Total total) const { return spent_[Index(total)].load(); }
  std::uint64_t limit(Total total) const { return limits_[Index(total)].load(); }

  /// For tests.
  void SetLimit(Total total, std::uint64_t limit) { limits_[Index(total)] = limit; }

  /// "the manifest lists 10000 layers; the limit is 512"; nullopt if no total is exceeded.
  std::optional<std::string> WhatIsExceeded() const;

 private:
  static constexpr std::uint8_t kNone = 0xff;
  static constexpr std::size_t Index(Total total) { return static_cast<std::size_t>(total); }

  std::atomic<std::uint64_t> stored_{0};
  std::array<std::atomic<std::uint64_t>, kTotals> limits_{};
  std::array<std::atomic<std::uint64_t>, kTotals> spent_{};
  std::atomic<std::uint8_t> exceeded_{kNone};
};

/// "inspect/limit" for an artifact: names the limit and says that the rest was not read.
Finding LimitFinding(const std::string& path, const std::string& what);

/// How many bytes of tables may be read in one file: sections, symbols and containers of a
/// valid file do not overlap, and each byte is read a few times.
constexpr std::uint64_t MostScanned(std::uint64_t file_bytes) {
  return 8 * file_bytes + (std::uint64_t{1} << 20);
}

}  // namespace sibyl::inspect
