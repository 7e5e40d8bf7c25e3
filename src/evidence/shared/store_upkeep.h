// SPDX-License-Identifier: Apache-2.0
// Checks the shared store, and removes what nobody has used for a long time.
// Both may run while other machines use the store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "evidence/shared/shared_store.h"

namespace sibyl::evidence {

struct StoreCheckOptions {
  /// Removes damaged files, and records that cannot be used: the next machine
  /// that needs them fetches or builds them again.
  bool repair = false;
  std::function<bool()> cancelled = {};
};

struct StoreContent {
  std::size_t sources = 0;
  std::size_t indexes = 0;
  std::size_t files = 0;
  std::uint64_t bytes = 0;
};

struct StoreCheck {
  StoreContent content;
  std::vector<Finding> findings;
};

/// Reads every file of the store and compares it with its name.
Result<StoreCheck> CheckStore(const SharedStore& store, const StoreCheckOptions& options);

struct CollectOptions {
  /// Records that nobody wrote or used for so many days are removed.
  std::uint32_t days = 30;
  bool dry_run = false;
};

struct Collected {
  std::size_t records = 0;
  std::size_t files = 0;
  std::uint64_t bytes = 0;
  StoreContent kept;
};

/// Removes old records, then the files that no record names, then what machines
/// that died have left. A file is kept for a day, since a machine may be about to
/// write its record. Ages are measured by the clock of the store's own file
/// system, never by this machine's.
Result<Collected> CollectStore(const SharedStore& store, const CollectOptions& options);

std::vector<Rule> StoreRules();

}  // namespace sibyl::evidence
