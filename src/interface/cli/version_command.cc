// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "engine/outcome.h"
#include "engine/text/render.h"
#include "interface/cli/own_commands.h"
#include "interface/interface.h"

namespace sibyl::interface {
namespace {

Result<engine::Outcome> RunVersion(const oracle::Context&, const engine::Arguments&) {
  engine::Outcome outcome;
  outcome.data = {{"release", Release()}, {"text", fmt::format("sibyl {}\n", Release())}};
  return outcome;
}

}  // namespace

constexpr engine::Operation kVersion = {
    .name = "version",
    .summary = "show the version",
    .description = "The same as `sibyl --version`.",
    .run = RunVersion,
    .render = engine::RenderText,
};

}  // namespace sibyl::interface
