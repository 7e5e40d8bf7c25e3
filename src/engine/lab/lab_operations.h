// SPDX-License-Identifier: Apache-2.0
// The rows about measuring.
#pragma once

#include "engine/operation.h"

namespace sibyl::engine {

extern const Operation kLabList;
extern const Operation kLabRun;
extern const Operation kLabKeep;
extern const Operation kLabShow;
extern const Operation kLabCompare;

}  // namespace sibyl::engine
