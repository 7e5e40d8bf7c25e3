// SPDX-License-Identifier: Apache-2.0
// Start here: an MCP server without a transport. A request goes in, the answer
// comes out; standard input and HTTP are two ways to bring the one and carry the
// other. docs/formats/mcp.md says what is spoken.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "interface/mcp/json_rpc.h"
#include "interface/mcp/protocol.h"
#include "interface/mcp/resources.h"
#include "interface/mcp/tools.h"
#include "oracle/context.h"

namespace sibyl::interface {

/// One request as its transport sees it.
struct McpCall {
  Era era = Era::kHandshake;
  std::stop_token stop = {};
  /// Sends a notification that belongs to this request; empty when nobody
  /// could hear it. Called on the thread that answers.
  std::function<void(const Json&)> notify = {};
  bool may_write = true;  ///< Tools that change something are refused without.
  /// Told of every tool that was run, by its name.
  std::function<void(std::string_view, bool has_failed)> on_tool = {};
};

/// Thread-safe: everything it has is read only.
class McpServer {
 public:
  /// `context` is copied for every call; its clock and desk are borrowed.
  McpServer(oracle::Context context, std::vector<OfferedTool> tools)
      : context_(std::move(context)), tools_(std::move(tools)) {}

  /// The whole message to answer with. Not for notifications.
  Json Answer(const RpcRequest& request, const McpCall& call) const;

  const std::vector<OfferedTool>& tools() const { return tools_; }
  const oracle::Context& context() const { return context_; }

 private:
  RpcOutcome Dispatch(const RpcRequest& request, const McpCall& call) const;
  RpcOutcome CallNamedTool(const RpcRequest& request, const McpCall& call) const;
  Json Initialize(const Json& params) const;
  Json ListTools() const;

  oracle::Context context_;
  std::vector<OfferedTool> tools_;
};

/// {"name": "sibyl", "title": "Sibyl", "version": "0.1.0"}
Json ServerIdentity();

/// 404 of HTTP for what does not exist, 400 for the rest that the asker did.
int HttpStatusOf(const Json& answer);

}  // namespace sibyl::interface
