// SPDX-License-Identifier: Apache-2.0
// The rows of the operations that judge texts; each stands beside its run
// function.
#pragma once

#include "engine/operation.h"

namespace sibyl::engine {

extern const Operation kAudit;

}  // namespace sibyl::engine
