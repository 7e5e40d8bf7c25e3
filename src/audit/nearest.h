// SPDX-License-Identifier: Apache-2.0
// Finds the real name that an invented one was probably meant to be, and where
// it occurs.
#pragma once

#include <cstddef>
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

/// Among given names; the most similar, if it is similar enough.
std::optional<std::string> NearestOf(std::string_view name,
                                     const std::vector<std::string>& candidates);

}  // namespace sibyl::audit
