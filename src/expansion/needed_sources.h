// SPDX-License-Identifier: Apache-2.0
// The pinned sources that parts are written from. To search one its index is enough, which
// machines share; to verify what is cited from it, its bytes are needed too.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "evidence/evidence.h"
#include "oracle/context.h"

namespace sibyl::expansion {

struct SourcesHere {
  std::vector<std::string> names;     ///< Whose bytes this machine has, in the order of the lock.
  std::vector<Finding> findings;      ///< One for each of the others.
  std::optional<Error> lacking = {};  ///< The others in one error: kUnavailable if trying again
                                      ///< may help, otherwise kUsage.
};

/// Copies what this machine lacks from the shared store, or fetches it; no pin moves.
/// kCancelled is the only error about a source.
Result<SourcesHere> BringSources(const oracle::Context& context, const evidence::Lock& lock,
                                 const evidence::Surroundings& given);

/// The same for a worker, whose pages must not depend on the machine: an error if anything is
/// lacking.
Status RequireEverySource(const oracle::Context& context);

}  // namespace sibyl::expansion
