// SPDX-License-Identifier: Apache-2.0
// The context of an operation that is called through a server.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "oracle/context.h"

namespace sibyl::interface {

/// `context` confined to the oracle (the working folder when there is none) and
/// to the folders that a person allowed. Paths are relative to the oracle: an
/// agent does not know where its server was started.
Result<oracle::Context> ServedContext(const oracle::Context& context,
                                      const std::vector<std::string>& allowed);

}  // namespace sibyl::interface
