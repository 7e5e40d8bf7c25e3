// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "base/clock.h"
#include "base/files/root.h"
#include "base/files/root_links.h"
#include "base/strings.h"
#include "engine/arguments.h"
#include "engine/expand_operations.h"
#include "engine/outcome.h"
#include "engine/reading/run_points.h"
#include "engine/runs/repeat_command.h"
#include "engine/text/render.h"
#include "expansion/agent_work.h"
#include "expansion/draft_payload.h"
#include "expansion/ledger/open_ledger.h"
#include "expansion/model/model_rates.h"
#include "expansion/part_choice.h"
#include "expansion/revision.h"
#include "expansion/run_writer.h"
#include "library/library.h"
#include "library/plan_folder.h"
#include "oracle/context.h"
#include "oracle/oracle.h"
#include "oracle/plan_file.h"
#include "plan/plan.h"
#include "runner/interrupt.h"
#include "runner/journal.h"
#include "runner/snapshot.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCompletedName = "completed";

std::string Moment(std::int64_t seconds) {
  return seconds == 0 ? std::string() : FormatDateTime(Time(std::chrono::seconds(seconds)));
}

Json JobAsJson(const runner::JobSnapshot& job) {
  Json json = {
      {"name", job.name},           {"publishes", job.is_last},  {"state", runner::ShownState(job)},
      {"attempts", job.attempts},   {"step", job.progress.step}, {"reason", job.reason},
      {"began", Moment(job.began)}, {"ended", Moment(job.ended)}};
  for (const runner::Figure& figure : job.progress.figures) {
    // Those of models are for previews (expansion/model/model_rates.h).
    if (!figure.name.starts_with(expansion::kUsePrefix)) json[figure.name] = figure.value;
  }
  if (!job.progress.findings.empty()) json["findings"] = job.progress.findings;
  // The journal has whole numbers only.
  constexpr double kMillion = 1e6;
  if (const auto cost = json.find("cost_millionths"); cost != json.end()) {
    json["cost"] = cost->get<double>() / kMillion;
    json.erase("cost_millionths");
  }
  if (job.state == runner::JobState::kRunning) {
    json["agent"] = runner::IsHeldByAgent(job);
    json["drafted"] = expansion::ParseSections(job.payload).size();
    if (job.holder) {
      json["holder"] = {{"host", job.holder->host}, {"process", job.holder->number}};
    }
    const auto renewed = json.find("renewed");
    if (renewed != json.end()) *renewed = Moment(renewed->get<std::int64_t>());
  }
  // For a finished part the figures come from the draft, as long as the journal
  // has it.
  const Result<draft::Draft> draft = expansion::ParseDraft(job.payload);
  if (job.state == runner::JobState::kDone && draft.ok()) {
    json["step"] = "";
    json["points"] = draft::PointCount(*draft);
    json["covered"] = draft::CoveredCount(*draft);
    // Of an older run the journal has the points, not the text.
    if (!draft->text.empty()) json["lines"] = SplitLines(draft->text).size();
    std::size_t citations = 0;
    for (const draft::UsedSource& source : draft->sources) citations += source.citations;
    json["citations"] = citations;
  }
  return json;
}

Json RunAsJson(const runner::RunSnapshot& run) {
  std::string_view state = runner::RunStateName(run.state);
  if (run.state == runner::RunState::kOpen) {
    state = run.is_worked_on() ? "running" : "interrupted";
  }
  Json json = {{"id", run.id},
               {"plan", run.name},
               {"state", state},
               {"stoppable", runner::CanInterrupt(run)},
               {"began", Moment(run.began)},
               {"ended", Moment(run.ended)},
               {"jobs", Json::array()}};
  for (const runner::JobSnapshot& job : run.jobs) json["jobs"].push_back(JobAsJson(job));
  const std::string_view writer =
      run.jobs.empty() ? std::string_view() : expansion::WriterOfJob(run.jobs.front().fingerprint);
  if (!writer.empty()) json["writer"] = writer;
  if (run.throttle) json["waits_for"] = runner::ThrottleText(*run.throttle);
  return json;
}

