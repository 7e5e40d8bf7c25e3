// SPDX-License-Identifier: Apache-2.0
// Start here: an MCP server without a transport: takes a request, returns the
// response. Standard input and HTTP are its transports. docs/formats/mcp.md
// describes the protocol.
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
  AnswerForm form = AnswerForm::kStructured;  ///< What the client's protocol has.
  std::stop_token stop = {};
  /// Sends a notification for this request; empty if the client cannot receive
  /// any. Called on the thread that handles the request.
  std::function<void(const Json&)> notify = {};
  bool may_write = true;  ///< Tools that change something are refused without.
  /// Called for every tool call, with its name.
  std::function<void(std::string_view, bool has_failed)> on_tool = {};
};

/// Thread-safe: everything it has is read only.
class McpServer {
 public:
  /// `context` is copied for every call; its clock and lease monitor are borrowed.
  McpServer(oracle::Context context, std::vector<OfferedTool> tools,
            AnswerForm form = AnswerForm::kStructured)
      : context_(std::move(context)), tools_(std::move(tools)), form_(form) {}

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
  AnswerForm form_;
};

/// {"name": "sibyl", "title": "Sibyl", "version": "0.1.0"}
Json ServerIdentity();

/// 404 of HTTP for what does not exist, 400 for the rest that the asker did.
int HttpStatusOf(const Json& answer);

}  // namespace sibyl::interface
