// SPDX-License-Identifier: Apache-2.0
// The rows of the operations that show an oracle's pages to readers; each is
// defined beside its run function.
#pragma once

#include "engine/operation.h"

namespace sibyl::engine {

extern const Operation kPageList;
extern const Operation kPageShow;
extern const Operation kSourceFiles;

}  // namespace sibyl::engine
