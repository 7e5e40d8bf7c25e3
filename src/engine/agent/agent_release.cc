// SPDX-License-Identifier: Apache-2.0
#include "engine/agent/agent_operations.h"
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "expansion/agent_work.h"

namespace sibyl::engine {
namespace {

Result<Outcome> RunRelease(const oracle::Context& context, const Arguments& arguments) {
  const std::unique_ptr<expansion::HeldPart> held =
      SIBYL_TRY(expansion::HeldPart::Open(context, arguments.Text("lease")));
  if (held->is_submitted()) return expansion::LeaseLost();
  const std::string reason(arguments.Text("reason"));
  const bool has_failed = arguments.Has("failed");
  if (has_failed && !arguments.Has("reason")) {
    return Error{.kind = ErrorKind::kUsage, .message = "failing a part: missing reason"};
  }
  const runner::Acceptance accepted =
      has_failed
          ? SIBYL_TRY(held->queue().Fail(held->lease(), reason, expansion::kMostAgentAttempts))
          : SIBYL_TRY(held->queue().Release(held->lease(), reason));
  if (accepted == runner::Acceptance::kRefused) return expansion::LeaseLost();
  const bool is_over = has_failed && held->lease().attempt >= expansion::kMostAgentAttempts;
  return Outcome{
      .data = {{"part", held->part().number}, {"state", is_over ? "failed" : "waiting"}}};
}

constexpr Parameter kAgentReleaseParameters[] = {
    kLeaseParameter,
    {.name = "reason", .value_name = "TEXT", .help = "why, for the next agent that claims it"},
    {.name = "failed",
     .help = "report that it cannot be done; after two such reports the part is marked as failed",
     .kind = ParameterKind::kFlag},
};

}  // namespace

constexpr Operation kPartRelease = {
    .name = "part release",
    .summary = "give back a part that you hold",
    .description =
        R"(The part waits again, and its drafts are kept. With `--failed` you report that it cannot be written
from the pinned sources; after the second such report, the part is marked as failed and the plan can
be finalized without it.)",
    .parameters = kAgentReleaseParameters,
    .effects = {.reads = true, .writes = true, .changes_oracle = true},
    .tool = {.name = "release_part"},
    .run = RunRelease,
    .render = RenderPartRelease,
};

}  // namespace sibyl::engine
