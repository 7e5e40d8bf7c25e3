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
#include "expansion/draft_payload.h"
#include "expansion/revision.h"
#include "oracle/oracle.h"
#include "runner/process_id.h"
#include "runner/progress.h"

namespace sibyl::engine {
namespace {

constexpr std::string_view kHow =
    "draft_section takes one section at a time, by its number. Under '### POINT', in the words of "
    "'points', write what the sources say about the point, with a mark [^a] after every statement "
    "and the definitions at the end: '[^a]: SOURCE:PATH:10-12', the lines that say it. Omit "
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

std::chrono::seconds LeaseLength(const Arguments& arguments) {
  return std::chrono::seconds(
      arguments.Integer("lease-seconds").value_or(expansion::kAgentLease.count()));
}

/// What a claimed part is, from a plan's run or from the revision of a page.
struct Claimed {
  const runner::Ledger& ledger;
  runner::JobQueue& queue;
  const runner::Lease& lease;
  const plan::Part& part;
  std::string plan_path;
  std::vector<draft::AgentSection> drafted;
};

Result<Json> ClaimAsJson(const oracle::Context& context, const Arguments& arguments,
                         const Claimed& claimed) {
  SIBYL_TRY(claimed.queue.Keep(
      claimed.lease, expansion::FormatSections(claimed.drafted),
      expansion::AgentProgress(context.clock,
                               {.step = "agent " + std::string(arguments.Text("agent"))})));
  const std::string word =
      expansion::FormatLease(claimed.ledger, {.run = claimed.queue.run(), .lease = claimed.lease});
  Json earlier = Json::array();
  for (const draft::AgentSection& section : claimed.drafted) {
    earlier.push_back({{"section", section.place + 1}, {"text", section.text}});
  }
  return Json{{"plan", claimed.plan_path},
              {"lease", word},
              {"lease_seconds", LeaseLength(arguments).count()},
              {"part", ClaimedPart(claimed.part)},
              {"sources", SourceNames(context)},
              {"drafted", std::move(earlier)},
              {"how", kHow}};
}

// The sections of a part that was submitted and is taken back, from its page.
std::vector<draft::AgentSection> SubmittedSections(const oracle::Context& context,
                                                   const runner::JobRow& row,
                                                   const plan::Part& part) {
  const Result<draft::Draft> draft = expansion::ParseDraft(row.payload);
  if (!draft.ok()) return {};
  expansion::PublishedPage page{.path = draft->path, .text = draft->text};
  page.plan.parts.push_back(part);
  auto sections = expansion::SectionsOfPage(context, page);
  return sections.ok() ? *std::move(sections) : std::vector<draft::AgentSection>();
}

// A part that is submitted and not published is taken back, with its sections.
Result<std::vector<draft::AgentSection>> TakeBack(const oracle::Context& context,
                                                  runner::JobQueue& queue,
                                                  const runner::JobRow& row,
                                                  const plan::Part& part) {
  std::vector<draft::AgentSection> sections = SubmittedSections(context, row, part);
  SIBYL_TRY(queue.PutBack(row.place, "it is revised before it is published"));
  return sections;
}

Outcome NothingToRevise(const expansion::Revision& revision,
                        const std::vector<runner::JobRow>& rows) {
  return {.data = {{"plan", revision.page().plan_path},
                   {"lease", nullptr},
                   {"progress", ProgressAsJson(rows)},
                   {"next", "wait: another agent revises the page"}},
          .holds = false};
}

// A published page: its sections are the drafts.
Result<Outcome> ClaimPage(const oracle::Context& context, const Arguments& arguments,
                          std::string_view page) {
  const std::unique_ptr<expansion::Revision> revision =
      SIBYL_TRY(expansion::Revision::Begin(context, page));
  std::vector<runner::JobRow> rows = SIBYL_TRY(revision->Rows());
  std::vector<draft::AgentSection> sections = expansion::ParseSections(rows.at(0).payload);
  if (rows[0].state == runner::JobState::kDone) {
    sections = SIBYL_TRY(TakeBack(context, revision->queue(), rows[0], revision->page().part()));
  }
  // Before the claim: a page that cannot be taken apart is not claimed.
  if (sections.empty()) {
    sections = SIBYL_TRY(expansion::SectionsOfPage(context, revision->page()));
  }
  const std::optional<runner::Lease> lease = SIBYL_TRY(revision->queue().ClaimFor(
      {.holder = HolderOf(context, arguments.Text("agent")), .lease = LeaseLength(arguments)}));
  if (!lease) return NothingToRevise(*revision, rows);
  Json data = SIBYL_TRY(ClaimAsJson(context, arguments,
                                    {.ledger = revision->ledger(),
                                     .queue = revision->queue(),
                                     .lease = *lease,
                                     .part = revision->page().part(),
                                     .plan_path = revision->page().plan_path,
                                     .drafted = std::move(sections)}));
  rows = SIBYL_TRY(revision->Rows());
  data["progress"] = ProgressAsJson(rows);
  data["revises"] = revision->page().path;
  return Outcome{.data = std::move(data)};
}

Result<Outcome> ClaimOpen(const oracle::Context& context, const Arguments& arguments) {
  const std::unique_ptr<expansion::AgentRun> run = SIBYL_TRY(
      expansion::AgentRun::Open(context, arguments.Text("plan"), expansion::Joining::kBegin));
  if (!run->queue()) return Nothing(*run);
  runner::JobQueue& queue = *run->queue();
  const std::optional<std::size_t> wanted = SIBYL_TRY(WantedPlace(*run, arguments));
  std::vector<draft::AgentSection> taken_back;
  std::vector<runner::JobRow> rows = SIBYL_TRY(run->Rows());
  const plan::Part* asked = wanted ? run->PartOf(rows.at(*wanted).name) : nullptr;
  if (arguments.Has("revise") && asked != nullptr &&
      rows[*wanted].state == runner::JobState::kDone && run->IsToPublish(rows[*wanted].name)) {
    taken_back = SIBYL_TRY(TakeBack(context, queue, rows[*wanted], *asked));
  }
  const std::optional<runner::Lease> lease =
      SIBYL_TRY(queue.ClaimFor({.holder = HolderOf(context, arguments.Text("agent")),
                                .lease = LeaseLength(arguments),
                                .place = wanted}));
  if (!lease) return Nothing(*run);
  rows = SIBYL_TRY(run->Rows());
  const runner::JobRow& row = rows.at(lease->place);
  const plan::Part* part = run->PartOf(row.name);
  if (part == nullptr) {
    SIBYL_TRY(queue.Release(*lease, "the plan was edited"));
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = "the plan was just edited; claim again"};
  }
  std::vector<draft::AgentSection> drafted = expansion::ParseSections(row.payload);
  if (drafted.empty()) drafted = std::move(taken_back);
  Json data = SIBYL_TRY(ClaimAsJson(context, arguments,
                                    {.ledger = run->ledger(),
                                     .queue = queue,
                                     .lease = *lease,
                                     .part = *part,
                                     .plan_path = run->work().file.path,
                                     .drafted = std::move(drafted)}));
  data["progress"] = ProgressAsJson(rows);
  return Outcome{.data = std::move(data), .findings = FindingsToShow(*run)};
}

// The page of a part that is published, if the part is to be revised.
Result<std::optional<std::string>> PageToRevise(const oracle::Context& context,
                                                const Arguments& arguments) {
  const std::string plan(arguments.Text("plan"));
  std::optional<std::string> page = SIBYL_TRY(expansion::PageNamed(context, plan));
  if (page || !arguments.Has("revise")) return page;
  const auto number = arguments.Integer("part");
  if (!number) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "revising a part: missing its number",
                 .hint = "name the page itself, or give the number of its part"};
  }
  const expansion::PlannedWork work =
      SIBYL_TRY(expansion::PlanWork(context, {.plan = plan}, expansion::Intake::kLook));
  for (const expansion::ChosenPart& chosen : work.choices.parts) {
    const plan::Part& part = work.plan.parts[chosen.place];
    const bool is_published = work.file.is_completed || chosen.state == expansion::PartState::kDone;
    if (part.number == *number && is_published) return std::optional(part.target);
  }
  return page;
}