// Those that are connected to a shared ledger, and those that hold a part: of the
// journal only these are known. In the order of host and process.
Json WorkersAsJson(const runner::Snapshot& snapshot) {
  struct Worker {
    std::string role;
    std::int64_t since = 0;
    std::size_t parts = 0;
  };
  std::map<std::pair<std::string, std::int64_t>, Worker> workers;
  for (const runner::Participant& each : snapshot.participants) {
    workers[{each.host, each.process}] = {.role = each.role, .since = each.since};
  }
  for (const runner::RunSnapshot& run : snapshot.runs) {
    if (run.state != runner::RunState::kOpen) continue;
    for (const runner::JobSnapshot& job : run.jobs) {
      const bool is_held = runner::ShownState(job) == "running" && job.holder;
      if (is_held) ++workers[{job.holder->host, job.holder->number}].parts;
    }
  }
  Json json = Json::array();
  for (const auto& [process, worker] : workers) {
    json.push_back({{"host", process.first},
                    {"process", process.second},
                    {"role", worker.role},
                    {"parts", worker.parts},
                    {"since", Moment(worker.since)}});
  }
  return json;
}

Result<std::vector<RootEntry>> PlanFiles(const Root& oracle) {
  if (!oracle.IsFolder(oracle::kPlanFolder)) return std::vector<RootEntry>();
  const auto enters = [](std::string_view path) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    return name != kCompletedName && !name.starts_with(".");
  };
  Walked walked = SIBYL_TRY(oracle.Walk(oracle::kPlanFolder, {.enters = enters}));
  std::erase_if(walked.entries, [](const RootEntry& entry) {
    const std::string name = fs::path(entry.name).filename().string();
    return !name.ends_with(".md") || name.starts_with("KNOWLEDGE-DROP");
  });
  return std::move(walked.entries);
}

// What cannot be read as a plan is not listed as one.
std::optional<plan::Plan> ReadPlan(const Root& oracle, const std::string& file) {
  constexpr std::size_t kMostBytes = std::size_t{16} << 20;
  const Result<std::string> text = ReadFollowing(oracle, file, {.max_bytes = kMostBytes});
  if (!text.ok()) return std::nullopt;
  plan::Plan plan = plan::Parse(oracle.Shown(file).string(), *text).plan;
  if (plan.parts.empty()) return std::nullopt;
  return plan;
}

// Parts that no run takes, with the reason: they have no job, so the journal does not have them.
Json RefusedParts(const fs::path& oracle, const plan::Plan& plan) {
  const expansion::PartChoices choices = expansion::ChooseParts(plan, {.oracle = oracle});
  Json refused = Json::array();
  std::size_t finding = 0;
  for (const expansion::ChosenPart& part : choices.parts) {
    if (part.state != expansion::PartState::kRefused) continue;
    const Finding& why = choices.findings[finding++];
    refused.push_back({{"number", plan.parts[part.place].number},
                       {"target", plan.parts[part.place].target},
                       {"reason", why.message},
                       {"hint", why.hint}});
  }
  return refused;
}

std::optional<Json> PlanAsJson(const oracle::Context& context, const Root& oracle,
                               const std::string& file) {
  const std::optional<plan::Plan> plan = ReadPlan(oracle, file);
  if (!plan) return std::nullopt;
  const fs::path path = oracle.Shown(file);
  const fs::path folder = context.oracle.value_or(context.working_folder);
  std::map<std::string_view, std::size_t> counts;
  for (const expansion::ChosenPart& part :
       expansion::ChooseParts(*plan, {.oracle = folder}).parts) {
    const plan::PartStatus status = plan->parts[part.place].status;
    // A part that is ticked and whose file is not here is run.
    const bool is_open =
        status == plan::PartStatus::kDone && part.state == expansion::PartState::kRuns;
    ++counts[plan::PartStatusName(is_open ? plan::PartStatus::kOpen : status)];
  }
  Json json = {{"plan", oracle::ShownPath(context, path).string()}, {"parts", plan->parts.size()}};
  for (const auto& [status, count] : counts) json[std::string(status)] = count;
  if (Json refused = RefusedParts(folder, *plan); !refused.empty()) {
    json["refused"] = std::move(refused);
  }
  return json;
}

