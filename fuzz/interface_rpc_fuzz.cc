// SPDX-License-Identifier: Apache-2.0
// A line sent to an MCP server is answered, refused or dropped; the answer is one
// line of JSON. No tool is called.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/clock.h"
#include "interface/mcp/answer_size.h"
#include "interface/mcp/server.h"

namespace {

const sibyl::FixedClock kClock{sibyl::Time{}};

const sibyl::interface::McpServer& Server() {
  static const sibyl::interface::McpServer server({.working_folder = "/nowhere", .clock = kClock},
                                                  {});
  return server;
}

void CheckLine(const sibyl::Json& message) {
  const std::string line = sibyl::interface::FormatRpc(message);
  if (line.find('\n') != std::string::npos || !sibyl::ParseJson(line).ok()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sibyl::interface;  // NOLINT(google-build-using-namespace)
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const RpcMessage message = ReadRpcMessage(text, {.max_bytes = 1 << 16});
  if (const auto* problem = std::get_if<RpcProblem>(&message)) {
    CheckLine(RpcFailure(problem->id, problem->error));
    return 0;
  }
  const auto* request = std::get_if<RpcRequest>(&message);
  if (request == nullptr || request->is_notification()) return 0;
  const auto chosen = EraOf(*request, size % 2 == 0);
  if (const auto* error = std::get_if<RpcError>(&chosen)) {
    CheckLine(RpcFailure(request->id, *error));
    return 0;
  }
  CheckLine(Server().Answer(*request, {.era = std::get<Era>(chosen)}));
  // Cut to any size, an answer stays one.
  const auto fitted = FitAnswer(request->params, {}, 600);
  if (fitted.ok()) CheckLine(*fitted);
  return 0;
}
