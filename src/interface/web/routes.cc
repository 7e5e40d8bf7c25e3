// SPDX-License-Identifier: Apache-2.0
#include "interface/web/routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

#include "base/strings.h"
#include "interface/interface.h"
#include "interface/json_answer.h"

namespace sibyl::interface {
namespace {

// A program that asks over HTTP takes more than an agent's window.
constexpr std::size_t kMostApiBytes = std::size_t{4} << 20;

HttpResponse JsonResponse(int status, const Json& body) {
  return {.status = status,
          .headers = {{"Content-Type", "application/json"}},
          .body = FormatJson(body) + '\n'};
}

HttpResponse Refusal(int status, ErrorKind kind, std::string message, std::string hint = {}) {
  return JsonResponse(
      status,
      ErrorAsJson({}, {.kind = kind, .message = std::move(message), .hint = std::move(hint)}));
}

HttpResponse NeedsToken() {
  HttpResponse response =
      Refusal(401, ErrorKind::kUsage, "this asks for the server's token",
              "Authorization: Bearer TOKEN; the server printed it at its start");
  response.headers.push_back({"WWW-Authenticate", "Bearer realm=\"sibyl\""});
  return response;
}

HttpResponse NotAllowed(std::string allowed) {
  HttpResponse response = Refusal(405, ErrorKind::kUsage, "this path takes " + allowed);
  response.headers.push_back({"Allow", std::move(allowed)});
  return response;
}

Json TypedValue(const engine::Parameter& parameter, const std::string& text) {
  if (parameter.kind == engine::ParameterKind::kFlag) {
    if (text.empty() || text == "true" || text == "1") return true;
    if (text == "false" || text == "0") return false;
    return text;
  }
  std::int64_t number = 0;
  const char* stop = text.data() + text.size();
  const bool is_number = parameter.type == engine::ValueType::kInteger && !text.empty() &&
                         std::from_chars(text.data(), stop, number).ptr == stop;
  return is_number ? Json(number) : Json(text);
}

}  // namespace

int HttpStatusOf(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return 400;
    case ErrorKind::kNotFound:
      return 404;
    case ErrorKind::kCorrupt:
      return 422;
    case ErrorKind::kUnavailable:
    case ErrorKind::kCancelled:
      return 503;
  }
  return 500;
}

Json ArgumentsOfQuery(const OfferedTool& tool, std::string_view query) {
  Json arguments = Json::object();
  for (const HttpHeader& value : ReadQuery(query)) {
    const auto parameters = tool.operation->parameters;
    const auto found =
        std::find_if(parameters.begin(), parameters.end(),
                     [&](const engine::Parameter& each) { return each.name == value.name; });
    if (found == parameters.end()) {
      arguments[value.name] = value.value;  // refused by name when it is called
    } else if (found->repeated) {
      arguments[value.name].push_back(TypedValue(*found, value.value));
    } else {
      arguments[value.name] = TypedValue(*found, value.value);
    }
  }
  return arguments;
}

HttpResponse Routes::Api(HttpExchange& exchange, bool may_write) {
  const HttpRequest& http = exchange.request();
  constexpr std::string_view kRoot = "/api";
  std::string_view name = std::string_view(http.path).substr(kRoot.size());
  if (name.empty() || name == "/") {
    if (http.method != "GET") return NotAllowed("GET");
    Json tools = Json::array();
    for (const OfferedTool& tool : server_.tools()) tools.push_back(ToolAsJson(tool));
    return JsonResponse(200, {{"version", kJsonVersion}, {"operations", std::move(tools)}});
  }
  name.remove_prefix(1);
  const OfferedTool* tool = FindTool(server_.tools(), name);
  if (tool == nullptr) {
    return Refusal(404, ErrorKind::kNotFound, "there is no such operation", "GET /api lists them");
  }
  const bool is_query = http.method == "GET" && tool->is_read_only;
  if (!is_query && http.method != "POST") {
    return NotAllowed(tool->is_read_only ? "GET, POST" : "POST");
  }
  if (!tool->is_read_only && !may_write) return NeedsToken();
  Json arguments = Json::object();
  if (is_query) {
    arguments = ArgumentsOfQuery(*tool, http.query);
  } else {
    if (!StartsWithIgnoringCase(http.Header("content-type"), "application/json")) {
      return Refusal(415, ErrorKind::kUsage, "the body is application/json");
    }
    constexpr int kDepth = 64;
    Result<Json> body = ParseJson(http.body, {.max_depth = kDepth});
    if (!body.ok() || !body->is_object()) {
      return Refusal(400, ErrorKind::kUsage, "the body is no JSON object");
    }
    arguments = *std::move(body);
  }
  engine::Context context = server_.context();
  context.catch_interrupt = [stop = exchange.gone()] { return stop; };
  const Result<Json> answer = CallTool(*tool, arguments, context, kMostApiBytes);
  metrics_.CountTool(tool->name, !answer.ok());
  if (answer.ok()) return JsonResponse(200, *answer);
  return JsonResponse(HttpStatusOf(answer.error().kind),
                      ErrorAsJson(tool->operation->name, answer.error()));
}

Routes::Routed Routes::Route(HttpExchange& exchange) {
  const HttpRequest& http = exchange.request();
  const Access access = AccessOf(http, guard_);
  if (access == Access::kForbidden) {
    return {"forbidden",
            Refusal(403, ErrorKind::kUsage, "this Host or Origin is not of this server",
                    "--host-name allows another name")};
  }
  if (http.path == "/health") {
    if (http.method != "GET") return {"health", NotAllowed("GET")};
    return {"health", JsonResponse(200, {{"status", "ok"},
                                         {"release", Release()},
                                         {"oracle", server_.context().oracle.has_value()}})};
  }
  if (access == Access::kWrongToken) return {"unauthorized", NeedsToken()};
  const bool may_write = access == Access::kWrites;
  if (http.path == "/mcp") return {"mcp", mcp_.Handle(exchange, may_write)};
  if (http.path == "/metrics") {
    if (http.method != "GET") return {"metrics", NotAllowed("GET")};
    return {"metrics",
            {.status = 200,
             .headers = {{"Content-Type", "text/plain; version=0.0.4"}},
             .body = metrics_.Format()}};
  }
  if (http.path == "/api" || http.path.starts_with("/api/")) {
    return {"api", Api(exchange, may_write)};
  }
  return {"none", Refusal(404, ErrorKind::kNotFound, "there is nothing here",
                          "/health, /metrics, /api and /mcp")};
}

HttpResponse Routes::Handle(HttpExchange& exchange) {
  const auto began = std::chrono::steady_clock::now();
  Routed routed = Route(exchange);
  metrics_.CountRequest(routed.route, routed.response.status,
                        std::chrono::duration_cast<std::chrono::microseconds>(
                            std::chrono::steady_clock::now() - began));
  return std::move(routed.response);
}

}  // namespace sibyl::interface
