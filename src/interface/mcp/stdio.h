// SPDX-License-Identifier: Apache-2.0
// MCP over two descriptors, one message a line. One thread reads, a few answer,
// and whoever has an answer writes it whole; so a long call keeps neither a
// cancellation nor a sign of life waiting.
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
  /// What is asked before the input ends is still answered, if it takes no
  /// longer than this.
  std::chrono::milliseconds patience{10'000};
  RpcLimits limits = {};
};

enum class StdioEnding : std::uint8_t {
  kEnded,    ///< The input ended and all was answered.
  kLeftOver  ///< Calls are still running; only the end of the process ends them.
};

/// Serves until the input ends or nobody reads the output.
StdioEnding ServeStdio(const McpServer& server, const StdioOptions& options);

}  // namespace sibyl::interface
