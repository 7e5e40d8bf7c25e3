// SPDX-License-Identifier: Apache-2.0
#include "interface/web/mcp_http.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "base/secret.h"
#include "base/strings.h"

namespace sibyl::interface {
namespace {

constexpr std::size_t kMostSessions = 1'000;
constexpr std::string_view kSessionHeader = "Mcp-Session-Id";

HttpResponse JsonResponse(int status, const Json& body) {
  return {
      .status = status, .headers = {{"Content-Type", "application/json"}}, .body = FormatRpc(body)};
}

HttpResponse Failure(int status, const Json& id, const RpcError& error) {
  return JsonResponse(status, RpcFailure(id, error));
}

HttpResponse NotAllowed() {
  return {.status = 405, .headers = {{"Allow", "POST, DELETE"}}, .body = {}};
}

// "=?base64?…?=" around what a header cannot say as it is.
std::optional<std::string> Unwrapped(std::string_view value) {
  constexpr std::string_view kBegin = "=?base64?";
  constexpr std::string_view kEnd = "?=";
  const bool is_wrapped = value.size() >= kBegin.size() + kEnd.size() &&
                          value.starts_with(kBegin) && value.ends_with(kEnd);
  if (!is_wrapped) return std::string(value);
  value = value.substr(kBegin.size(), value.size() - kBegin.size() - kEnd.size());
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned gathered = 0;
  int bits = 0;
  for (const char c : value) {
    if (c == '=') break;
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    gathered = (gathered << 6U | static_cast<unsigned>(digit)) & 0xFFFFFFU;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(gathered >> static_cast<unsigned>(bits) & 0xFFU);
  }
  return bytes;
}

// What Mcp-Name repeats; null when the method has no such thing.
const Json* NameIn(const RpcRequest& request) {
  const char* member = request.method == "resources/read" ? "uri" : "name";
  const bool has_name = request.method == "tools/call" || request.method == "prompts/get" ||
                        request.method == "resources/read";
  const auto name = request.params.find(member);
  return has_name && name != request.params.end() && name->is_string() ? &*name : nullptr;
}

bool WantsStream(const RpcRequest& request, const HttpRequest& http) {
  const auto meta = request.params.find("_meta");
  return meta != request.params.end() && meta->is_object() && meta->contains("progressToken") &&
         http.Header("accept").find("text/event-stream") != std::string_view::npos;
}

std::string AsEvent(const Json& message) {
  return fmt::format("event: message\ndata: {}\n\n", FormatRpc(message));
}

}  // namespace

std::string CheckMcpHeaders(const HttpRequest& http, const RpcRequest& request) {
  const Json* version = VersionOf(request);
  if (!http.Has("mcp-protocol-version")) return "the header MCP-Protocol-Version is missing";
  if (version == nullptr || !version->is_string() ||
      *version != std::string(http.Header("mcp-protocol-version"))) {
    return "the header MCP-Protocol-Version and the body name different protocols";
  }
  if (http.Header("mcp-method") != request.method) {
    return "the header Mcp-Method is missing or is not the method of the body";
  }
  const Json* name = NameIn(request);
  if (name == nullptr) return {};
  const std::optional<std::string> said = Unwrapped(http.Header("mcp-name"));
  if (!http.Has("mcp-name") || !said || *said != name->get<std::string>()) {
    return "the header Mcp-Name is missing or does not name what the body names";
  }
  return {};
}

HttpResponse McpHttp::Handle(HttpExchange& exchange, bool may_write) {
  const HttpRequest& http = exchange.request();
  if (http.method == "POST") return Post(exchange, may_write);
  const bool ends_session = http.method == "DELETE" && http.Has("mcp-session-id") &&
                            http.Header("mcp-protocol-version") != kStatelessVersion;
  return ends_session ? End(http.Header("mcp-session-id")) : NotAllowed();
}

HttpResponse McpHttp::Post(HttpExchange& exchange, bool may_write) {
  const HttpRequest& http = exchange.request();
  if (!StartsWithIgnoringCase(http.Header("content-type"), "application/json")) {
    return {.status = 415, .headers = {}, .body = "the body is application/json\n"};
  }
  const std::string_view accept = http.Header("accept");
  const bool takes_json = accept.empty() || accept.find("application/json") != accept.npos ||
                          accept.find("*/*") != accept.npos ||
                          accept.find("text/event-stream") != accept.npos;
  if (!takes_json) return {.status = 406, .headers = {}, .body = "we answer in JSON\n"};
  const RpcMessage message = ReadRpcMessage(http.body);
  if (const auto* problem = std::get_if<RpcProblem>(&message)) {
    return Failure(400, problem->id, problem->error);
  }
  const auto* request = std::get_if<RpcRequest>(&message);
  if (request == nullptr) return {.status = 202, .headers = {}, .body = {}};
  if (request->is_notification()) return HandleNotification(*request, http);
  const bool is_stateless =
      VersionOf(*request) != nullptr || http.Header("mcp-protocol-version") == kStatelessVersion;
  return is_stateless ? HandleStateless(exchange, *request, may_write)
                      : HandleHandshake(exchange, *request, may_write);
}

HttpResponse McpHttp::HandleNotification(const RpcRequest& request, const HttpRequest& http) {
  const auto id = request.params.find("requestId");
  if (request.method == "notifications/cancelled" && id != request.params.end()) {
    const MutexLock lock(mutex_);
    const auto session = sessions_.find(http.Header("mcp-session-id"));
    if (session != sessions_.end()) {
      const auto found = session->second.under_way.find(id->dump());
      if (found != session->second.under_way.end()) found->second.request_stop();
    }
  }
  return {.status = 202, .headers = {}, .body = {}};
}

HttpResponse McpHttp::HandleStateless(HttpExchange& exchange, const RpcRequest& request,
                                      bool may_write) {
  // Where header and body disagree, whichever of them is wrong, that is the fault.
  const std::string mismatch =
      VersionOf(request) == nullptr ? "" : CheckMcpHeaders(exchange.request(), request);
  if (!mismatch.empty()) {
    return Failure(400, request.id, {.code = RpcCode::kHeaderMismatch, .message = mismatch});
  }
  const std::variant<Era, RpcError> era = EraOf(request, false);
  if (const auto* error = std::get_if<RpcError>(&era)) return Failure(400, request.id, *error);
  // A client that goes away has cancelled.
  return Answer(exchange, request,
                {.era = Era::kStateless, .stop = exchange.gone(), .may_write = may_write});
}

HttpResponse McpHttp::HandleHandshake(HttpExchange& exchange, const RpcRequest& request,
                                      bool may_write) {
  if (request.method == "initialize") return Begin(request);
  const HttpRequest& http = exchange.request();
  const std::string_view version = http.Header("mcp-protocol-version");
  if (!version.empty() && !IsHandshakeVersion(version)) {
    return Failure(
        400, request.id,
        {.code = RpcCode::kUnsupportedVersion,
         .message = "unsupported protocol version",
         .data = {{"supported", Json::array({kStatelessVersion})}, {"requested", version}}});
  }
  const std::string session(http.Header("mcp-session-id"));
  if (session.empty()) {
    return Failure(400, request.id,
                   {.code = RpcCode::kInvalidRequest,
                    .message = "begin with initialize, and repeat its Mcp-Session-Id"});
  }
  if (!Touch(session)) {
    return Failure(404, request.id,
                   {.code = RpcCode::kInvalidRequest, .message = "this session is over"});
  }
  const std::string key = request.id.dump();
  std::stop_source stop;
  {
    const MutexLock lock(mutex_);
    const auto found = sessions_.find(session);
    if (found != sessions_.end()) found->second.under_way[key] = stop;
  }
  // A client that goes away has not cancelled: it may only have lost its line.
  HttpResponse response =
      Answer(exchange, request,
             {.era = Era::kHandshake, .stop = stop.get_token(), .may_write = may_write});
  const MutexLock lock(mutex_);
  const auto found = sessions_.find(session);
  if (found != sessions_.end()) found->second.under_way.erase(key);
  return response;
}

HttpResponse McpHttp::Answer(HttpExchange& exchange, const RpcRequest& request,
                             McpCall call) const {
  call.on_tool = [this](std::string_view tool, bool has_failed) {
    metrics_.CountTool(tool, has_failed);
  };
  if (!WantsStream(request, exchange.request())) {
    const Json answer = server_.Answer(request, call);
    return JsonResponse(call.era == Era::kStateless ? HttpStatusOf(answer) : 200, answer);
  }
  HttpResponse head{.status = 200, .headers = {{"Content-Type", "text/event-stream"}}, .body = {}};
  if (!exchange.BeginStream(head)) return head;
  call.notify = [&exchange](const Json& message) { exchange.Write(AsEvent(message)); };
  const Json answer = server_.Answer(request, call);
  if (!call.stop.stop_requested()) exchange.Write(AsEvent(answer));
  return head;
}

HttpResponse McpHttp::Begin(const RpcRequest& request) {
  const Result<std::string> id = RandomHex(16);
  if (!id.ok()) {
    return Failure(500, request.id,
                   {.code = RpcCode::kInternalError, .message = id.error().message});
  }
  HttpResponse response = JsonResponse(200, server_.Answer(request, {.era = Era::kHandshake}));
  response.headers.push_back({std::string(kSessionHeader), *id});
  const MutexLock lock(mutex_);
  if (sessions_.size() >= kMostSessions) {
    sessions_.erase(std::min_element(
        sessions_.begin(), sessions_.end(),
        [](const auto& a, const auto& b) { return a.second.used < b.second.used; }));
  }
  sessions_[*id].used = ++uses_;
  return response;
}

HttpResponse McpHttp::End(std::string_view session) {
  const MutexLock lock(mutex_);
  const auto found = sessions_.find(session);
  if (found == sessions_.end()) return {.status = 404, .headers = {}, .body = {}};
  for (auto& [key, stop] : found->second.under_way) stop.request_stop();
  sessions_.erase(found);
  return {.status = 200, .headers = {}, .body = {}};
}

bool McpHttp::Touch(std::string_view session) {
  const MutexLock lock(mutex_);
  const auto found = sessions_.find(session);
  if (found == sessions_.end()) return false;
  found->second.used = ++uses_;
  return true;
}

}  // namespace sibyl::interface
