// SPDX-License-Identifier: Apache-2.0
#include "expansion/expansion.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <utility>

#include "draft/extract/gather.h"
#include "expansion/agent_run.h"
#include "expansion/agent_work.h"
#include "expansion/draft_payload.h"
#include "expansion/expansion_inputs.h"
#include "expansion/ledger/ledger_budget.h"
#include "expansion/ledger/open_ledger.h"
#include "expansion/run_writer.h"
#include "library/remote/push.h"
#include "oracle/oracle.h"
#include "oracle/run_event.h"
#include "runner/ledger.h"
#include "runner/process_id.h"

namespace sibyl::expansion {
namespace {

using runner::JobOutcome;
using runner::JobState;

// The holder of a part that this run waits for; of an agent, which may have left
// it, also for how long, and how to release it.
std::string HeldBy(const runner::Event& event, std::string_view restart) {
  constexpr std::string_view kAgent = "agent:";
  const auto process = runner::ParseProcessId(event.holder);
  std::string who = process ? fmt::format("process {} on {}", process->number, process->host)
                            : fmt::format("'{}'", event.holder);
  if (event.holder.starts_with(kAgent)) {
    who = fmt::format("agent '{}'", event.holder.substr(kAgent.size()));
  }
  // Another worker of the run, which puts it back or is noticed when it is gone.
  if (process) return fmt::format("being written by {}", who);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(event.lease).count();
  return fmt::format(
      "held by {}; this run takes it over after {} s without a call from its holder, or at once "
      "after 'sibyl part release LEASE'; '{}' starts every part again",
      who, seconds, restart);
}

// The runner's events as those of an expansion.
class Announcer {
 public:
  Announcer(const oracle::Context& context, const PlannedWork& work, std::string restart)
      : context_(context), restart_(std::move(restart)) {
    for (const ChosenPart& chosen : work.choices.parts) {
      if (chosen.state != PartState::kRuns) continue;
      const plan::Part& part = work.plan.parts[chosen.place];
      places_[part.target] = parts_.size();
      parts_.push_back({.number = part.number,
                        .title = part.title,
                        .target = part.target,
                        .points = CountPoints(part)});
    }
  }

  void Begin(const std::vector<JobOutcome>& jobs) const {
    if (!context_.event) return;
    oracle::RunEvent begun{.moment = oracle::RunMoment::kBegun, .parts = parts_};
    for (const JobOutcome& job : jobs) {
      const auto place = places_.find(job.name);
      if (place == places_.end()) continue;
      std::optional<oracle::RunMoment>& outcome = begun.parts[place->second].outcome;
      if (job.state == JobState::kDone) outcome = oracle::RunMoment::kDelivered;
      if (job.state == JobState::kFailed) outcome = oracle::RunMoment::kFailed;
    }
    context_.event(begun);
  }

  void Tell(const runner::Event& event) const {
    if (!context_.event) return;
    if (event.is_last && event.kind != runner::EventKind::kStarted) return;
    oracle::RunEvent told{
        .moment = event.is_last ? oracle::RunMoment::kPublishing : MomentOf(event),
        .step = event.progress.step,
        .reason = event.reason,
        .attempt = event.attempt,
        .elapsed = event.elapsed,
        .run_elapsed = event.run_elapsed,
        .done = event.totals.done,
        .failed = event.totals.failed,
        .is_in_other_process = event.is_in_other_process};
    if (event.kind == runner::EventKind::kStarted && event.is_in_other_process && !event.is_last) {
      told.reason = HeldBy(event, restart_);
    }
    const auto place = places_.find(event.job);
    if (place != places_.end()) told.part = place->second;
    for (const runner::Figure& figure : event.progress.figures) {
      const auto value = static_cast<std::size_t>(figure.value);
      if (figure.name == "points") told.points = value;
      if (figure.name == "covered") told.covered = value;
      if (figure.name == "citations") told.citations = value;
      if (figure.name == "lines") told.lines = value;
    }
    context_.event(told);
  }

 private:
  static oracle::RunMoment MomentOf(const runner::Event& event) {
    switch (event.kind) {
      case runner::EventKind::kStarted:
        return oracle::RunMoment::kStarted;
      case runner::EventKind::kStep:
        return oracle::RunMoment::kStep;
      case runner::EventKind::kRetried:
        return oracle::RunMoment::kRetried;
      case runner::EventKind::kReleased:
        return oracle::RunMoment::kReleased;
      case runner::EventKind::kTick:
        return oracle::RunMoment::kTick;
      case runner::EventKind::kFinished:
        break;
    }
    if (event.state == JobState::kDone) return oracle::RunMoment::kDelivered;
    return event.state == JobState::kFailed ? oracle::RunMoment::kFailed
                                            : oracle::RunMoment::kReleased;
  }

