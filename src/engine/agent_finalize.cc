// SPDX-License-Identifier: Apache-2.0
// The end of a plan that agents wrote: the last job of an expansion, and nothing
// else. Who asks first publishes; the others get the same answer.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "draft/gather.h"
#include "draft/queries.h"
#include "engine/agent_operations.h"
#include "engine/agent_run.h"
#include "engine/arguments.h"
#include "engine/draft_payload.h"
#include "engine/expand_operations.h"
#include "engine/expansion.h"
#include "engine/expansion_report.h"
#include "engine/outcome.h"
#include "library/library.h"
#include "runner/snapshot.h"

namespace sibyl::engine {
namespace {

// Whether a page was written for what the plan asks now.
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
Status PutBackChanged(AgentRun& run, std::vector<Finding>& findings) {
  for (const runner::JobRow& row : SIBYL_TRY(run.Rows())) {
    const plan::Part* part = run.PartOf(row.name);
    const Result<draft::Draft> draft = ParseDraft(row.payload);
    const bool is_agents =
        row.state == runner::JobState::kDone && draft.ok() && draft::WriterOf(*draft) == "agent";
    if (!is_agents || part == nullptr || AnswersPart(*draft, *part)) continue;
    SIBYL_TRY(run.queue()->PutBack(row.place, "the plan asks something else since"));
    findings.push_back({.severity = Severity::kError,
                        .code = "part/changed",
                        .message = fmt::format("part {} was edited since it was submitted; it "
                                               "waits again",
                                               part->number),
                        .hint = "take it with claim_part",
                        .place = {.file = run.work().file.name, .line = part->line}});
  }
  return {};
}

// What the newest run of this plan has published, when it is over.
std::optional<library::Published> PublishedBefore(AgentRun& run) {
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

Outcome NotYet(AgentRun& run, const std::vector<runner::JobRow>& rows) {
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
                   {"next", waiting.empty() ? "wait: others hold the rest" : "claim_part"}},
          .holds = false};
}

Result<Outcome> RunFinalize(const Context& context, const Arguments& arguments) {
  std::vector<Finding> findings;
  {
    const std::unique_ptr<AgentRun> run =
        SIBYL_TRY(AgentRun::Open(context, arguments.Text("plan"), Joining::kLook));
    if (!run->queue()) {
      if (const auto before = PublishedBefore(*run)) {
        Outcome outcome = ReportOfPublished(run->work(), *before);
        outcome.data["published"] = true;
        return outcome;
      }
      // A plan that lies where completed ones lie, without an end in the journal:
      // somebody publishes it at this moment, or was killed while doing so.
      if (!run->work().file.is_completed) {
        return Error{.kind = ErrorKind::kUsage,
                     .message = "nobody has written a part of this plan yet",
                     .hint = "begin with claim_part"};
      }
    } else {
      SIBYL_TRY(PutBackChanged(*run, findings));
      const std::vector<runner::JobRow> rows = SIBYL_TRY(run->Rows());
      if (!CanFinalize(rows)) {
        Outcome outcome = NotYet(*run, rows);
        outcome.findings = std::move(findings);
        return outcome;
      }
    }
  }
  // From here on it is an expansion whose parts are all written. It waits for who
  // publishes already, and ends what somebody began.
  Outcome outcome = SIBYL_TRY(Expand(context, {.plan = std::string(arguments.Text("plan")),
                                               .journalled = runner::Existing::kJoin}));
  // Somebody else may have published it since we looked: then there was nothing
  // left to do, and theirs is the answer.
  if (outcome.data.value("completed", false)) {
    const std::unique_ptr<AgentRun> run =
        SIBYL_TRY(AgentRun::Open(context, arguments.Text("plan"), Joining::kLook));
    if (const auto theirs = PublishedBefore(*run))
      outcome = ReportOfPublished(run->work(), *theirs);
  }
  outcome.data["published"] = true;
  return outcome;
}

std::vector<Rule> FinalizeRules() {
  std::vector<Rule> rules = kExpand.rules();
  rules.push_back(
      {.code = "part/changed", .meaning = "the plan was edited since the part was submitted"});
  return rules;
}

constexpr Parameter kAgentFinalizeParameters[] = {kPlanParameter};

}  // namespace

constexpr Operation kPlanFinalize = {
    .name = "plan finalize",
    .summary = "publish a plan whose parts are all submitted",
    .description =
        R"(When every part of the plan is submitted or failed, publishes all of it, as `sibyl expand` does at
its end: every page goes through the gate once more; files, drops, marks in the plan, `INDEX.md`,
`SKILL.md`, one commit. Until then says which parts are missing. Whoever asks first publishes, and who
asks again, or at the same time, gets the same answer.)",
    .parameters = kAgentFinalizeParameters,
    .effects = {.reads = true, .writes = true},
    .rules = FinalizeRules,
    .tool = {.name = "finalize", .is_idempotent = true},
    .run = RunFinalize,
};

}  // namespace sibyl::engine
