// SPDX-License-Identifier: Apache-2.0
#include "interface/web/routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/nearest_name.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "base/telemetry/activity.h"
#include "base/telemetry/log.h"
#include "interface/interface.h"
#include "interface/json_answer.h"
#include "interface/room/json_text.h"

namespace sibyl::interface {
namespace {

// Programs accept larger answers than agents.
constexpr std::size_t kMostApiBytes = std::size_t{4} << 20;
constexpr std::size_t kMostBodyBytes = std::size_t{8} << 20;

HttpResponse JsonResponse(int status, const Json& body) {
  return {.status = status,
          .headers = {{"Content-Type", "application/json"}},
          .body = FormatJson(body) + '\n'};
}

HttpResponse JsonRefusal(int status, ErrorKind kind, std::string message, std::string hint = {}) {
  return JsonResponse(
      status,
      ErrorAsJson({}, {.kind = kind, .message = std::move(message), .hint = std::move(hint)}));
}

HttpResponse NeedsToken() {
  HttpResponse response =
      JsonRefusal(401, ErrorKind::kUsage, "this needs the server's token",
                  "send 'Authorization: Bearer TOKEN'; the server printed it at startup");
  response.headers.push_back({"WWW-Authenticate", "Bearer realm=\"sibyl\""});
  return response;
}

HttpResponse NotAllowed(std::string allowed) {
  HttpResponse response = JsonRefusal(405, ErrorKind::kUsage, "this path takes " + allowed);
  response.headers.push_back({"Allow", std::move(allowed)});
  return response;
}

bool IsGet(const HttpRequest& head) { return head.method == "GET" || head.method == "HEAD"; }

Json TypedValue(const engine::Parameter& parameter, const std::string& text) {
  if (parameter.kind == engine::ParameterKind::kFlag) {
    if (text.empty() || text == "true" || text == "1") return true;
    if (text == "false" || text == "0") return false;
    return text;
  }
  if (parameter.type != engine::ValueType::kInteger) return text;
  const std::optional<std::int64_t> number = ParseNumber<std::int64_t>(text);
  return number ? Json(*number) : Json(text);
}

bool IsPerson(const HttpRequest& head) { return Contains(head.Header("accept"), "text/html"); }

// Of a refusal for programs: JSON, or a line of text.
Error ErrorOf(const HttpResponse& response) {
  constexpr int kDepth = 8;
  const Result<Json> body = ParseJson(response.body, {.max_depth = kDepth});
  if (!body.ok()) return {.message = std::string(Trim(response.body))};
  const Json& error = JsonObject(*body, "error");
  return {.message = std::string(JsonText(error, "message")),
          .hint = std::string(JsonText(error, "hint"))};
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

Routes::Target Routes::FindOperation(const HttpRequest& head, bool may_write) const {
  Target target{.route = "api", .page = Page::kOperation, .may_write = may_write};
  constexpr std::string_view kRoot = "/api/";
  const std::string_view name = std::string_view(head.path).substr(kRoot.size());
  target.tool = FindTool(server_.tools(), name);
  if (target.tool == nullptr) {
    std::vector<std::string> names;
    for (const OfferedTool& tool : server_.tools()) names.emplace_back(tool.name);
    const std::optional<std::string> near = NearestName(name, names);
    target.refusal = JsonRefusal(404, ErrorKind::kNotFound, "no such operation",
                                 near ? "did you mean '" + *near + "'?" : "GET /api lists them");
    return target;
  }
  const bool is_read_only = target.tool->is_read_only;
  if (head.method != "POST" && !(IsGet(head) && is_read_only)) {
    target.refusal = NotAllowed(is_read_only ? "GET, HEAD, POST" : "POST");
  } else if (!is_read_only && !may_write) {
    target.refusal = NeedsToken();
  } else if (head.method == "POST" &&
             !StartsWithIgnoringCase(head.Header("content-type"), "application/json")) {
    target.refusal = JsonRefusal(415, ErrorKind::kUsage, "the body must be application/json");
  }
  return target;
}

Routes::Target Routes::FindTarget(const HttpRequest& head) const {
  const Access access = AccessOf(head, guard_);
  if (access == Access::kForbidden) {
    return {.route = "forbidden",
            .refusal = JsonRefusal(403, ErrorKind::kUsage, "the Host or Origin is not this server",
                                   "--host-name allows another name")};
  }
  if (access == Access::kCrossSite) {
    return {
        .route = "forbidden",
        .refusal = JsonRefusal(403, ErrorKind::kUsage, "the request comes from another site's page",
                               "Sec-Fetch-Site must be same-origin or none, or absent")};
  }
  const bool may_write = access == Access::kWrites;
  Target target{.may_write = may_write};
  if (head.path == "/health") {
    target.route = "health";
    target.page = Page::kHealth;
  } else if (access == Access::kWrongToken) {
    return {.route = "unauthorized", .refusal = NeedsToken()};
  } else if (head.path == "/metrics") {
    target.route = "metrics";
    target.page = Page::kMetrics;
  } else if (head.path == "/mcp") {
    return {.route = "mcp",
            .page = Page::kAgents,
            .may_write = may_write,
            .refusal = McpHttp::Judge(head)};
  } else if (head.path == "/api" || head.path == "/api/") {
    target.route = "api";
    target.page = Page::kApi;
  } else if (head.path.starts_with("/api/")) {
    return FindOperation(head, may_write);
  } else if (Room::Has(head.path)) {
    return {.route = "room",
            .page = Page::kRoom,
            .may_write = may_write,
            .refusal = room_.Judge(head, may_write)};
  } else {
    return {.route = "none",
            .refusal = JsonRefusal(404, ErrorKind::kNotFound, "no such path",
                                   "try /, /health, /metrics, /api and /mcp")};
  }
  if (!IsGet(head)) target.refusal = NotAllowed("GET, HEAD");
  return target;
}

HeadJudgement Routes::Judge(const HttpRequest& head) {
  Target target = FindTarget(head);
  if (target.refusal) {
    metrics_.CountRequest(target.route, target.refusal->status, {});
    return {.refusal = ForReader(head, *std::move(target.refusal)), .has_token = target.may_write};
  }
  return {.has_token = target.may_write,
          .is_quick =
              target.page == Page::kHealth || (target.page == Page::kRoom && room_.IsQuick(head)),
          .most_body_bytes = head.method == "POST" ? kMostBodyBytes : 0};
}

HttpResponse Routes::ForReader(const HttpRequest& head, HttpResponse response) const {
  const auto type = std::ranges::find(response.headers, "Content-Type", &HttpHeader::name);
  const bool is_page = type != response.headers.end() && type->value.starts_with("text/html");
  if (response.status < 400 || is_page || !IsPerson(head)) return response;
  HttpResponse page = room_.ErrorAsPage(response.status, ErrorOf(response));
  for (HttpHeader& header : response.headers) {
    const bool is_kept =
        header.name == "Allow" || header.name == "WWW-Authenticate" || header.name == "Retry-After";
    if (is_kept) page.headers.push_back(std::move(header));
  }
  return page;
}

HttpResponse Routes::Refusal(const HttpRequest& head, int status, std::string_view reason) const {
  return ForReader(head, TextResponse(status, reason));
}

HttpResponse Routes::ListOperations() const {
  Json tools = Json::array();
  for (const OfferedTool& tool : server_.tools()) tools.push_back(ToolAsJson(tool));
  return JsonResponse(200, {{"version", kJsonVersion}, {"operations", std::move(tools)}});
}

HttpResponse Routes::CallOperation(HttpExchange& exchange, const OfferedTool& tool) {
  const HttpRequest& http = exchange.request();
  Json arguments = Json::object();
  if (http.method == "POST") {
    constexpr int kDepth = 64;
    Result<Json> body = ParseJson(http.body, {.max_depth = kDepth});
    if (!body.ok() || !body->is_object()) {
      return JsonRefusal(400, ErrorKind::kUsage, "the body is not a JSON object");
    }
    arguments = *std::move(body);
  } else {
    arguments = ArgumentsOfQuery(tool, http.query);
  }
  oracle::Context context = server_.context();
  context.catch_interrupt = [stop = exchange.gone()] { return stop; };
  context.is_over = [stop = exchange.gone()] { return stop.stop_requested(); };
  const Result<Json> answer = CallTool(tool, arguments, context, kMostApiBytes);
  metrics_.CountTool(tool.name, !answer.ok());
  if (answer.ok()) return JsonResponse(200, *answer);
  return JsonResponse(HttpStatusOf(answer.error().kind),
                      ErrorAsJson(tool.operation->name, answer.error()));
}

HttpResponse Routes::AnswerTarget(HttpExchange& exchange, const Target& target) {
  if (target.refusal) return *target.refusal;
  switch (target.page) {
    case Page::kHealth:
      return JsonResponse(200, {{"status", "ok"},
                                {"release", Release()},
                                {"oracle", server_.context().oracle.has_value()}});
    case Page::kMetrics:
      return MetricsResponse(metrics_.Format());
    case Page::kApi:
      return ListOperations();
    case Page::kOperation:
      return CallOperation(exchange, *target.tool);
    case Page::kAgents:
      return mcp_.Handle(exchange, target.may_write);
    case Page::kRoom:
      return room_.Answer(exchange);
    case Page::kNone:
      break;
  }
  return JsonRefusal(404, ErrorKind::kNotFound, "no such path");
}

// Monitors ask several times a minute. Paths and queries are not logged: they have
// what people ask.
void Routes::LogAnswer(const Target& target, int status, std::chrono::microseconds took) const {
  if (target.page == Page::kHealth || target.page == Page::kMetrics) return;
  WriteLog(status >= 500 ? LogLevel::kWarning : LogLevel::kInfo, "request",
           {{"route", target.route},
            {"tool", target.tool != nullptr ? Json(target.tool->name) : Json()},
            {"status", status},
            {"milliseconds", std::chrono::duration_cast<std::chrono::milliseconds>(took).count()}});
}

HttpResponse Routes::Answer(HttpExchange& exchange) {
  const auto began = std::chrono::steady_clock::now();
  // Runs that this request starts, and models that they ask, are in the caller's trace.
  const ActivityScope scope({.run = {},
                             .part = {},
                             .worker = {},
                             .trace = ParseTraceparent(exchange.request().Header("traceparent"))});
  const Target target = FindTarget(exchange.request());
  HttpResponse response = ForReader(exchange.request(), AnswerTarget(exchange, target));
  const auto took = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - began);
  metrics_.CountRequest(target.route, response.status, took);
  LogAnswer(target, response.status, took);
  return response;
}

}  // namespace sibyl::interface
