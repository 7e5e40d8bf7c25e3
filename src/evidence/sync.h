// SPDX-License-Identifier: Apache-2.0
// From a wish to a pin: brings a source's bytes into the store and says where
// they stand. Touches neither sibyl.toml nor sibyl.lock.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/finding.h"
#include "base/result.h"
#include "evidence/source.h"
#include "evidence/store.h"

namespace sibyl::evidence {

/// What this room takes from its surroundings.
struct Surroundings {
  std::filesystem::path oracle;  ///< Relative origins start here.
  Store store;
  const Clock& clock;
  std::size_t threads = 0;
  std::function<void(std::string_view)> progress = {};
  std::function<bool()> cancelled = {};
};

struct Fetched {
  Pin pin;
  std::vector<Finding> findings;
};

/// Pages need a page reader, which this version has not: kUnavailable.
Result<Fetched> FetchSource(const SourceSpec& spec, const Surroundings& around);

/// 2026-11-15T10:02:11Z
std::string FormatUtc(Time time);

}  // namespace sibyl::evidence
