// SPDX-License-Identifier: Apache-2.0
#include "engine/expansion_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "engine/web_json.h"
#include "expansion/draft_payload.h"
#include "expansion/extract_writer.h"
#include "library/remote/push.h"

namespace sibyl::engine {
namespace {

using runner::JobOutcome;
using runner::JobState;

void AddDelivered(const library::PublishedFile& file, Json& part) {
  part["state"] = "delivered";
  part["file"] = file.path;
  part["drop"] = file.drop;
  part["lines"] = file.lines;
  part["citations"] = file.citations;
  part["points"] = file.points;
  part["covered"] = file.covered;
}

void AddOmission(const draft::Omission& omission, Json& part) {
  const bool is_corrected = omission.kind == draft::LossKind::kCorrected;
  part[is_corrected ? "corrected" : "left_out"].push_back(
      {{"point", omission.point},
       {"text", omission.text},
       {"reason", omission.reason},
       {"kind", draft::LossName(omission.kind)}});
}

void AddOutcome(const JobOutcome& job, Json& part) {
  if (job.state == JobState::kCancelled || job.state == JobState::kWaiting ||
      job.state == JobState::kRunning) {
    part["state"] = "left";
    part["reason"] = job.reason;
  }
  const bool is_over = job.state == JobState::kDone || job.state == JobState::kFailed;
  if (const auto draft = expansion::ParseDraft(job.payload); is_over && draft.ok()) {
    for (const draft::Omission& omission : draft->omissions) AddOmission(omission, part);
  }
  part["attempts"] = job.attempts;
  part["was_known"] = job.was_known;
  part["milliseconds"] = job.elapsed.count();
}

// What a person would do now.
std::string NextAction(const Outcome& outcome, const expansion::PlannedWork& work,
                       const expansion::ExpandCommand& command) {
  bool is_unfinished = false;
  bool needs_sources = true;
  for (const Json& part : outcome.data["parts"]) {
    const std::string state = part["state"];
    if (state != "failed" && state != "left") continue;
    is_unfinished = true;
    needs_sources &=
        state == "failed" && expansion::IsNotCovered(part["reason"].get<std::string>());
  }
  std::string again = command.Again(work.file.name);
  if (is_unfinished && needs_sources) {
    return "pin a source that covers it with 'sibyl source add ORIGIN', then " + again;
  }
  if (is_unfinished) return again;
  const bool is_behind =
      std::any_of(outcome.findings.begin(), outcome.findings.end(), [](const Finding& finding) {
        return finding.code == "publish/behind" || finding.code == library::kElsewhereCode;
      });
  if (is_behind) return "git pull";
  for (const Json& part : outcome.data["parts"]) {
    if (part["state"] == "delivered") return "sibyl verify " + part["file"].get<std::string>();
  }
  return "sibyl verify";
}

Json Totals(const Json& parts) {
  Json totals = {
      {"parts", parts.size()}, {"delivered", 0}, {"failed", 0}, {"left", 0}, {"lines", 0},
      {"citations", 0},        {"points", 0},    {"covered", 0}};
  const auto add = [&totals](const char* figure, std::size_t count) {
    totals[figure] = totals[figure].get<std::size_t>() + count;
  };
  for (const Json& part : parts) {
    const std::string state = part["state"];
    if (totals.contains(state)) totals[state] = totals[state].get<std::size_t>() + 1;
    if (state != "delivered" && state != "failed" && state != "left") continue;
    // Of a part that failed, too: its points are planned and not covered.
    add("points", part.value("points", std::size_t{0}));
    if (state != "delivered") continue;
    for (const char* figure : {"lines", "citations", "covered"}) {
      add(figure, part[figure].get<std::size_t>());
    }
  }
  return totals;
}

Outcome Finish(const expansion::PlannedWork& work, const library::Published& published, Json parts,
               const expansion::ExpandCommand& command = {}) {
  Outcome outcome{
      .data = {{"plan", work.file.path},
               {"plan_now", published.plan_now.empty() ? work.file.path : published.plan_now},
               {"copied", work.file.is_copied},
               {"completed", work.file.is_completed},
               {"commit", published.commit},
               {"totals", Totals(parts)},
               {"parts", std::move(parts)}},
      .findings = work.choices.findings};
  for (const Finding& finding : published.findings) outcome.findings.push_back(finding);
  for (const Json& part : outcome.data["parts"]) {
    const std::string state = part["state"];
    if (state == "failed" || state == "left" || state == "refused") outcome.holds = false;
  }
  outcome.data["next"] = NextAction(outcome, work, command);
  return outcome;
}

Json PartsOf(const expansion::PlannedWork& work, const std::vector<JobOutcome>& jobs,
             const library::Published& published) {
  std::map<std::string, const library::PublishedFile*> files;
  for (const library::PublishedFile& file : published.files) files[file.path] = &file;
  std::map<int, const library::FailedNote*> failed;
  for (const library::FailedNote& note : published.failed) failed[note.part] = &note;
  Json parts = Json::array();
  std::size_t job = 0;
  for (const expansion::ChosenPart& chosen : work.choices.parts) {
    Json part = PlannedAsJson(work, chosen);
    const plan::Part& planned = work.plan.parts[chosen.place];
    if (const auto file = files.find(planned.target); file != files.end()) {
      AddDelivered(*file->second, part);
    } else if (const auto note = failed.find(planned.number); note != failed.end()) {
      part["state"] = "failed";
      part["reason"] = note->second->reason;
    }
    if (!part.contains("points")) part["points"] = expansion::CountPoints(planned);
    if (chosen.state == expansion::PartState::kRuns && job < jobs.size())
      AddOutcome(jobs[job++], part);
    parts.push_back(std::move(part));
  }
  return parts;
}

Json ModelAsJson(const expansion::ModelUse& use) {
  return {{"name", use.name},
          {"questions", use.spent.questions},
          {"remembered", use.spent.remembered},
          {"input_tokens", use.spent.usage.input},
          {"output_tokens", use.spent.usage.output},
          {"cost", use.spent.cost}};
}

}  // namespace

Json PlannedAsJson(const expansion::PlannedWork& work, const expansion::ChosenPart& chosen) {
  const plan::Part& part = work.plan.parts[chosen.place];
  return {{"number", part.number},
          {"title", part.title},
          {"target", part.target},
          {"planned_lines", part.line_budget ? Json(*part.line_budget) : Json(nullptr)},
          {"state", expansion::PartStateName(chosen.state)}};
}

Outcome ReportOfRun(const expansion::ExpansionResult& result,
                    const expansion::ExpandCommand& command) {
  Outcome outcome = Finish(result.work, result.published,
                           PartsOf(result.work, result.jobs, result.published), command);
  outcome.findings.insert(outcome.findings.begin(), result.findings.begin(), result.findings.end());
  if (result.model) outcome.data["model"] = ModelAsJson(*result.model);
  if (result.web) outcome.data["web"] = ResearchAsJson(*result.web);
  for (const Finding& finding : outcome.findings) {
    if (finding.severity == Severity::kError) outcome.holds = false;
  }
  return outcome;
}

Outcome ReportOfPublished(const expansion::PlannedWork& work, const library::Published& published) {
  return Finish(work, published, PartsOf(work, {}, published));
}

}  // namespace sibyl::engine
