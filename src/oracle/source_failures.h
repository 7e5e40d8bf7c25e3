// SPDX-License-Identifier: Apache-2.0
// Sources that failed for the same reason (no network, a cache that is not writable) are one
// finding: the reason once, with some of their names.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace sibyl::oracle {

struct SourceFailure {
  std::string name;
  Error error;
};

/// In the order in which their first came; a few sources stay apart, each with its own place.
std::vector<std::vector<SourceFailure>> SameReasons(std::vector<SourceFailure> failures);

/// "apex, cutlass, triton, 19 more"
std::string SomeNames(const std::vector<SourceFailure>& failures);

}  // namespace sibyl::oracle
