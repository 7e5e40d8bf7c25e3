// SPDX-License-Identifier: Apache-2.0
#include "interface/web/mcp_http.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <stop_token>
#include <utility>
#include <variant>

#include "base/secret.h"
#include "base/strings.h"

namespace sibyl::interface {
namespace {

constexpr std::string_view kSessionHeader = "Mcp-Session-Id";

HttpResponse McpResponse(int status, const Json& body) {
  return {
      .status = status, .headers = {{"Content-Type", "application/json"}}, .body = FormatRpc(body)};
}

HttpResponse Failure(int status, const Json& id, const RpcError& error) {
  return McpResponse(status, RpcFailure(id, error));
}

HttpResponse NotAllowed() {
  return {.status = 405, .headers = {{"Allow", "POST, DELETE"}}, .body = {}};
}

// "=?base64?…?=" around values that a header cannot contain.
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

// The value of Mcp-Name; null if the method has none.
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
    return "the header Mcp-Method is missing or differs from the method in the body";
  }
  const Json* name = NameIn(request);
  if (name == nullptr) return {};
  const std::optional<std::string> said = Unwrapped(http.Header("mcp-name"));
  if (!http.Has("mcp-name") || !said || *said != name->get<std::string>()) {
    return "the header Mcp-Name is missing or differs from the name in the body";
  }
  return {};
}

std::optional<HttpResponse> McpHttp::Judge(const HttpRequest& head) {
  if (head.method == "DELETE") {
    const bool ends_session =
        head.Has("mcp-session-id") && head.Header("mcp-protocol-version") != kStatelessVersion;
    if (ends_session) return std::nullopt;
    return NotAllowed();
  }
  if (head.method != "POST") return NotAllowed();
  if (!StartsWithIgnoringCase(head.Header("content-type"), "application/json")) {
    return TextResponse(415, "the body must be application/json");
  }
  const std::string_view accept = head.Header("accept");
  const bool takes_json = accept.empty() || accept.find("application/json") != accept.npos ||
                          accept.find("*/*") != accept.npos ||
                          accept.find("text/event-stream") != accept.npos;
  if (!takes_json) return TextResponse(406, "Accept must allow application/json");
  return std::nullopt;
}

HttpResponse McpHttp::Handle(HttpExchange& exchange, bool may_write) {
  const HttpRequest& http = exchange.request();
  if (std::optional<HttpResponse> refusal = Judge(http)) return *std::move(refusal);
  if (http.method == "POST") return Post(exchange, may_write);
  const bool has_ended = sessions_.End(http.Header("mcp-session-id"), may_write);
  return {.status = has_ended ? 200 : 404, .headers = {}, .body = {}};
}

HttpResponse McpHttp::Post(HttpExchange& exchange, bool may_write) {
  const HttpRequest& http = exchange.request();
  const RpcMessage message = ReadRpcMessage(http.body);
  if (const auto* problem = std::get_if<RpcProblem>(&message)) {
    return Failure(400, problem->id, problem->error);
  }
  const auto* request = std::get_if<RpcRequest>(&message);
  if (request == nullptr) return {.status = 202, .headers = {}, .body = {}};
  if (request->is_notification()) return HandleNotification(*request, http, may_write);
  const bool is_stateless =
      VersionOf(*request) != nullptr || http.Header("mcp-protocol-version") == kStatelessVersion;
  return is_stateless ? HandleStateless(exchange, *request, may_write)
                      : HandleHandshake(exchange, *request, may_write);
}

HttpResponse McpHttp::HandleNotification(const RpcRequest& request, const HttpRequest& http,
                                         bool may_write) {
  const auto id = request.params.find("requestId");
  if (request.method == "notifications/cancelled" && id != request.params.end()) {
    sessions_.Cancel(http.Header("mcp-session-id"), may_write, id->dump());
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
  // A client that disconnects has cancelled.
  return Answer(exchange, request,
                {.era = Era::kStateless, .stop = exchange.gone(), .may_write = may_write});
}

HttpResponse McpHttp::HandleHandshake(HttpExchange& exchange, const RpcRequest& request,
                                      bool may_write) {
  if (request.method == "initialize") return Begin(exchange, request, may_write);
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
                    .message = "send initialize first, and repeat its Mcp-Session-Id"});
  }
  if (!sessions_.Use(session, may_write, std::chrono::steady_clock::now())) {
    return Failure(404, request.id,
                   {.code = RpcCode::kInvalidRequest, .message = "this session has ended"});
  }
  const std::string key = request.id.dump();
  std::stop_source stop;
  // Disconnecting does not cancel, but time limits still apply.
  const std::stop_callback overdue(exchange.overdue(), [&stop] { stop.request_stop(); });
  sessions_.Start(session, key, stop);
  HttpResponse response = Answer(exchange, request,
                                 {.era = Era::kHandshake,
                                  .form = AnswerFormOf(version),
                                  .stop = stop.get_token(),
                                  .may_write = may_write});
  sessions_.Finish(session, key);
  return response;
}

HttpResponse McpHttp::Answer(HttpExchange& exchange, const RpcRequest& request,
                             McpCall call) const {
  call.on_tool = [this](std::string_view tool, bool has_failed) {
    metrics_.CountTool(tool, has_failed);
  };
  if (!WantsStream(request, exchange.request())) {
    const Json answer = server_.Answer(request, call);
    return McpResponse(call.era == Era::kStateless ? HttpStatusOf(answer) : 200, answer);
  }
  HttpResponse head{.status = 200, .headers = {{"Content-Type", "text/event-stream"}}, .body = {}};
  if (!exchange.BeginStream(head)) return head;
  call.notify = [&exchange](const Json& message) { exchange.Write(AsEvent(message)); };
  const Json answer = server_.Answer(request, call);
  if (!call.stop.stop_requested()) exchange.Write(AsEvent(answer));
  return head;
}

HttpResponse McpHttp::Begin(HttpExchange& exchange, const RpcRequest& request, bool may_write) {
  const Result<std::string> id = RandomHex(16);
  if (!id.ok()) {
    return Failure(500, request.id,
                   {.code = RpcCode::kInternalError, .message = id.error().message});
  }
  const auto begun = sessions_.Begin(*id, {.client = exchange.client(), .has_token = may_write},
                                     std::chrono::steady_clock::now());
  if (begun != McpSessions::Begun::kYes) {
    const bool is_client = begun == McpSessions::Begun::kClientHasTooMany;
    HttpResponse refusal = Failure(
        is_client ? 429 : 503, request.id,
        {.code = RpcCode::kInvalidRequest,
         .message = is_client ? "this client has too many sessions; end one with DELETE, or "
                                "use protocol 2026-07-28, which needs none"
                              : "the server has too many sessions; try again later"});
    refusal.headers.push_back({"Retry-After", "60"});
    return refusal;
  }
  HttpResponse response = McpResponse(200, server_.Answer(request, {.era = Era::kHandshake}));
  response.headers.push_back({std::string(kSessionHeader), *id});
  return response;
}

}  // namespace sibyl::interface
