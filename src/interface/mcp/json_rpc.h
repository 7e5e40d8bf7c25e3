// SPDX-License-Identifier: Apache-2.0
// JSON-RPC 2.0 as MCP and LSP use it: no batches. An invalid message becomes the
// error response.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "base/json.h"

namespace sibyl::interface {

enum class RpcCode : int {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kInternalError = -32603,
  kResourceNotFound = -32002,      ///< Of the older protocols alone.
  kServerNotInitialized = -32002,  ///< Of LSP.
  kHeaderMismatch = -32020,
  kUnsupportedVersion = -32022,
};

struct RpcError {
  RpcCode code = RpcCode::kInternalError;
  std::string message;
  Json data = nullptr;  ///< Omitted if null.
};

struct RpcRequest {
  Json id = nullptr;  ///< A text or a number; null: a notification, which is not answered.
  std::string method;
  Json params = Json::object();

  bool is_notification() const { return id.is_null(); }
};

/// An invalid request: the error response, with the id if it had one.
struct RpcProblem {
  Json id = nullptr;
  RpcError error;
};

/// A response from the client; we send no requests, so it is ignored.
struct RpcStrayAnswer {};

using RpcMessage = std::variant<RpcRequest, RpcStrayAnswer, RpcProblem>;

struct RpcLimits {
  std::size_t max_bytes = std::size_t{8} << 20;
  int max_depth = 64;
};

/// Never throws.
RpcMessage ReadRpcMessage(std::string_view text, const RpcLimits& limits = {});

Json RpcResult(const Json& id, Json result);
Json RpcFailure(const Json& id, const RpcError& error);
Json RpcNotification(std::string_view method, Json params);

/// One line without its end: no line break can be in it.
std::string FormatRpc(const Json& message);

}  // namespace sibyl::interface
