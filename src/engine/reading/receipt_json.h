// SPDX-License-Identifier: Apache-2.0
// A receipt as JSON: what it cites, whether that holds, and the cited lines.
#pragma once

#include <cstddef>

#include "base/json.h"
#include "gate/receipt.h"

namespace sibyl::engine {

/// `context` lines are added before and after the cited ones.
Json ReceiptAsJson(const gate::Receipt& receipt, std::size_t context);

}  // namespace sibyl::engine
