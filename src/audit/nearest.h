// SPDX-License-Identifier: Apache-2.0
// Finds the real name that an invented one was probably meant to be, and where
// it occurs.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/witness.h"

namespace sibyl::audit {

struct NearestTruth {
  std::string name;
  std::string where;  ///< "cmake@03676b0 Help/variable/CMAKE_CUDA_ARCHITECTURES.rst:1"
};

/// How alike two names are, from 0 to 1: by letters and by parts, case aside.
double Likeness(std::string_view a, std::string_view b);

/// Among the names of one source.
std::optional<NearestTruth> NearestInSource(const Witness& witness, std::size_t source,
                                            std::string_view name);

/// Where a name is in the part of the source that is meant; nothing if it is not there.
using FindThere = std::function<std::optional<Sighting>(std::string_view name)>;
/// Among the names of one source that `find` finds.
std::optional<NearestTruth> NearestInSource(const Witness& witness, std::size_t source,
                                            std::string_view name, const FindThere& find);

/// Among given names; the most similar, if it is similar enough.
std::optional<std::string> NearestOf(std::string_view name,
                                     const std::vector<std::string>& candidates);

}  // namespace sibyl::audit
