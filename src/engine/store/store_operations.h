// SPDX-License-Identifier: Apache-2.0
// The rows of the operations on the store that machines share.
#pragma once

#include "engine/operation.h"

namespace sibyl::engine {

extern const Operation kStoreInit;
extern const Operation kStoreCheck;
extern const Operation kStoreGc;

}  // namespace sibyl::engine
