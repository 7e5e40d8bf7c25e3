// SPDX-License-Identifier: Apache-2.0
// The oldest versions of tools that a project accepts, as its build files and its README give them:
// cmake_minimum_required(VERSION 3.27), "gcc 9.4.0 or newer", python_requires=">=3.9",
// "cuDNN: 9.3+".
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/witness.h"
#include "base/mutex.h"

namespace sibyl::audit {

struct Requirement {
  std::string version;
  Sighting sighting;
};

/// Thread-safe; results are cached.
class Requirements {
 public:
  explicit Requirements(const Witness& witness) : witness_(witness) {}

  /// What the files at the root of a source, and its CMake modules, say of a tool or a package.
  std::vector<Requirement> Of(std::size_t source, std::string_view tool) const;

 private:
  struct Line {
    std::string lower;
    Sighting sighting;
  };
  const std::vector<Line>& LinesOf(std::size_t source) const;

  const Witness& witness_;
  mutable Mutex mutex_;
  mutable std::map<std::size_t, std::vector<Line>> lines_ SIBYL_GUARDED_BY(mutex_);
};

/// "3.9" and "3.9.0" are one version.
bool SameVersion(std::string_view a, std::string_view b);

bool IsOlder(std::string_view a, std::string_view b);

/// The version at `at`: digits and points, with a point in it; empty if there is none.
std::string_view DottedVersionAt(std::string_view text, std::size_t at);

}  // namespace sibyl::audit
