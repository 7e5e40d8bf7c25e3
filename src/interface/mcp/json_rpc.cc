// SPDX-License-Identifier: Apache-2.0
#include "interface/mcp/json_rpc.h"

#include <utility>

namespace sibyl::interface {
namespace {

RpcProblem Problem(Json id, RpcCode code, std::string message) {
  return {.id = std::move(id), .error = {.code = code, .message = std::move(message)}};
}

bool IsId(const Json& json) { return json.is_string() || json.is_number(); }

}  // namespace

RpcMessage ReadRpcMessage(std::string_view text, const RpcLimits& limits) {
  Result<Json> parsed =
      ParseJson(text, {.max_bytes = limits.max_bytes, .max_depth = limits.max_depth});
  if (!parsed.ok()) return Problem(nullptr, RpcCode::kParseError, parsed.error().message);
  Json& json = *parsed;
  if (json.is_array()) {
    return Problem(nullptr, RpcCode::kInvalidRequest,
                   "batches are not supported: send one message at a time");
  }
  if (!json.is_object()) {
    return Problem(nullptr, RpcCode::kInvalidRequest, "a message must be a JSON object");
  }
  const auto id = json.find("id");
  const bool has_id = id != json.end();
  const Json answered_id = has_id && IsId(*id) ? *id : Json(nullptr);
  const auto version = json.find("jsonrpc");
  if (version == json.end() || *version != "2.0") {
    return Problem(answered_id, RpcCode::kInvalidRequest, "the member 'jsonrpc' is not \"2.0\"");
  }
  const auto method = json.find("method");
  if (method == json.end()) {
    if (json.contains("result") || json.contains("error")) return RpcStrayAnswer{};
    return Problem(answered_id, RpcCode::kInvalidRequest, "a request needs a method");
  }
  if (!method->is_string()) {
    return Problem(answered_id, RpcCode::kInvalidRequest, "the method is not a string");
  }
  if (has_id && !IsId(*id)) {
    return Problem(nullptr, RpcCode::kInvalidRequest, "an id must be a string or a number");
  }
  RpcRequest request{.id = answered_id, .method = method->get<std::string>()};
  if (const auto params = json.find("params"); params != json.end() && !params->is_null()) {
    if (!params->is_object()) {
      return Problem(answered_id, RpcCode::kInvalidParams, "params is not an object");
    }
    request.params = std::move(*params);
  }
  return request;
}

Json RpcResult(const Json& id, Json result) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

Json RpcFailure(const Json& id, const RpcError& error) {
  Json described = {{"code", static_cast<int>(error.code)}, {"message", error.message}};
  if (!error.data.is_null()) described["data"] = error.data;
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(described)}};
}

Json RpcNotification(std::string_view method, Json params) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

std::string FormatRpc(const Json& message) { return FormatJson(message, JsonLayout::kCompact); }

}  // namespace sibyl::interface
