// SPDX-License-Identifier: Apache-2.0
// Handles Ctrl-C and SIGTERM. Normally they end the process at once, which is safe because all
// writes are atomic. An operation that can stop cleanly requests that instead; a second Ctrl-C
// still ends at once. A second SIGTERM does not: schedulers may send it twice.
#pragma once

#include <stop_token>

namespace sibyl::interface {

/// To be called once, before any thread is started.
void SetUpInterrupts();

/// From now on the first interrupt requests a stop.
std::stop_token CatchInterrupt();

}  // namespace sibyl::interface