  const oracle::Context& context_;
  std::string restart_;  // the command that begins again
  std::vector<oracle::RunPart> parts_;
  std::map<std::string, std::size_t, std::less<>> places_;  // of targets, among those that run
};

class Expansion {
 public:
  Expansion(const oracle::Context& context, const ExpandRequest& request, const OwnFolder& own)
      : context_(context),
        request_(request),
        publishing_{.own = own,
                    .clock = context.clock,
                    .committing = request.committing,
                    .disk = request.disk} {}

  Result<ExpansionResult> Run() {
    if (request_.is_pushed) SIBYL_TRY(library::FindPushTarget(publishing_));
    // The ledger first: a run that another process finishes from now on is
    // joined.
    const std::unique_ptr<runner::Ledger> opened =
        SIBYL_TRY(OpenLedger(context_, publishing_.own, "expand"));
    runner::Ledger& ledger = *opened;
    if (ledger.moved_aside()) {
      findings_.push_back(MovedAside("the journal", *ledger.moved_aside()));
    }
    std::optional<library::Published> pending = SIBYL_TRY(FinishEarlier(ledger));
    work_ = SIBYL_TRY(PlanWork(context_, request_, Intake::kCopy));
    // Existing files that the plan does not show as done: another process may
    // be publishing them. Then wait for it.
    constexpr int kMostLooks = 5;
    for (int look = 0; look < kMostLooks && !work_->choices.findings.empty(); ++look) {
      std::optional<library::Published> other = SIBYL_TRY(FinishEarlier(ledger));
      if (!other && IsPlanUnchanged()) break;
      if (other) pending = std::move(other);
      work_ = SIBYL_TRY(PlanWork(context_, request_, Intake::kCopy));
    }
    if (pending && IsOurs(*pending)) return Finish({}, *std::move(pending));
    if (pending) NotePending(*pending);
    if (work_->file.is_completed || work_->choices.running() == 0) {
      return Finish({}, {});
    }
    return RunWith(ledger);
  }

 private:
  Result<std::optional<library::Published>> FinishEarlier(runner::Ledger& ledger) {
    library::Pending found = SIBYL_TRY(FinishEarlierPublication(publishing_, ledger));
    for (Finding& finding : found.findings) findings_.push_back(std::move(finding));
    return std::move(found.published);
  }

  bool IsPlanUnchanged() const {
    const Result<std::string> text = publishing_.oracle().Read(work_->file.path);
    return text.ok() && *text == work_->file.text;
  }

  // Web pages are pinned before the inputs are opened: from then on they are
  // ordinary sources, and the run can be repeated offline.
  Status Research(const std::stop_token& stop) {
    if (!SIBYL_TRY(IsWebAllowed(context_, request_.web))) return {};
    SIBYL_TRY(CheckWebConsent(context_, request_.web));
    WebResearchRequest wanted{.plan = work_->plan,
                              .parts = {},
                              .file = work_->file.path,
                              .options = request_.web.limits,
                              .stop = stop};
    for (const ChosenPart& chosen : work_->choices.parts) {
      if (chosen.state != PartState::kRuns) continue;
      wanted.parts.push_back(&work_->plan.parts[chosen.place]);
    }
    web_ = SIBYL_TRY(ResearchOnWeb(context_, wanted));
    for (const Finding& finding : web_->findings) findings_.push_back(finding);
    return {};
  }

