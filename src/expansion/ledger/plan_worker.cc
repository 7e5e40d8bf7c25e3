// SPDX-License-Identifier: Apache-2.0
#include "expansion/ledger/plan_worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/telemetry/log.h"
#include "expansion/draft_payload.h"
#include "expansion/expansion_inputs.h"
#include "expansion/ledger/ledger_budget.h"
#include "expansion/ledger/open_ledger.h"
#include "expansion/ledger/part_logs.h"
#include "expansion/needed_sources.h"
#include "expansion/planned_work.h"
#include "expansion/revision.h"
#include "expansion/run_writer.h"
#include "oracle/oracle.h"

namespace sibyl::expansion {
namespace {

/// The inputs of one run, as one writer needs them.
struct OpenedPlan {
  PlannedWork work;
  std::unique_ptr<ModelAccess> models;
  std::unique_ptr<ExpansionInputs> inputs;

  const plan::Part* PartOf(std::string_view target) const {
    for (const plan::Part& part : work.plan.parts) {
      if (part.target == target) return &part;
    }
    return nullptr;
  }
};

// What the writer of a job asks for; nothing: no model.
std::optional<ModelRequest> ModelOf(std::string_view writer) {
  if (writer == kExtractWriter) return std::nullopt;
  return ModelRequest{.is_judged = writer != kUnjudgedWriter};
}

// Of a run whose parts cannot be written here: how long until that is looked at again. A
// colleague may pull the newest commit, or a model's server come back.
constexpr std::chrono::milliseconds kFirstPause{2'000};
constexpr std::chrono::milliseconds kLongestPause{300'000};

class PlanSource : public runner::JobSource {
 public:
  PlanSource(const oracle::Context& context, const OwnFolder& own, const runner::Ledger& ledger,
             std::set<std::string, std::less<>> wanted)
      : context_(context), own_(own), ledger_(ledger), wanted_(std::move(wanted)) {}

  bool Wants(const runner::RunInfo& run) override {
    if (RevisedBy(run.name)) return false;
    if (!wanted_.empty() && !wanted_.contains(run.name)) return false;
    const auto refusal = refused_.find(run.id);
    return refusal == refused_.end() || MayNow(run) || !refusal->second.is_whole;
  }

  Result<runner::Work> WorkOf(const runner::RunInfo& run, const runner::Lease& job) override {
    Result<std::shared_ptr<const OpenedPlan>> opened = Find(run, job);
    if (!opened.ok()) {
      Refuse(run, job, opened.error());
      return std::move(opened).error();
    }
    if (const auto refusal = refused_.find(run.id); refusal != refused_.end()) {
      refusal->second.in_turn = 0;
    }
    const std::shared_ptr<const OpenedPlan> plan = *std::move(opened);
    const plan::Part* part = plan->PartOf(job.name);
    return runner::Work([plan, part](runner::JobContext& context) -> Result<std::string> {
      const draft::Draft draft = SIBYL_TRY(WritePart(*part, plan->inputs->parts(), context));
      return FormatDraft(draft);
    });
  }

  std::vector<std::size_t> Refused(const runner::RunInfo& run) override {
    const auto refusal = refused_.find(run.id);
    if (refusal == refused_.end()) return {};
    return {refusal->second.places.begin(), refusal->second.places.end()};
  }

  /// Whether there are parts that could not be written here to the end.
  bool HasRefused() const { return !refused_.empty(); }
  std::vector<Finding> TakeFindings() { return std::move(findings_); }

 private:
  // The plan with the writer of the job, if the part has the same fingerprint here.
  Result<std::shared_ptr<const OpenedPlan>> Find(const runner::RunInfo& run,
                                                 const runner::Lease& job) {
    const std::string_view writer = WriterOfJob(job.fingerprint);
    std::map<std::string_view, std::shared_ptr<const OpenedPlan>>& opened = opened_[run.id];
    if (!writer.empty() && !opened.contains(writer)) {
      opened[writer] = SIBYL_TRY(Open(run, ModelOf(writer)));
    }
    const auto plan = opened.find(writer);
    if (plan != opened.end()) {
      const plan::Part* part = plan->second->PartOf(job.name);
      const bool is_it =
          part != nullptr && plan->second->inputs->Fingerprint(*part) == job.fingerprint;
      if (is_it) return plan->second;
    }
    return Error{
        .kind = ErrorKind::kUsage,
        .message = fmt::format("{} was planned with other inputs than this worker has", job.name),
        .hint =
            "a worker needs the same plan, pages, pins, program and model settings as "
            "'sibyl expand'; --max-lines cannot be shared"};
  }

  Result<std::shared_ptr<const OpenedPlan>> Open(const runner::RunInfo& run,
                                                 const std::optional<ModelRequest>& model) {
    auto opened = std::make_shared<OpenedPlan>();
    SIBYL_TRY(RequireEverySource(context_));  // pins may have moved since the start
    opened->work = SIBYL_TRY(
        PlanWork(context_, {.plan = (own_.oracle().path() / run.name).string()}, Intake::kLook));
    if (model) {
      opened->models = SIBYL_TRY(ModelAccess::Open(context_, *model, ModelEnvironment::Read()));
      if (ledger_.holds_limits()) {
        opened->models->ShareBudget(
            std::make_unique<LedgerBudget>(SIBYL_TRY(ledger_.Another()), run.name));
      }
    }
    opened->inputs = SIBYL_TRY(ExpansionInputs::Open(context_, opened->work, opened->models.get()));
    return std::shared_ptr<const OpenedPlan>(std::move(opened));
  }

  // Whether the part that could not be written here now can, without taking it.
  bool MayNow(const runner::RunInfo& run) {
    Refusal& refusal = refused_.at(run.id);
    const auto now = std::chrono::steady_clock::now();
    if (now < refusal.next) return false;
    opened_.erase(run.id);
    if (Find(run, refusal.job).ok()) {
      refused_.erase(run.id);
      if (context_.progress)
        context_.progress(fmt::format("parts of {} are taken again", run.name));
      return true;
    }
    refusal.pause = std::min(refusal.pause * 2, kLongestPause);
    refusal.next = std::chrono::steady_clock::now() + refusal.pause;
    return false;
  }

  // One part may have been planned differently; many in turn are all of them, and to claim each
  // would only disturb those who can write them.
  void Refuse(const runner::RunInfo& run, const runner::Lease& job, const Error& why) {
    constexpr std::size_t kManyInTurn = 8;
    const auto next = std::chrono::steady_clock::now() + kFirstPause;
    const auto [at, is_new] = refused_.try_emplace(run.id, Refusal{.job = job, .next = next});
    Refusal& refusal = at->second;
    refusal.places.insert(job.place);
    const auto opened = opened_.find(run.id);
    const bool is_open = opened != opened_.end() && !opened->second.empty();
    const bool was_whole = refusal.is_whole;
    refusal.is_whole = was_whole || !is_open || ++refusal.in_turn >= kManyInTurn;
    if (!is_new && refusal.is_whole == was_whole) return;
    findings_.push_back(
        {.severity = Severity::kWarning,
         .code = "worker/inputs",
         .message = refusal.is_whole
                        ? fmt::format("parts of {} are not taken: {}", run.name, why.message)
                        : fmt::format("a part of {} is not taken: {}", run.name, why.message),
         .hint = why.hint,
         .place = {.file = run.name}});
    WriteLog(LogLevel::kWarning, findings_.back().message, {{"run", std::to_string(run.id)}});
    if (context_.progress) context_.progress(findings_.back().message);
  }

  struct Refusal {
    runner::Lease job;  ///< The first that was refused.
    std::chrono::steady_clock::time_point next;
    std::chrono::milliseconds pause = kFirstPause;
    std::set<std::size_t> places = {};
    std::size_t in_turn = 0;  ///< Without one that was taken.
    bool is_whole = false;    ///< No part of the run is taken.
  };

  const oracle::Context& context_;
  const OwnFolder& own_;
  const runner::Ledger& ledger_;
  std::set<std::string, std::less<>> wanted_;  // names of runs
  std::map<std::int64_t, Refusal> refused_;    // by run
  // By run and writer. Jobs that run keep theirs.
  std::map<std::int64_t, std::map<std::string_view, std::shared_ptr<const OpenedPlan>>> opened_;
  std::vector<Finding> findings_;
};

// The names of the runs of these plans.
Result<std::set<std::string, std::less<>>> RunNames(const oracle::Context& context,
                                                    const std::vector<std::string>& plans) {
  std::set<std::string, std::less<>> names;
  for (const std::string& plan : plans) {
    names.insert(SIBYL_TRY(PlanWork(context, {.plan = plan}, Intake::kLook)).file.path);
  }
  return names;
}

std::string Line(const runner::ServedJob& job) {
  switch (job.kind) {
    case runner::EventKind::kStarted:
      return fmt::format("{}: started", job.name);
    case runner::EventKind::kRetried:
      return fmt::format("{}: failed, waits for another attempt: {}", job.name, job.reason);
    case runner::EventKind::kReleased:
      return fmt::format("{}: released: {}", job.name, job.reason);
    case runner::EventKind::kFinished:
      if (job.state == runner::JobState::kDone) return fmt::format("{}: written", job.name);
      return fmt::format("{}: failed: {}", job.name, job.reason);
    case runner::EventKind::kStep:
    case runner::EventKind::kTick:
      break;
  }
  return {};
}

}  // namespace

Result<WorkerResult> WorkOnPlans(const oracle::Context& context, const WorkerRequest& request) {
  const OwnFolder own = SIBYL_TRY(oracle::OpenOwnFolder(context));
  const std::unique_ptr<runner::Ledger> ledger = SIBYL_TRY(OpenLedger(context, own, "worker"));
  const auto names = SIBYL_TRY(RunNames(context, request.plans));
  // A worker that lacks a source would fail parts faster than others write them.
  SIBYL_TRY(RequireEverySource(context));
  // Once: a second call would take over the interrupt.
  const std::stop_token stop =
      context.catch_interrupt ? context.catch_interrupt() : std::stop_token();
  PlanSource source(context, own, *ledger, names);
  std::optional<PartLogs> logs;
  if (!request.part_logs.empty()) {
    logs.emplace(
        SIBYL_TRY(PartLogs::Open(context.working_folder / request.part_logs, context.clock)));
  }
  const auto tell = [&context, &logs](const runner::ServedJob& job) {
    if (logs) logs->Write(job);
    const std::string line = Line(job);
    if (context.progress && !line.empty()) context.progress(line);
  };
  const auto waits = [&context](const runner::RunInfo& run, const std::string& what) {
    if (context.progress) context.progress(fmt::format("{}: {}", run.name, what));
  };
  const runner::ServeOptions options{.jobs = request.jobs,
                                     .stop = stop,
                                     .max_jobs = request.max_parts,
                                     .until_idle = request.until_idle,
                                     .listener = tell,
                                     .waits = waits};
  WorkerResult result;
  if (ledger->moved_aside()) {
    result.findings.push_back(MovedAside("the journal", *ledger->moved_aside()));
  }
  result.report = SIBYL_TRY(runner::ServeRuns(*ledger, source, options));
  for (Finding& finding : source.TakeFindings()) result.findings.push_back(std::move(finding));
  const std::size_t taken = result.report.done + result.report.failed;
  const bool is_enough = request.max_parts && taken >= *request.max_parts;
  if (!source.HasRefused() || is_enough || stop.stop_requested()) return result;
  // Of the inputs of this machine, which are wrong until somebody changes them.
  if (taken == 0) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = result.findings.back().message,
                 .hint = result.findings.back().hint};
  }
  result.is_complete = false;
  return result;
}

}  // namespace sibyl::expansion
