// SPDX-License-Identifier: Apache-2.0
// The end of a plan that agents wrote: the last job of an expansion, and
// nothing else. The first caller publishes; the others get the same answer.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "draft/extract/gather.h"
#include "draft/extract/queries.h"
#include "engine/agent/agent_json.h"
#include "engine/agent/agent_operations.h"
#include "engine/arguments.h"
#include "engine/expand_operations.h"
#include "engine/expansion_report.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "expansion/agent_run.h"
#include "expansion/draft_payload.h"
#include "expansion/expansion.h"
#include "library/library.h"
#include "runner/snapshot.h"

namespace sibyl::engine {
namespace {

// Whether a page was written for the current text of the plan.
bool AnswersPart(const draft::Draft& draft, const plan::Part& part) {
  const std::vector<plan::Section> sections = draft::SectionsOf(part);
  return std::equal(sections.begin(), sections.end(), draft.sections.begin(), draft.sections.end(),
                    [](const plan::Section& asked, const draft::DraftSection& written) {
                      return asked.title == written.title &&
                             std::equal(asked.points.begin(), asked.points.end(),
                                        written.points.begin(), written.points.end(),
                                        [](const plan::Text& a, const draft::Coverage& b) {
                                          return draft::PlainPoint(a.text) == b.point;
                                        });
                    });
}

// Parts that the plan has changed since they were submitted wait again.
Status PutBackChanged(expansion::AgentRun& run, std::vector<Finding>& findings) {
  for (const runner::JobRow& row : SIBYL_TRY(run.Rows())) {
    const plan::Part* part = run.PartOf(row.name);
    const Result<draft::Draft> draft = expansion::ParseDraft(row.payload);
    const bool is_agents =
        row.state == runner::JobState::kDone && draft.ok() && draft::WriterOf(*draft) == "agent";
    if (!is_agents || part == nullptr || AnswersPart(*draft, *part)) continue;
    SIBYL_TRY(run.queue()->PutBack(row.place, "the plan was edited since"));
    findings.push_back(
        {.severity = Severity::kError,
         .code = "part/changed",
         .message = fmt::format(
             "the plan's part {} was edited after it was submitted; it waits again", part->number),
         .hint = "claim a part with claim_part",
         .place = {.file = run.work().file.name, .line = part->line}});
  }
  return {};
}

// What the newest run of this plan has published, when it is over.
std::optional<library::Published> PublishedBefore(expansion::AgentRun& run) {
  const Result<runner::Snapshot> snapshot = runner::ReadSnapshot(run.own());
  if (!snapshot.ok()) return std::nullopt;
  for (const runner::RunSnapshot& each : snapshot->runs) {
    if (each.state != runner::RunState::kFinished || each.jobs.empty()) continue;
    Result<library::Published> published = library::ParsePublished(each.jobs.back().payload);
    const std::string& plan = run.work().file.path;
    if (published.ok() && (published->plan == plan || published->plan_now == plan)) {
      return *std::move(published);
    }
  }
  return std::nullopt;
}

Outcome NotYet(expansion::AgentRun& run, const std::vector<runner::JobRow>& rows) {
  std::vector<std::string> held;
  std::vector<std::string> waiting;
  for (const runner::JobRow& row : rows) {
    const plan::Part* part = run.PartOf(row.name);
    if (part == nullptr) continue;
    if (row.state == runner::JobState::kRunning) held.push_back(std::to_string(part->number));
    if (row.state == runner::JobState::kWaiting) waiting.push_back(std::to_string(part->number));
  }
  return {.data = {{"plan", run.work().file.path},
                   {"published", false},
                   {"parts_held", held},
                   {"parts_waiting", waiting},
                   {"progress", ProgressAsJson(rows)},
                   {"next", waiting.empty() ? "wait: other agents hold the remaining parts"
                                            : "claim_part"}},
          .holds = false};
}

Result<Outcome> RunFinalize(const oracle::Context& context, const Arguments& arguments) {
  std::vector<Finding> findings;
  {
    const std::unique_ptr<expansion::AgentRun> run = SIBYL_TRY(
        expansion::AgentRun::Open(context, arguments.Text("plan"), expansion::Joining::kLook));
    if (!run->queue()) {
      if (const auto before = PublishedBefore(*run)) {
        Outcome outcome = ReportOfPublished(run->work(), *before);
        outcome.data["published"] = true;
        return outcome;
      }
      // A plan in the completed folder whose run is still open: another process
      // is publishing it, or was killed while doing so.
      if (!run->work().file.is_completed) {
        return Error{.kind = ErrorKind::kUsage,
                     .message = "no part of this plan has been written yet",
                     .hint = "claim a part with claim_part"};
      }
    } else {
      SIBYL_TRY(PutBackChanged(*run, findings));
      const std::vector<runner::JobRow> rows = SIBYL_TRY(run->Rows());
      if (!expansion::CanFinalize(rows)) {
        Outcome outcome = NotYet(*run, rows);
        outcome.findings = std::move(findings);
        return outcome;
      }
    }
  }
  // From here on it is an expansion whose parts are all written. It waits for
  // another publisher, and finishes an interrupted publication.
  Outcome outcome =
      ReportOfRun(SIBYL_TRY(expansion::Expand(context, {.plan = std::string(arguments.Text("plan")),
                                                        .journalled = runner::Existing::kJoin})));
  // Another caller may have published it in the meantime: then its result is
  // the answer.
  if (outcome.data.value("completed", false)) {
    const std::unique_ptr<expansion::AgentRun> run = SIBYL_TRY(
        expansion::AgentRun::Open(context, arguments.Text("plan"), expansion::Joining::kLook));
    if (const auto theirs = PublishedBefore(*run))
      outcome = ReportOfPublished(run->work(), *theirs);
  }
  outcome.data["published"] = true;
  return outcome;
}

std::vector<Rule> FinalizeRules() {
  std::vector<Rule> rules = kExpand.rules();
  rules.push_back(
      {.code = "part/changed", .meaning = "the plan was edited after the part was submitted"});
  return rules;
}

constexpr Parameter kAgentFinalizeParameters[] = {kPlanParameter};

}  // namespace

constexpr Operation kPlanFinalize = {
    .name = "plan finalize",
    .summary = "publish a plan whose parts are all submitted",
    .description =
        R"(When every part of the plan is submitted or failed, publishes all of it, as `sibyl expand` does at
its end: every page goes through the gate once more; files, summaries (drops), marks in the plan,
`INDEX.md` and `SKILL.md` go into one commit. Until then, reports which parts are missing. The first
caller publishes; a later or concurrent caller gets the same answer.)",
    .parameters = kAgentFinalizeParameters,
    .effects = {.reads = true, .writes = true},
    .rules = FinalizeRules,
    .tool = {.name = "finalize", .is_idempotent = true},
    .run = RunFinalize,
    .render = RenderPlanFinalize,
};

}  // namespace sibyl::engine
