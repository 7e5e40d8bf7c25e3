// SPDX-License-Identifier: Apache-2.0
// The rows of the operations on artifacts and on this machine; each is defined
// beside its run function.
#pragma once

#include "engine/operation.h"

namespace sibyl::engine {

extern const Operation kInspect;
extern const Operation kDoctor;

}  // namespace sibyl::engine
