// SPDX-License-Identifier: Apache-2.0
// The rows of the operations that check texts; each is defined beside its run
// function.
#pragma once

#include "engine/operation.h"

namespace sibyl::engine {

extern const Operation kAudit;

}  // namespace sibyl::engine
