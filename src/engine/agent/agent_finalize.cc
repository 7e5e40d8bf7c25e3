// SPDX-License-Identifier: Apache-2.0
// Publishes what agents wrote. When every part has an outcome, that is the last
// job of an expansion, and nothing else: the first caller publishes; the others
// get the same answer. Before, the delivered parts are published and the others
// stay open.
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
#include "expansion/ledger/open_ledger.h"
#include "expansion/publish_ready.h"
#include "expansion/revision.h"
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
    if (!is_agents || part == nullptr || !run.IsToPublish(row.name)) continue;
    if (AnswersPart(*draft, *part)) continue;
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
std::optional<library::Published> PublishedBefore(const oracle::Context& context,
                                                  expansion::AgentRun& run) {
  const Result<runner::Snapshot> snapshot = expansion::ReadSnapshot(context);
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

// What is left to do for agents, and what to do next.
void AddOpenParts(const expansion::AgentRun& run, const std::vector<runner::JobRow>& rows,
                  Json& data) {
  std::vector<std::string> held;
  std::vector<std::string> waiting;
  for (const runner::JobRow& row : rows) {
    const plan::Part* part = run.PartOf(row.name);
    if (part == nullptr || !run.IsToPublish(row.name)) continue;
    if (row.state == runner::JobState::kRunning) held.push_back(std::to_string(part->number));
    if (row.state == runner::JobState::kWaiting) waiting.push_back(std::to_string(part->number));
  }
  data["next"] = waiting.empty() ? "wait: other agents hold the remaining parts" : "claim_part";
  data["parts_held"] = std::move(held);
  data["parts_waiting"] = std::move(waiting);
  data["progress"] = ProgressAsJson(rows);
}

Outcome NotYet(const expansion::AgentRun& run, const std::vector<runner::JobRow>& rows) {
  Outcome outcome{.data = {{"plan", run.work().file.path}, {"published", false}}, .holds = false};
  AddOpenParts(run, rows, outcome.data);
  return outcome;
}

bool HasError(const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& each) { return each.severity == Severity::kError; });
}

// Not all parts have an outcome: those that are delivered are published.
Result<Outcome> PublishSome(const oracle::Context& context, expansion::AgentRun& run,
                            const std::vector<runner::JobRow>& rows, const std::string& message) {
  if (SIBYL_TRY(expansion::ReadyParts(run)).empty()) return NotYet(run, rows);
  const expansion::ExpansionResult result =
      SIBYL_TRY(expansion::PublishReady(context, run, {.message = message}));
  Outcome outcome = ReportOfRun(result);
  outcome.data["published"] = !result.published.files.empty();
  AddOpenParts(run, rows, outcome.data);
  return outcome;
}

// Every part has an outcome: an expansion whose parts are all written. It waits
// for another publisher, and finishes an interrupted publication.
Result<Outcome> PublishRest(const oracle::Context& context, const std::string& plan,
                            const std::string& message) {
  Outcome outcome = ReportOfRun(SIBYL_TRY(expansion::Expand(
      context, {.plan = plan, .journalled = runner::Existing::kJoin, .message = message})));
  // Another caller may have published it in the meantime: then its result is
  // the answer.
  if (outcome.data.value("completed", false)) {
    const std::unique_ptr<expansion::AgentRun> run =
        SIBYL_TRY(expansion::AgentRun::Open(context, plan, expansion::Joining::kLook));
    if (const auto theirs = PublishedBefore(context, *run))
      outcome = ReportOfPublished(run->work(), *theirs);
  }
  outcome.data["published"] = true;
  return outcome;
}

// Revisions of published pages are submitted: they replace the pages.
Result<Outcome> ReportOfRevisions(const oracle::Context& context,
                                  const expansion::ExpansionResult& result) {
  Outcome outcome = ReportOfRun(result);
  std::vector<runner::JobRow> rows;
  for (const expansion::RevisionState& open :
       SIBYL_TRY(expansion::OpenRevisions(context, result.work.plan))) {
    rows.push_back(open.row);
  }
  outcome.data["progress"] = ProgressAsJson(rows);
  outcome.data["published"] = !result.published.files.empty();
  outcome.data["revised"] = Json::array();
  for (const library::PublishedFile& file : result.published.files) {
    outcome.data["revised"].push_back(file.path);
  }
  outcome.holds = outcome.findings.empty() || !result.published.files.empty();
  outcome.holds = outcome.holds && !HasError(outcome.findings);
  if (result.published.files.empty()) {
    outcome.data["next"] = outcome.findings.empty() ? "nothing left to do: no page has changed"
                                                    : "claim_part with the page";
  }
  return outcome;
}

struct FinalizeRequest {
  std::string plan;
  std::string message;
};

