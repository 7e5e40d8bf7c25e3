// SPDX-License-Identifier: Apache-2.0
// Commands that are no operations of the engine: the servers, and those of the
// command line itself, which touch no file, no configuration and no network, so
// that they work when everything else is broken.
#pragma once

#include "engine/operation.h"

namespace sibyl::interface {

extern const engine::Operation kServe;
extern const engine::Operation kMcp;
extern const engine::Operation kHelp;
extern const engine::Operation kCompletions;
extern const engine::Operation kVersion;

}  // namespace sibyl::interface
