// SPDX-License-Identifier: Apache-2.0
// sibyl.lock: where every source is pinned. A small, strict subset of TOML;
// docs/formats/sources.md has the grammar. The same pins give the same bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "evidence/source.h"

namespace sibyl::evidence {

/// A lock without pages is still written as version 1, which older programs read.
inline constexpr int kLockVersion = 3;
inline constexpr std::size_t kMaxLockBytes = std::size_t{16} << 20;

struct Lock {
  std::vector<Pin> pins;  ///< Sorted by name; names are unique.

  /// In steps as the logarithm of their number.
  const Pin* Find(std::string_view name) const;

  /// Replaces the pin of that name, or adds it.
  void Put(Pin pin);

  /// False when there was none.
  bool Remove(std::string_view name);
};

/// Refuses, with the line: an unknown version, an unknown or repeated key,
/// conflict markers, a pin without its hash.
Result<Lock> ParseLock(std::string_view text);

/// ParseLock(FormatLock(lock)) is the lock.
std::string FormatLock(const Lock& lock);

}  // namespace sibyl::evidence
