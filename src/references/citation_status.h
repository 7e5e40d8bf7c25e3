// SPDX-License-Identifier: Apache-2.0
// What is said about a code citation.
#pragma once

#include <cstdint>
#include <string_view>

namespace sibyl::references {

enum class CitationStatus : std::uint8_t {
  kHolds,
  kDrifted,     ///< It held when it was written; the code has moved.
  kWrong,       ///< It did not hold when it was written either.
  kMissing,     ///< No such file.
  kOutOfRange,  ///< The file has fewer lines.
  kUndecided,   ///< Nothing that can be checked is claimed, or several files have that name.
};

/// "holds", "drifted", "wrong", "missing", "out-of-range", "undecided"
std::string_view StatusName(CitationStatus status);

constexpr bool IsNotOk(CitationStatus status) {
  return status != CitationStatus::kHolds && status != CitationStatus::kUndecided;
}

}  // namespace sibyl::references
