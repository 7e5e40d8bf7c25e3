// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "engine/agent/agent_json.h"
#include "engine/agent/agent_operations.h"
#include "engine/agent/budget_lines.h"
#include "engine/agent/missing_of_page.h"
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "expansion/agent_run.h"
#include "expansion/agent_work.h"
#include "expansion/draft_payload.h"

namespace sibyl::engine {
namespace {

Result<Json> Progress(expansion::HeldPart& held) {
  std::vector<runner::JobRow> rows = SIBYL_TRY(held.queue().Jobs());
  std::erase_if(rows, [](const runner::JobRow& row) { return row.is_last; });
  return ProgressAsJson(rows);
}

Result<Outcome> Report(expansion::HeldPart& held, const draft::Draft& draft,
                       std::vector<Finding> findings) {
  std::size_t citations = 0;
  for (const draft::UsedSource& source : draft.sources) citations += source.citations;
  Outcome outcome{.data = {{"part", held.part().number},
                           {"target", draft.path},
                           {"accepted", findings.empty()},
                           {"lines", PageLines(draft.text)},
                           {"citations", citations},
                           {"points", draft::PointCount(draft)},
                           {"covered", draft::CoveredCount(draft)}},
                  .holds = findings.empty()};
  outcome.findings = std::move(findings);
  outcome.data["progress"] = SIBYL_TRY(Progress(held));
  return outcome;
}

Result<Outcome> RunSubmit(const oracle::Context& context, const Arguments& arguments) {
  const std::unique_ptr<expansion::HeldPart> held =
      SIBYL_TRY(expansion::HeldPart::Open(context, arguments.Text("lease")));
  if (held->is_submitted()) {
    const draft::Draft draft = SIBYL_TRY(expansion::ParseDraft(held->row().payload));
    return Report(*held, draft, {});
  }
  expansion::JudgedPage judged =
      SIBYL_TRY(expansion::JudgeSections(context, *held, held->drafted()));
  std::vector<Finding> findings = MissingOfPage(*held, judged.page.draft);
  findings.insert(findings.end(), judged.findings.begin(), judged.findings.end());
  const draft::Draft& draft = judged.page.draft;
  if (findings.empty()) {
    const runner::Acceptance accepted =
        SIBYL_TRY(held->queue().Complete(held->lease(), expansion::FormatDraft(draft)));
    if (accepted == runner::Acceptance::kRefused) return expansion::LeaseLost();
  } else {
    runner::Progress progress{.step = "agent is fixing what the gate refused", .figures = {}};
    AddRefused(findings, progress);
    SIBYL_TRY(held->Keep(progress));
  }
  return Report(*held, draft, std::move(findings));
}

constexpr Parameter kAgentSubmitParameters[] = {kLeaseParameter};

}  // namespace

constexpr Operation kPartSubmit = {
    .name = "part submit",
    .summary = "submit a part; it is delivered if it passes the gate",
    .description =
        R"(Puts the page made of all drafted sections through the gate. If it passes, the part is delivered: it
waits in the journal until `sibyl plan finalize`, its lease ends, and it can no longer be changed. If
it fails, nothing is delivered and the findings say what to fix, with the section and its line.
Every section must have been drafted, and at least one point must be covered.

Submitting again with the same lease, because an answer was lost, is harmless.)",
    .parameters = kAgentSubmitParameters,
    .effects = {.reads = true, .writes = true, .changes_oracle = true},
    .rules = DraftRules,
    .tool = {.name = "submit_part", .is_idempotent = true},
    .run = RunSubmit,
    .render = RenderPartSubmit,
};

}  // namespace sibyl::engine
