// SPDX-License-Identifier: Apache-2.0
// `sibyl serve`: the operations over HTTP, and agents over MCP, until it is
// stopped.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "base/telemetry/log.h"
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "interface/cli/own_commands.h"
#include "interface/served_context.h"
#include "interface/web/http_server.h"
#include "interface/web/routes.h"
#include "interface/web/server_token.h"
#include "oracle/lease_monitor.h"

namespace sibyl::interface {
namespace {

using engine::Parameter;
using engine::ParameterKind;
using engine::ValueType;

// At once, since the answer of an operation comes at its end. A token is never in the
// log: without SIBYL_TOKEN, operations that write cannot be called then.
void Announce(const std::string& address, std::uint16_t port, const ServerToken& token) {
  const bool is_six = address.find(':') != std::string::npos;
  const std::string shown =
      fmt::format("http://{}{}{}:{}/", is_six ? "[" : "", address, is_six ? "]" : "", port);
  if (IsLogOn()) {
    WriteLog(LogLevel::kInfo, "serving", {{"address", shown}, {"has_token", !token.is_ours}});
    return;
  }
  fmt::print(stderr, "sibyl: serving {}\n", shown);
  if (token.is_ours) fmt::print(stderr, "sibyl: token for operations that write: {}\n", token.text);
  std::fflush(stderr);
}

Result<engine::Outcome> RunServe(const oracle::Context& context,
                                 const engine::Arguments& arguments) {
  std::vector<OfferedTool> tools = SIBYL_TRY(OfferTools(arguments.All("tool")));
  oracle::Context served = SIBYL_TRY(ServedContext(context, arguments.All("allow")));
  oracle::LeaseMonitor lease_monitor;
  served.lease_monitor = &lease_monitor;
  const ServerToken token = SIBYL_TRY(ChooseToken());
  const std::string address(arguments.Text("bind"));
  if (IsLogOn()) SIBYL_TRY(CheckTokenIsKnown(token, address));
  HttpServer http = SIBYL_TRY(HttpServer::Listen(
      {.address = address,
       .port = static_cast<std::uint16_t>(arguments.Integer("port").value_or(0)),
       .clients = {.connections =
                       static_cast<std::size_t>(arguments.Integer("connections").value_or(64))}}));
  const McpServer server(std::move(served), std::move(tools),
                         arguments.Has("structured") ? AnswerForm::kStructured : AnswerForm::kText);
  Routes routes(server, {.address = address,
                         .port = http.port(),
                         .names = arguments.All("host-name"),
                         .token = token.text,
                         .reads_need_token = !IsLoopback(address)});
  if (context.oracle) routes.Begin();
  Announce(address, http.port(), token);
  const std::stop_token stop =
      context.catch_interrupt ? context.catch_interrupt() : std::stop_token();
  const auto ending = http.Serve(routes, stop);
  // An operation that cannot be stopped must not keep the process; files are
  // complete at every moment.
  if (ending == HttpServer::Ending::kLeftOver) ::_exit(0);
  return engine::Outcome{.data = {{"text", ""}}};
}

constexpr Parameter kServeParameters[] = {
    {.name = "port",
     .short_name = 'p',
     .value_name = "N",
     .help = "the port; 0 chooses a free one and prints it",
     .type = ValueType::kInteger,
     .default_text = "8719",
     .minimum = 0,
     .maximum = 65'535},
    {.name = "bind",
     .value_name = "ADDRESS",
     .help = "the address to listen on",
     .default_text = "127.0.0.1"},
    {.name = "host-name",
     .value_name = "NAME",
     .help = "another host name of this server",
     .repeated = true},
    {.name = "allow",
     .value_name = "DIR",
     .help = "also let operations read this folder",
     .type = ValueType::kPath,
     .repeated = true},
    {.name = "tool",
     .value_name = "OPERATION",
     .help = "also offer this operation, such as 'source sync' or expand",
     .repeated = true},
    {.name = "connections",
     .value_name = "N",
     .help = "maximum simultaneous connections",
     .type = ValueType::kInteger,
     .default_text = "64",
     .minimum = 1,
     .maximum = 10'000},
    {.name = "structured",
     .help = "over MCP, send answers as structured content, for clients that read it",
     .kind = engine::ParameterKind::kFlag},
};

}  // namespace

constexpr engine::Operation kServe = {
    .name = "serve",
    .summary = "serve a reading room, programs and agents over HTTP",
    .description =
        R"(Listens on loopback by default. In a browser, `/` is the reading room: pages with the receipt of every
statement, search, sources, runs and checks. `GET /api` lists the operations; `/api/NAME` runs one
and returns the same JSON as `--json`; `/mcp` serves agents (Model Context Protocol over HTTP), on this machine
and on others; `/health` and `/metrics` are for monitoring (docs/operate.md).

Operations that only read need no token; all others need `POST` and `Authorization: Bearer TOKEN`.
The token is generated at startup and printed on stderr, or taken from `SIBYL_TOKEN`. On an address
that other machines can reach, reading needs it too. Requests with a foreign Host or Origin, and
requests that a browser makes for another site's page, are refused. Limits per client keep one
client from locking out others: requests over the limits get 503.

Operations that fetch, run programs or overwrite files are offered only if they are named with
`--tool`. Ctrl-C stops the server after it has answered the requests in progress.

  sibyl serve --port 0
  curl 'http://127.0.0.1:8719/api/search?query=stream+priority')",
    .parameters = kServeParameters,
    .effects = {.reads = true, .writes = true, .network = engine::NetworkUse::kAlways},
    .run = RunServe,
    .render = engine::RenderText,
};

}  // namespace sibyl::interface
