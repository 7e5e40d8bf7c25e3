// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "engine/outcome.h"
#include "engine/text/render.h"
#include "interface/cli/own_commands.h"
#include "interface/formats.h"
#include "interface/interface.h"
#include "interface/mcp/protocol.h"

namespace sibyl::interface {
namespace {

Result<engine::Outcome> RunVersion(const oracle::Context&, const engine::Arguments&) {
  Json formats = Json::object();
  for (const FormatVersion& format : FormatVersions()) {
    formats[std::string(format.name)] = {{"version", format.version}, {"reads", format.reads}};
  }
  Json standards = Json::object();
  for (const Standard& standard : Standards()) {
    standards[std::string(standard.name)] = standard.version;
  }
  engine::Outcome outcome;
  outcome.data = {{"release", Release()},
                  {"formats", std::move(formats)},
                  {"standards", std::move(standards)},
                  {"mcp", {kNewestHandshakeVersion, kStatelessVersion}},
                  {"text", fmt::format("sibyl {}\n", Release())}};
  return outcome;
}

}  // namespace

constexpr engine::Operation kVersion = {
    .name = "version",
    .summary = "show the version",
    .description =
        R"(The same as `sibyl --version`. With --json also the version of every format that Sibyl writes, with
the oldest that it still reads, the versions of SARIF, WARC and the Language Server Protocol, and the
newest revision of the Model Context Protocol in each of its two generations. "version" is the version
of the JSON answers.)",
    .run = RunVersion,
    .render = engine::RenderText,
};

}  // namespace sibyl::interface
