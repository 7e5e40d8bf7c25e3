// SPDX-License-Identifier: Apache-2.0
// `sibyl mcp`: an agent's client starts it and uses its standard input and
// output.
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

#include "base/files/file_descriptor.h"
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "interface/cli/own_commands.h"
#include "interface/mcp/stdio.h"
#include "interface/served_context.h"
#include "oracle/context.h"
#include "oracle/lease_monitor.h"

namespace sibyl::interface {
namespace {

using engine::Parameter;
using engine::ValueType;

Result<engine::Outcome> RunMcp(const oracle::Context& context, const engine::Arguments& arguments) {
  std::vector<OfferedTool> tools = SIBYL_TRY(OfferTools(arguments.All("tool")));
  oracle::Context served = SIBYL_TRY(ServedContext(context, arguments.All("allow")));
  served.caller_is_process_scoped = true;
  oracle::LeaseMonitor lease_monitor;
  served.lease_monitor = &lease_monitor;
  // Standard output is the protocol's alone: whatever else prints, in here or in
  // a library, lands on standard error.
  const FileDescriptor out(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
  if (!out.is_open() || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    return Error{.kind = ErrorKind::kUnavailable, .message = "standard output is not open"};
  }
  const McpServer server(std::move(served), std::move(tools),
                         arguments.Has("structured") ? AnswerForm::kStructured : AnswerForm::kText);
  const StdioEnding ending = ServeStdio(server, {.in = STDIN_FILENO, .out = out.number()});
  // Calls that do not end must not outlive their client. Nothing is half
  // written at any moment, so the process may end here.
  if (ending == StdioEnding::kLeftOver) ::_exit(0);
  return engine::Outcome{.data = {{"text", ""}}};
}

constexpr Parameter kMcpParameters[] = {
    {.name = "allow",
     .value_name = "DIR",
     .help = "also let tools read this folder",
     .type = ValueType::kPath,
     .repeated = true},
    {.name = "tool",
     .value_name = "OPERATION",
     .help = "also offer this operation, such as 'source sync' or expand",
     .repeated = true,
     .uses_network = true},
    {.name = "structured",
     .help = "send answers as structured content, for clients that read it",
     .kind = engine::ParameterKind::kFlag},
};

}  // namespace

constexpr engine::Operation kMcp = {
    .name = "mcp",
    .summary = "serve agents over MCP on stdin and stdout",
    .description =
        R"(Speaks the Model Context Protocol, 2026-07-28 and earlier revisions, for clients that start their
own servers. Offers the operations that read, the steps by which an agent writes a part of a plan
(`claim_part`, `draft_section`, `submit_part`, `finalize` ...), the pages of the oracle as
resources, and the oracle as a skill. Whatever an agent writes goes through the same gate as
everything else.

Operations that fetch, run programs or overwrite files are offered only if they are named with
`--tool`. Paths must be inside the oracle or a folder named with `--allow`. Nothing that an agent
sends is executed. When the server ends, the parts that its agent held are free again.

  sibyl -C ~/oracles/cuda mcp)",
    .parameters = kMcpParameters,
    .effects = {.reads = true, .writes = true, .network = engine::NetworkUse::kOnRequest},
    .run = RunMcp,
    .render = engine::RenderText,
};

}  // namespace sibyl::interface