// The next command to suggest.
std::string NextCommand(const oracle::Context& context, const Json& data) {
  for (const Json& run : data["runs"]) {
    if (run["state"] == "running") return {};
    if (run["state"] != "interrupted") continue;
    const std::string name = run["plan"];
    if (const auto page = expansion::RevisedBy(name)) {
      return fmt::format("{} {}", CommandBegin(context, "part claim"), *page);
    }
    const std::string writer = run.value("writer", std::string());
    return fmt::format("{} {}{}", CommandBegin(context, "expand"), name,
                       expansion::WriterOptions(writer));
  }
  for (const Json& plan : data["plans"]) {
    if (plan.contains("open") || plan.contains("failed")) {
      return fmt::format("{} {}", CommandBegin(context, "expand"), plan["plan"].get<std::string>());
    }
  }
  return CommandBegin(context, "plan new");
}

// What the journal says, and what of our own files the next run would not use.
Result<runner::Snapshot> ReadOwn(const oracle::Context& context, std::vector<Finding>& findings) {
  const std::optional<OwnFolder> own = SIBYL_TRY(oracle::FindOwnFolder(context));
  if (own) findings = library::FindForeignPublications(*own);
  Result<runner::Snapshot> snapshot = expansion::ReadSnapshot(context);
  if (snapshot.ok()) return snapshot;
  const ErrorKind kind = snapshot.error().kind;
  if (kind != ErrorKind::kNotFound && kind != ErrorKind::kCorrupt) return snapshot;
  if (kind == ErrorKind::kCorrupt) findings.push_back(NotOurs("the journal", ".sibyl/journal.db"));
  return runner::Snapshot();
}

std::vector<Rule> StatusRules() {
  return {{.code = kNotOursCode,
           .meaning = "a journal or publication in .sibyl was made elsewhere and is not used"}};
}

// Only of it, the plan may be as it was.
bool IsNewestOfPlan(const runner::Snapshot& snapshot, const runner::RunSnapshot& run) {
  return std::none_of(snapshot.runs.begin(), snapshot.runs.end(),
                      [&](const runner::RunSnapshot& other) {
                        return other.name == run.name && other.id > run.id;
                      });
}

// The plan of a run, also after it was moved because it is completed.
std::optional<plan::Plan> ReadPlanOfRun(const Root& oracle, const std::string& name) {
  std::optional<plan::Plan> plan = ReadPlan(oracle, name);
  if (plan) return plan;
  const fs::path completed(oracle::kCompletedPlans);
  const fs::path path(name);
  for (const fs::path& moved : {path.parent_path().filename() / path.filename(), path.filename(),
                                library::PlanFolderName(name) / path.filename()}) {
    plan = ReadPlan(oracle, (completed / moved).generic_string());
    if (plan) return plan;
  }
  return plan;
}

// What the plan says of a run: its title, and how much each part was to deliver.
void AddPlanned(const plan::Plan& plan, Json& run) {
  run["title"] = plan.title;
  for (Json& job : run["jobs"]) {
    const plan::Part* part = PartOf(plan, job["name"].get_ref<const std::string&>());
    if (part == nullptr) continue;
    std::size_t points = 0;
    for (const plan::Section& section : part->sections) points += section.points.size();
    job["planned_points"] = points;
    if (part->line_budget) job["planned_lines"] = *part->line_budget;
  }
}

// One run, with what each of its parts was to cover and covers. A draft has both;
// the journal keeps those of the newest runs, and for the others the plan says what
// was to be covered.
Result<Outcome> ShowRun(const fs::path& oracle, const runner::Snapshot& snapshot, std::int64_t id) {
  for (const runner::RunSnapshot& run : snapshot.runs) {
    if (run.id != id) continue;
    Json json = RunAsJson(run);
    const Root root = SIBYL_TRY(Root::Open(oracle));
    const std::optional<plan::Plan> plan = ReadPlanOfRun(root, run.name);
    if (plan && IsNewestOfPlan(snapshot, run)) {
      if (Json refused = RefusedParts(oracle, *plan); !refused.empty()) {
        json["refused"] = std::move(refused);
      }
    }
    if (plan) AddPlanned(*plan, json);
    for (std::size_t i = 0; i < run.jobs.size(); ++i) {
      const Result<draft::Draft> draft = expansion::ParseDraft(run.jobs[i].payload);
      const plan::Part* part = plan ? PartOf(*plan, run.jobs[i].name) : nullptr;
      if (draft.ok()) {
        json["jobs"][i]["planned"] = PointsDelivered(*draft);
        for (const draft::Omission& omission : draft->omissions) {
          json["jobs"][i]["left_out"].push_back(
              {{"point", omission.point}, {"text", omission.text}, {"reason", omission.reason}});
        }
      } else if (part != nullptr && run.jobs[i].state != runner::JobState::kDone) {
        // A part that is done has delivered something, even if no one knows what any more.
        json["jobs"][i]["planned"] = PointsPlanned(*part);
      }
    }
    return Outcome{.data = {{"runs", Json::array({std::move(json)})}, {"plans", Json::array()}}};
  }
  return Error{.kind = ErrorKind::kNotFound,
               .message = fmt::format("showing a run: the journal has no run {}", id),
               .hint = "'sibyl status --all --json' lists them"};
}

