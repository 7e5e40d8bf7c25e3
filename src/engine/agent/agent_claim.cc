// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/shown_text.h"
#include "base/strings.h"
#include "draft/extract/gather.h"
#include "draft/extract/queries.h"
#include "engine/agent/agent_json.h"
#include "engine/agent/agent_operations.h"
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "evidence/lock.h"
#include "expansion/agent_run.h"
#include "expansion/agent_work.h"
#include "oracle/oracle.h"
#include "runner/process_id.h"
#include "runner/progress.h"

namespace sibyl::engine {
namespace {

constexpr std::string_view kHow =
    "draft_section takes one section at a time, by its number. Under '### POINT', in the words of "
    "'points', write what the sources say about the point, with a mark [^a] after every statement "
    "and the definitions at the end: '[^a]: CITATION', copied from search or read_source. Omit "
    "points for which you found nothing. When all sections pass: submit_part.";

Json TextsOf(const std::vector<plan::Text>& texts) {
  Json json = Json::array();
  for (const plan::Text& text : texts) json.push_back(text.text);
  return json;
}

Json SectionsAsJson(const plan::Part& part) {
  Json sections = Json::array();
  for (const plan::Section& section : draft::SectionsOf(part)) {
    Json points = Json::array();
    for (const plan::Text& point : section.points) {
      points.push_back(draft::PlainPoint(point.text));
    }
    sections.push_back({{"section", sections.size() + 1},
                        {"title", section.title},
                        {"line_budget", section.line_budget ? Json(*section.line_budget) : Json()},
                        {"points", std::move(points)}});
  }
  return sections;
}

Json ClaimedPart(const plan::Part& part) {
  Json reads = Json::array();
  for (const plan::Read& read : part.reads) reads.push_back(read.path);
  Json json = {{"number", part.number},
               {"title", part.title},
               {"target", part.target},
               {"goal", part.goal},
               {"line_budget", part.line_budget ? Json(*part.line_budget) : Json()},
               {"sections", SectionsAsJson(part)},
               {"queries", TextsOf(part.queries)},
               {"urls", TextsOf(part.urls)},
               {"repositories", TextsOf(part.repositories)},
               {"reads", std::move(reads)}};
  HideUserinfo(json);
  return json;
}

Json SourceNames(const oracle::Context& context) {
  Json names = Json::array();
  const Result<evidence::Surroundings> around = oracle::EvidenceAround(context);
  if (!around.ok()) return names;
  const Result<evidence::Lock> lock = evidence::ReadLock(*around);
  if (!lock.ok()) return names;
  for (const evidence::Pin& pin : lock->pins) names.push_back(pin.name);
  return names;
}

// The place of the part of that number among the jobs; an error names those
// that there are.
Result<std::optional<std::size_t>> WantedPlace(expansion::AgentRun& run,
                                               const Arguments& arguments) {
  const auto number = arguments.Integer("part");
  if (!number) return std::optional<std::size_t>();
  std::vector<std::string> numbers;
  for (const runner::JobRow& row : SIBYL_TRY(run.Rows())) {
    const plan::Part* part = run.PartOf(row.name);
    if (part == nullptr) continue;
    if (part->number == *number) return std::optional<std::size_t>(row.place);
    numbers.push_back(fmt::format("{}", part->number));
  }
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("the plan has no part {} that is open", *number),
               .hint = "open parts: " + Join(numbers, ", ")};
}

std::string HolderOf(const oracle::Context& context, std::string_view agent) {
  if (context.caller_is_process_scoped) return runner::FormatProcessId(runner::ThisProcess());
  std::string name;
  for (const char c : agent) name += c > ' ' && c < '\x7f' ? c : '-';
  return "agent:" + name.substr(0, 60);
}

// An agent that gets a part does not need the findings about others.
std::vector<Finding> FindingsToShow(const expansion::AgentRun& run) {
  std::vector<Finding> findings = run.Findings();
  std::erase_if(findings, [](const Finding& finding) { return finding.code != kMovedAsideCode; });
  return findings;
}

Result<Outcome> Nothing(expansion::AgentRun& run) {
  Outcome outcome{.data = {{"plan", run.work().file.path}, {"lease", nullptr}}, .holds = false};
  const std::vector<runner::JobRow> rows = SIBYL_TRY(run.Rows());
  outcome.data["progress"] = ProgressAsJson(rows);
  outcome.data["next"] = expansion::CanFinalize(rows) ? "finalize"
                         : rows.empty()               ? "nothing left to do: no part is open"
                                        : "wait: other agents hold the remaining parts";
  outcome.findings = run.Findings();
  return outcome;
}

Result<Outcome> RunClaim(const oracle::Context& context, const Arguments& arguments) {
  const std::unique_ptr<expansion::AgentRun> run = SIBYL_TRY(
      expansion::AgentRun::Open(context, arguments.Text("plan"), expansion::Joining::kBegin));
  if (!run->queue()) return Nothing(*run);
  runner::JobQueue& queue = *run->queue();
  const std::optional<std::size_t> wanted = SIBYL_TRY(WantedPlace(*run, arguments));
  const std::chrono::seconds length(
      arguments.Integer("lease-seconds").value_or(expansion::kAgentLease.count()));
  const std::optional<runner::Lease> lease = SIBYL_TRY(queue.ClaimFor(
      {.holder = HolderOf(context, arguments.Text("agent")), .lease = length, .place = wanted}));
  if (!lease) return Nothing(*run);
  const std::vector<runner::JobRow> rows = SIBYL_TRY(run->Rows());
  const runner::JobRow& row = rows.at(lease->place);
  const plan::Part* part = run->PartOf(row.name);
  if (part == nullptr) {
    SIBYL_TRY(queue.Release(*lease, "the plan was edited"));
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = "the plan was just edited; claim again"};
  }
  const std::vector<draft::AgentSection> drafted = expansion::ParseSections(row.payload);
  SIBYL_TRY(queue.Keep(
      *lease, expansion::FormatSections(drafted),
      runner::FormatProgress({.step = "agent " + std::string(arguments.Text("agent"))})));
  const std::string word =
      expansion::FormatLease(run->own(), run->journal(), {.run = queue.run(), .lease = *lease});
  Json earlier = Json::array();
  for (const draft::AgentSection& section : drafted) {
    earlier.push_back({{"section", section.place + 1}, {"text", section.text}});
  }
  return Outcome{.data = {{"plan", run->work().file.path},
                          {"lease", word},
                          {"lease_seconds", length.count()},
                          {"part", ClaimedPart(*part)},
                          {"sources", SourceNames(context)},
                          {"drafted", std::move(earlier)},
                          {"progress", ProgressAsJson(rows)},
                          {"how", kHow}},
                 .findings = FindingsToShow(*run)};
}

