// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "draft/gather.h"
#include "draft/queries.h"
#include "engine/agent_operations.h"
#include "engine/agent_run.h"
#include "engine/agent_work.h"
#include "engine/arguments.h"
#include "engine/oracle.h"
#include "engine/outcome.h"
#include "engine/shown_text.h"
#include "evidence/lock.h"
#include "runner/process_id.h"
#include "runner/progress.h"

namespace sibyl::engine {
namespace {

constexpr std::string_view kHow =
    "draft_section takes one section at a time, by its number. Below '### POINT', in the words of "
    "'points', write what the sources say of the point, every statement with a mark [^a], and the "
    "definitions at the end: '[^a]: CITATION', copied from search or read_source. Points for which "
    "there is nothing stay out. When all sections pass: submit_part.";

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

Json SourceNames(const Context& context) {
  Json names = Json::array();
  const Result<evidence::Surroundings> around = EvidenceAround(context);
  if (!around.ok()) return names;
  const Result<evidence::Lock> lock = evidence::ReadLock(*around);
  if (!lock.ok()) return names;
  for (const evidence::Pin& pin : lock->pins) names.push_back(pin.name);
  return names;
}

// The place of the part of that number among the jobs; an error names those
// that there are.
Result<std::optional<std::size_t>> WantedPlace(AgentRun& run, const Arguments& arguments) {
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
               .message = fmt::format("the plan has no part {} to be written", *number),
               .hint = "there are " + Join(numbers, ", ")};
}

std::string HolderOf(const Context& context, std::string_view agent) {
  if (context.asker_ends_with_process) return runner::FormatProcessId(runner::ThisProcess());
  std::string name;
  for (const char c : agent) name += c > ' ' && c < '\x7f' ? c : '-';
  return "agent:" + name.substr(0, 60);
}

// With a part in hand, what is wrong with others is not this agent's business.
std::vector<Finding> FindingsToShow(const AgentRun& run) {
  std::vector<Finding> findings = run.Findings();
  std::erase_if(findings, [](const Finding& finding) { return finding.code != kMovedAsideCode; });
  return findings;
}

Result<Outcome> Nothing(AgentRun& run) {
  Outcome outcome{.data = {{"plan", run.work().file.path}, {"lease", nullptr}}, .holds = false};
  const std::vector<runner::JobRow> rows = SIBYL_TRY(run.Rows());
  outcome.data["progress"] = ProgressAsJson(rows);
  outcome.data["next"] = CanFinalize(rows) ? "finalize"
                         : rows.empty()    ? "nothing left to do: no part is open"
                                           : "others hold the rest; ask again later";
  outcome.findings = run.Findings();
  return outcome;
}

Result<Outcome> RunClaim(const Context& context, const Arguments& arguments) {
  const std::unique_ptr<AgentRun> run =
      SIBYL_TRY(AgentRun::Open(context, arguments.Text("plan"), Joining::kBegin));
  if (!run->queue()) return Nothing(*run);
  runner::JobQueue& queue = *run->queue();
  const std::optional<std::size_t> wanted = SIBYL_TRY(WantedPlace(*run, arguments));
  const std::chrono::seconds length(
      arguments.Integer("lease-seconds").value_or(kAgentLease.count()));
  const std::optional<runner::Lease> lease = SIBYL_TRY(queue.ClaimFor(
      {.holder = HolderOf(context, arguments.Text("agent")), .lease = length, .place = wanted}));
  if (!lease) return Nothing(*run);
  const std::vector<runner::JobRow> rows = SIBYL_TRY(run->Rows());
  const runner::JobRow& row = rows.at(lease->place);
  const plan::Part* part = run->PartOf(row.name);
  if (part == nullptr) {
    SIBYL_TRY(queue.Release(*lease, "the plan was edited"));
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = "the plan was edited at this moment; claim again"};
  }
  const std::vector<draft::AgentSection> drafted = ParseSections(row.payload);
  SIBYL_TRY(queue.Keep(
      *lease, FormatSections(drafted),
      runner::FormatProgress({.step = "agent " + std::string(arguments.Text("agent"))})));
  const std::string word =
      FormatLease(run->own(), run->journal(), {.run = queue.run(), .lease = *lease});
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
          {.code = "expand/target", .meaning = "a file that must not be written, or is there"},
          {.code = kMovedAsideCode, .meaning = "a journal that is not ours was moved aside"}};
}

constexpr Parameter kAgentClaimParameters[] = {
    kPlanParameter,
    {.name = "part",
     .value_name = "N",
     .help = "this part; otherwise the first waiting one",
     .type = ValueType::kInteger,
     .minimum = 0,
     .maximum = 10'000},
    {.name = "agent",
     .value_name = "NAME",
     .help = "who takes it, for people who look at the status",
     .default_text = "agent"},
    {.name = "lease-seconds",
     .value_name = "N",
     .help = "how long it stays yours without a call from you",
     .type = ValueType::kInteger,
     .default_text = "1800",
     .minimum = 1,
     .maximum = 86'400},
};

}  // namespace

constexpr Operation kPartClaim = {
    .name = "part claim",
    .summary = "take a part of a plan, to write it yourself",
    .description =
        R"(Gives you the first waiting part, or the one you name, with a lease: a token that every later step
of this part needs. The answer has what the plan wants of the part, section by section, and the sections
that an earlier holder drafted. A lease expires when it is not used for `--lease-seconds`; each use
restarts the time. The part then waits for the next claim. Nobody else can change a part that you hold.
When no part waits, `lease` is null and `next` says what to do.)",
    .parameters = kAgentClaimParameters,
    .effects = {.reads = true, .writes = true},
    .rules = ClaimRules,
    .tool = {.name = "claim_part"},
    .run = RunClaim,
};

}  // namespace sibyl::engine