// Runs that are worked on, those that are interrupted, then the others; in each group the
// newest first. Of a ledger with many plans the last that was begun is not the last that
// finished.
void SortRuns(std::vector<runner::RunSnapshot>& runs) {
  const auto rank = [](const runner::RunSnapshot& run) {
    if (run.state != runner::RunState::kOpen) return 2;
    return run.is_worked_on() ? 0 : 1;
  };
  std::stable_sort(runs.begin(), runs.end(),
                   [&](const runner::RunSnapshot& a, const runner::RunSnapshot& b) {
                     return std::tuple(rank(a), b.ended, b.id) < std::tuple(rank(b), a.ended, a.id);
                   });
}

Result<Outcome> RunStatus(const oracle::Context& context, const Arguments& arguments) {
  const fs::path oracle = SIBYL_TRY(oracle::RequireOracle(context));
  Outcome outcome{.data = {{"runs", Json::array()}, {"plans", Json::array()}}};
  runner::Snapshot snapshot = SIBYL_TRY(ReadOwn(context, outcome.findings));
  SortRuns(snapshot.runs);
  if (const std::optional<std::int64_t> run = arguments.Integer("run")) {
    return ShowRun(oracle, snapshot, *run);
  }
  outcome.data["workers"] = WorkersAsJson(snapshot);
  bool has_finished = false;
  for (const runner::RunSnapshot& run : snapshot.runs) {
    const bool is_open = run.state == runner::RunState::kOpen;
    // Of finished runs only the newest is shown.
    if (!is_open && has_finished && !arguments.Has("all")) continue;
    if (!is_open && run.state == runner::RunState::kSuperseded && !arguments.Has("all")) continue;
    has_finished = has_finished || !is_open;
    outcome.data["runs"].push_back(RunAsJson(run));
  }
  const Root root = SIBYL_TRY(Root::Open(oracle));
  for (Json& run : outcome.data["runs"]) {
    const auto plan = ReadPlanOfRun(root, run["plan"].get_ref<const std::string&>());
    if (plan) AddPlanned(*plan, run);
  }
  const std::vector<RootEntry> files = SIBYL_TRY(PlanFiles(root));
  for (const RootEntry& file : files) {
    auto plan = PlanAsJson(context, root, file.name);
    if (!plan) continue;
    for (Json& run : outcome.data["runs"]) {
      if (run["plan"] != file.name || !plan->contains("refused")) continue;
      run["refused"] = (*plan)["refused"];
      break;  // the newest
    }
    outcome.data["plans"].push_back(*std::move(plan));
  }
  outcome.data["next"] = NextCommand(context, outcome.data);
  return outcome;
}

constexpr Parameter kStatusParameters[] = {
    {.name = "all", .help = "show older runs too", .kind = ParameterKind::kFlag},
    {.name = "run",
     .value_name = "N",
     .help = "only the run of this number, point by point",
     .type = ValueType::kInteger,
     .minimum = 1,
     .maximum = 1'000'000'000'000},
};

}  // namespace

constexpr Operation kStatus = {
    .name = "status",
    .summary = "show what is running, what is done and what is next",
    .description =
        R"(Shows the expansions of this oracle, from its journal, or from the ledger that `SIBYL_LEDGER` or your
configuration names: running (in this or another terminal), interrupted, or the last one that
finished; the processes that work on them, on any machine; and the plans that wait in
`_ingest-auto/`. Only reads, and can be used while `sibyl
expand` runs.)",
    .parameters = kStatusParameters,
    .effects = {.reads = true},
    .rules = StatusRules,
    .tool = {.name = "status", .is_read_only = true, .is_idempotent = true},
    .run = RunStatus,
    .render = RenderStatus,
};

}  // namespace sibyl::engine