  Result<ExpansionResult> RunWith(runner::Ledger& ledger) {
    // Once per run: a second call would take over the interrupt.
    const std::stop_token stop =
        context_.catch_interrupt ? context_.catch_interrupt() : std::stop_token();
    SIBYL_TRY(ChooseJobs(ledger));  // refused before anything is spent
    SIBYL_TRY(Research(stop));
    if (request_.model) {
      models_ = SIBYL_TRY(ModelAccess::Open(context_, *request_.model, ModelEnvironment::Read()));
    }
    if (models_ != nullptr && ledger.holds_limits()) {
      models_->ShareBudget(
          std::make_unique<LedgerBudget>(SIBYL_TRY(ledger.Another()), work_->file.path));
    }
    inputs_ = SIBYL_TRY(ExpansionInputs::Open(context_, *work_, models_.get()));
    for (const Finding& finding : inputs_->findings()) findings_.push_back(finding);
    SIBYL_TRY(ChooseJobs(ledger));
    const runner::RunSpec spec = Spec();
    const Announcer announcer(context_, *work_, request_.command.Restarting(work_->file.name));
    const runner::RunOptions options{
        .jobs = request_.jobs,
        .stop = stop,
        .existing = HowToJoin(ledger),
        .max_time = request_.max_time,
        .max_job_time = request_.max_part_time,
        .joined = [&](const std::vector<JobOutcome>& jobs) { announcer.Begin(jobs); },
        .listener = [&](const runner::Event& event) { announcer.Tell(event); }};
    Result<runner::RunReport> ran = runner::RunJobs(ledger, spec, options);
    if (!ran.ok()) return WithWayOn(std::move(ran).error());
    runner::RunReport report = *std::move(ran);
    if (report.ending == runner::Ending::kInterrupted) return Interrupted(report);
    if (report.ending == runner::Ending::kLastFailed) return NotPublished(report);
    library::Published published;
    if (report.last && !report.last->payload.empty()) {
      published = SIBYL_TRY(library::ParsePublished(report.last->payload));
      NoteOtherPublisher(published);
    }
    SIBYL_TRY(library::Forget(publishing_));
    return Finish(JobsThatRan(std::move(report.jobs)), std::move(published));
  }

  // Parts of the open run that were published before the others are still its jobs.
  Status ChooseJobs(runner::Ledger& ledger) {
    rows_.clear();
    auto open = SIBYL_TRY(runner::JobQueue::FindOpen(ledger, work_->file.path));
    if (open && request_.journalled != runner::Existing::kRestart) rows_ = SIBYL_TRY(open->Jobs());
    running_ = PartsOfRun(*work_, rows_);
    if (HowToJoin(ledger) != runner::Existing::kResume) return {};
    return RequireSameWriter(rows_, request_, work_->file.name);
  }

  runner::Existing HowToJoin(runner::Ledger& ledger) const {
    const bool has_published =
        std::any_of(running_.begin(), running_.end(),
                    [](const ChosenPart* chosen) { return chosen->state != PartState::kRuns; });
    if (has_published) return runner::Existing::kJoin;
    return expansion::HowToJoin(ledger, work_->file.path, request_.journalled);
  }

  std::vector<JobOutcome> JobsThatRan(std::vector<JobOutcome> jobs) const {
    std::vector<JobOutcome> ran;
    for (std::size_t i = 0; i < jobs.size() && i < running_.size(); ++i) {
      if (running_[i]->state == PartState::kRuns) ran.push_back(std::move(jobs[i]));
    }
    return ran;
  }

  runner::RunSpec Spec() {
    runner::RunSpec spec = NameJobs(*work_, running_, *inputs_, rows_);
    if (models_ != nullptr) spec.limits = models_->limits();
    for (std::size_t i = 0; i < running_.size(); ++i) {
      const plan::Part& part = work_->plan.parts[running_[i]->place];
      spec.jobs[i].work = [this, &part](runner::JobContext& context) {
        return WriteOne(part, context);
      };
    }
    spec.last->work = [this](runner::JobContext&, const std::vector<JobOutcome>& outcomes) {
      Result<std::string> published = PublishAll(outcomes);
      has_published_ = published.ok();
      return published;
    };
    return spec;
  }

  Result<std::string> WriteOne(const plan::Part& part, runner::JobContext& context) const {
    const draft::Draft draft = SIBYL_TRY(WritePart(part, inputs_->parts(), context));
    return FormatDraft(draft);
  }

