// SPDX-License-Identifier: Apache-2.0
// For tests: an oracle, the object store and a clock that stands still.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/files/temporary_folder.h"
#include "evidence/evidence.h"

namespace sibyl::evidence {

/// Syncs the source that sibyl.toml declares under this name.
inline Result<SourceChange> SyncSource(std::string_view name, const Surroundings& around) {
  const std::vector<SourceSpec> specs = SIBYL_TRY(SourcesToSync({std::string(name)}, around));
  return SyncSource(specs.front(), around);
}

/// An empty oracle and its own store.
class TestOracle {
 public:
  TestOracle() {
    std::filesystem::create_directories(folder_.path() / "oracle");
    std::filesystem::create_directories(folder_.path() / "store");
  }

  const std::filesystem::path& folder() const { return folder_.path(); }
  std::filesystem::path oracle() const { return folder_.path() / "oracle"; }

  Surroundings around() const {
    return {.oracle = oracle(), .store = Store(folder_.path() / "store"), .clock = clock_};
  }

 private:
  TemporaryFolder folder_;
  FixedClock clock_{Time(std::chrono::seconds(1'800'000'000))};
};

}  // namespace sibyl::evidence
