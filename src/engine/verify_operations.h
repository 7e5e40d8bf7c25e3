// SPDX-License-Identifier: Apache-2.0
// The rows of the operations on an oracle's own citations; each is defined
// beside its run function.
#pragma once

#include "engine/operation.h"

namespace sibyl::engine {

extern const Operation kVerify;
extern const Operation kRefresh;

}  // namespace sibyl::engine