  // Drafts from other or earlier processes go through the gate again: a journal
  // is an ordinary file, and only the gate constructs a Verified.
  Result<std::string> PublishAll(const std::vector<JobOutcome>& outcomes) const {
    library::Publication publication{
        .plan = work_->file.path, .plan_text = work_->file.text, .message = request_.message};
    // Before the first page is checked: pages of one publication may link to each other.
    std::map<std::size_t, draft::Draft> drafts;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const bool is_ours = running_[i]->state == PartState::kRuns;
      if (!is_ours || outcomes[i].state != JobState::kDone) continue;
      drafts.emplace(i, SIBYL_TRY(ParseDraft(outcomes[i].payload)));
    }
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const ChosenPart& chosen = *running_[i];
      if (chosen.state != PartState::kRuns) continue;  // published before
      if (outcomes[i].state == JobState::kFailed) {
        // Nothing is kept of a part that failed before anything was written.
        Result<draft::Draft> kept = ParseDraft(outcomes[i].payload);
        publication.failed.push_back(
            {.part = chosen.place,
             .reason = outcomes[i].reason,
             .omissions = kept.ok() ? std::move(kept->omissions) : std::vector<draft::Omission>()});
      }
      if (outcomes[i].state != JobState::kDone) continue;
      const draft::Draft& draft = drafts.at(i);
      std::string writer = WriterOf(draft);
      oracle::CitationSources::Linkable linkable;
      for (const auto& [place, other] : drafts) {
        if (place != i) linkable.together.push_back(&other);
      }
      gate::Verified verified = SIBYL_TRY(PassGate(draft, inputs_->parts(), linkable));
      publication.delivered.push_back({.part = chosen.place,
                                       .file = std::move(verified),
                                       .writer = std::move(writer),
                                       .existing = chosen.existing});
    }
    if (publication.delivered.empty() && publication.failed.empty()) return std::string();
    if (!request_.is_pushed) {
      return library::FormatPublished(SIBYL_TRY(library::Publish(publication, publishing_)));
    }
    const auto state = SIBYL_TRY(oracle::OpenState(context_));
    return library::FormatPublished(
        SIBYL_TRY(library::PublishAndPush(publication, publishing_, state)));
  }

  // The plan and the pages are in its clone, and in ours after a pull.
  void NoteOtherPublisher(const library::Published& published) {
    if (has_published_) return;
    auto finding = library::FindPublishedElsewhere(published, publishing_.oracle());
    if (finding) findings_.push_back(*std::move(finding));
  }

  Error Interrupted(const runner::RunReport& report) const {
    std::size_t done = 0;
    for (const JobOutcome& job : report.jobs) done += job.state == JobState::kDone ? 1 : 0;
    return {.kind = ErrorKind::kCancelled,
            .message = fmt::format(
                "interrupted: {} of {} parts are written and kept; nothing has been published yet",
                done, report.jobs.size()),
            .hint = "to resume: " + Again()};
  }

  Error NotPublished(const runner::RunReport& report) const {
    return {.kind = ErrorKind::kUnavailable,
            .message = report.last ? report.last->reason : "publishing failed",
            .hint = "what was written is kept; fix the cause, then run: " + Again()};
  }

  // Of a ledger that is away.
  Error WithWayOn(Error error) const {
    if (error.kind != ErrorKind::kUnavailable || !error.message.starts_with("the ledger at ")) {
      return error;
    }
    if (!error.hint.empty()) error.hint += "; ";
    error.hint += "what was written is kept in the ledger; when it is back, run: " + Again();
    return error;
  }

  // The command that resumes this run.
  std::string Again() const { return request_.command.Again(work_->file.name); }

  bool IsOurs(const library::Published& published) const {
    return published.plan == work_->file.path || published.plan_now == work_->file.path;
  }

  void NotePending(const library::Published& published) {
    findings_.push_back(
        {.severity = Severity::kNote,
         .code = "expand/finished-earlier",
         .message =
             fmt::format("the interrupted publication of {} was completed first", published.plan),
         .place = {.file = published.plan_now}});
  }

  ExpansionResult Finish(std::vector<JobOutcome> jobs, library::Published published) {
    ExpansionResult result{.work = *std::move(work_),
                           .jobs = std::move(jobs),
                           .published = std::move(published),
                           .findings = std::move(findings_),
                           .web = std::move(web_)};
    if (models_ != nullptr) {
      result.model =
          ModelUse{.name = models_->writer().server().model, .spent = models_->budget().spent()};
    }
    return result;
  }

  const oracle::Context& context_;
  const ExpandRequest& request_;
  library::PublishOptions publishing_;
  std::optional<PlannedWork> work_;
  std::unique_ptr<ModelAccess> models_;
  std::unique_ptr<ExpansionInputs> inputs_;
  std::vector<const ChosenPart*> running_;  // as the jobs
  std::vector<runner::JobRow> rows_;        // of the run that is open
  std::vector<Finding> findings_;
  std::optional<WebResearch> web_;
  std::atomic<bool> has_published_ = false;  // this process, and not another one
};

}  // namespace

std::size_t CountPoints(const plan::Part& part) {
  std::size_t points = 0;
  for (const plan::Section& section : draft::SectionsOf(part)) points += section.points.size();
  return points;
}

Result<ExpansionResult> Expand(const oracle::Context& context, const ExpandRequest& request) {
  const OwnFolder own = SIBYL_TRY(oracle::OpenOwnFolder(context));
  return Expansion(context, request, own).Run();
}

}  // namespace sibyl::expansion
