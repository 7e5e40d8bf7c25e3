// SPDX-License-Identifier: Apache-2.0
// The language server over two descriptors, in one thread: messages are taken as
// they come, and documents are checked when nothing more is waiting to be read.
#pragma once

#include <cstdint>

#include "interface/lsp/server.h"

namespace sibyl::interface::lsp {

enum class LspEnding : std::uint8_t {
  kInOrder,  ///< "shutdown" and "exit", or the input ended.
  kWithoutShutdown,
};

/// Serves until "exit", the end of the input, or the output is closed.
LspEnding ServeLsp(LspServer& server, int in, int out);

}  // namespace sibyl::interface::lsp