std::vector<Rule> ClaimRules() {
  return {{.code = "expand/no-target", .meaning = "a part that names no file to create"},
          {.code = "expand/target", .meaning = "a target that is not allowed, or already exists"},
          {.code = kMovedAsideCode, .meaning = "a journal made elsewhere was moved aside"}};
}

constexpr Parameter kAgentClaimParameters[] = {
    kPlanParameter,
    {.name = "part",
     .value_name = "N",
     .help = "the part to claim [the first that waits]",
     .type = ValueType::kInteger,
     .minimum = 0,
     .maximum = 10'000},
    {.name = "agent",
     .value_name = "NAME",
     .help = "the name shown in the status",
     .default_text = "agent"},
    {.name = "lease-seconds",
     .value_name = "N",
     .help = "seconds the lease lasts without a call",
     .type = ValueType::kInteger,
     .default_text = "1800",
     .minimum = 1,
     .maximum = 86'400},
};

}  // namespace

constexpr Operation kPartClaim = {
    .name = "part claim",
    .summary = "claim a part of a plan and write it yourself",
    .description =
        R"(Assigns a waiting part, the first one or the one you name, to the caller, with a lease: a token that
every later step for this part needs. The answer contains what the plan wants from the part, section
by section, and any drafts by an earlier holder. A lease expires if it is not used for its full
time; every use renews it. After it expires, the part waits again and anyone may claim it. While it
is held, nobody else can change the part. If no part is waiting, `lease` is null and `next` says
what to do.)",
    .parameters = kAgentClaimParameters,
    .effects = {.reads = true, .writes = true},
    .rules = ClaimRules,
    .tool = {.name = "claim_part"},
    .run = RunClaim,
    .render = RenderPartClaim,
};

}  // namespace sibyl::engine
