// SPDX-License-Identifier: Apache-2.0
// What an operation gets to see of the world when a server asks for it.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "oracle/context.h"

namespace sibyl::interface {

/// `context` confined to the oracle (the working folder when there is none) and
/// to the folders that a person allowed. Relative paths start at the oracle: an
/// agent does not know where its server was started.
Result<oracle::Context> ServedContext(const oracle::Context& context,
                                      const std::vector<std::string>& allowed);

}  // namespace sibyl::interface