Result<Outcome> RunClaim(const oracle::Context& context, const Arguments& arguments) {
  const std::optional<std::string> page = SIBYL_TRY(PageToRevise(context, arguments));
  return page ? ClaimPage(context, arguments, *page) : ClaimOpen(context, arguments);
}

std::vector<Rule> ClaimRules() {
  return {{.code = "expand/no-target", .meaning = "a part that names no file to create"},
          {.code = "expand/target", .meaning = "a target that is not allowed, or already exists"},
          {.code = kMovedAsideCode, .meaning = "a journal made elsewhere was moved aside"}};
}

constexpr Parameter kAgentClaimParameters[] = {
    kPlanOrPageParameter,
    {.name = "part",
     .value_name = "N",
     .help = "the part to claim [the first that waits]",
     .type = ValueType::kInteger,
     .minimum = 0,
     .maximum = 10'000},
    {.name = "revise",
     .help = "take a part that is submitted or published, with the text it has, to change it",
     .kind = ParameterKind::kFlag},
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
what to do.

Named instead of a plan, a published page is claimed for revision, by the part of the plan in
`_ingest-auto/` that it was written for; so is the part of a plan with `--revise`. The drafts are
then the sections of the page: draft again what is to be changed, submit, and `sibyl plan finalize`
replaces the page in one commit. Sections that are not drafted keep their bytes, and cited places
keep their footnotes. A part that is submitted and not yet published is taken back with
`--revise`.)",
    .parameters = kAgentClaimParameters,
    .effects = {.reads = true, .writes = true, .changes_oracle = true},
    .rules = ClaimRules,
    .tool = {.name = "claim_part"},
    .run = RunClaim,
    .render = RenderPartClaim,
};

}  // namespace sibyl::engine