// One attempt; `text` becomes the plan that it is based on.
Result<Outcome> TryToFinalize(const oracle::Context& context, const FinalizeRequest& request,
                              std::string& text) {
  const std::string& plan = request.plan;
  if (const auto revised = SIBYL_TRY(
          expansion::PublishRevisions(context, {.plan = plan, .message = request.message}))) {
    return ReportOfRevisions(context, *revised);
  }
  if (SIBYL_TRY(expansion::PageNamed(context, plan))) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("no revision of {} is submitted", plan),
                 .hint = "claim the page with claim_part, change it and submit it"};
  }
  {
    const std::unique_ptr<expansion::AgentRun> run =
        SIBYL_TRY(expansion::AgentRun::Open(context, plan, expansion::Joining::kPublish));
    text = run->work().file.text;
    if (run->queue()) {
      std::vector<Finding> findings;
      SIBYL_TRY(PutBackChanged(*run, findings));
      const std::vector<runner::JobRow> rows = SIBYL_TRY(run->Rows());
      if (!expansion::CanFinalize(rows) || SIBYL_TRY(expansion::AnyWaitsForPages(*run))) {
        Outcome outcome = SIBYL_TRY(PublishSome(context, *run, rows, request.message));
        outcome.findings.insert(outcome.findings.begin(), findings.begin(), findings.end());
        // Parts that are still open are no failure.
        outcome.holds = outcome.data["published"] == true && !HasError(outcome.findings);
        return outcome;
      }
    } else {
      if (const auto before = PublishedBefore(context, *run)) {
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
    }
  }
  return PublishRest(context, plan, request.message);
}

bool WasEdited(const oracle::Context& context, const std::string& plan, const std::string& text) {
  const auto work = expansion::PlanWork(context, {.plan = plan}, expansion::Intake::kLook);
  return work.ok() && work->file.text != text;
}

// A plan that changed in between was edited, or another caller published some
// of it: nothing was written, and the next attempt starts from its new text.
Result<Outcome> RunFinalize(const oracle::Context& context, const Arguments& arguments) {
  constexpr int kMostAttempts = 5;
  const FinalizeRequest request{.plan = std::string(arguments.Text("plan")),
                                .message = std::string(arguments.Text("message"))};
  for (int attempt = 1;; ++attempt) {
    std::string text;
    Result<Outcome> outcome = TryToFinalize(context, request, text);
    if (outcome.ok() || attempt == kMostAttempts || !WasEdited(context, request.plan, text)) {
      return outcome;
    }
  }
}

std::vector<Rule> FinalizeRules() {
  std::vector<Rule> rules = kExpand.rules();
  rules.push_back(
      {.code = "part/changed",
       .meaning = "the plan, or the page to be revised, was edited after the part was claimed"});
  rules.push_back(
      {.code = "part/refused", .meaning = "a submitted part no longer passes the gate"});
  rules.push_back(
      {.code = "part/links",
       .meaning = "a submitted part waits: it links to a page that is not published yet"});
  return rules;
}

constexpr Parameter kAgentFinalizeParameters[] = {
    kPlanOrPageParameter,
    {.name = "message",
     .value_name = "TEXT",
     .help = "the first line of the commit message [one with the counts]"},
};

}  // namespace

constexpr Operation kPlanFinalize = {
    .name = "plan finalize",
    .summary = "publish the parts of a plan that are submitted",
    .description =
        R"(Publishes the submitted parts, as `sibyl expand` does at its end: every page goes through the gate
once more; files, summaries (drops), marks in the plan, `INDEX.md` and `SKILL.md` go into one
commit. Parts that wait or are held stay open: their leases and drafts remain valid, and a later
call publishes them. When every part is submitted or failed, the call publishes what is left, and
the plan's folder moves to `_ingest-auto/completed/`. If nothing is ready, reports which parts are
missing. `sibyl.facts`, `sibyl.toml`, `sibyl.lock` and kept lab runs that the pages cite are in the
commit too.

A published page has no broken link: a part that links to a page of a plan in `_ingest-auto/` waits
until that page is there, or is published with it (`part/links`).

If revisions of the plan's pages are submitted (`sibyl part claim PAGE`), they are published instead:
each replaces its page. A page that was changed after it was claimed is not replaced
(`part/changed`).

Several callers never publish a part twice, and an interrupted publication is finished by the next
call.)",
    .parameters = kAgentFinalizeParameters,
    .effects = {.reads = true, .writes = true, .changes_oracle = true},
    .rules = FinalizeRules,
    .tool = {.name = "finalize", .is_idempotent = true},
    .run = RunFinalize,
    .render = RenderPlanFinalize,
};

}  // namespace sibyl::engine
