// SPDX-License-Identifier: Apache-2.0
// Commands that are not operations of the engine: the servers, the static site, and those of the
// command line itself, which use no file, no configuration and no network, so
// that they always work.
#pragma once

#include "engine/operation.h"

namespace sibyl::interface {

extern const engine::Operation kServe;
extern const engine::Operation kSite;
extern const engine::Operation kMcp;
extern const engine::Operation kLsp;
extern const engine::Operation kHelp;
extern const engine::Operation kCompletions;
extern const engine::Operation kVersion;

}  // namespace sibyl::interface
