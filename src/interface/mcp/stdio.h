// SPDX-License-Identifier: Apache-2.0
// MCP over two descriptors, one message per line. One thread reads, a few
// answer and write whole messages, so a long call does not delay a cancellation
// or a ping.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "interface/mcp/server.h"

namespace sibyl::interface {

struct StdioOptions {
  int in = 0;
  int out = 1;
  std::size_t workers = 4;
  std::size_t most_waiting = 256;  ///< Requests under way; more are refused.
  /// How long pending requests may take after the input ends.
  std::chrono::milliseconds patience{10'000};
  RpcLimits limits = {};
};

enum class StdioEnding : std::uint8_t {
  kEnded,    ///< The input ended and all was answered.
  kLeftOver  ///< Calls are still running; only the end of the process ends them.
};

/// Serves until the input ends or the output is closed.
StdioEnding ServeStdio(const McpServer& server, const StdioOptions& options);

}  // namespace sibyl::interface
