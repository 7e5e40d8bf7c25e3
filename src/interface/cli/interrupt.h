// SPDX-License-Identifier: Apache-2.0
// What Ctrl-C and SIGTERM do. Normally they end the process at once: what was
// promised to be on disk is there at every moment, and what was not is never
// half there. An operation that can stop in good order asks for that instead;
// a second Ctrl-C still ends at once.
#pragma once

#include <stop_token>

namespace sibyl::interface {

/// To be called once, before any thread is started.
void SetUpInterrupts();

/// From now on the first interrupt makes a stop request.
std::stop_token CatchInterrupt();

}  // namespace sibyl::interface
