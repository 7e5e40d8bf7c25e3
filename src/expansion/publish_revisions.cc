// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <utility>

#include "evidence/lock.h"
#include "expansion/agent_run.h"
#include "expansion/agent_work.h"
#include "expansion/draft_payload.h"
#include "expansion/ledger/open_ledger.h"
#include "expansion/publishable.h"
#include "expansion/revision.h"
#include "oracle/citation_sources.h"
#include "oracle/oracle.h"

namespace sibyl::expansion {
namespace {

using runner::JobRow;
using runner::JobState;

class RevisionPublisher {
 public:
  RevisionPublisher(const oracle::Context& context, const RevisionRequest& request, OwnFolder own,
                    std::unique_ptr<runner::Ledger> ledger)
      : context_(context),
        request_(request),
        own_(std::move(own)),
        ledger_(std::move(ledger)),
        publishing_{.own = own_, .clock = context.clock, .disk = request.disk} {}

  Result<std::optional<ExpansionResult>> Run() {
    library::Pending found = SIBYL_TRY(FinishEarlierPublication(publishing_, *ledger_));
    result_.findings = std::move(found.findings);
    SIBYL_TRY(ReadWork());
    std::vector<SubmittedPage> pages = SIBYL_TRY(Submitted());
    if (pages.empty() && !has_submitted_) return std::optional<ExpansionResult>();
    SIBYL_TRY(Publish(pages));
    return std::optional(std::move(result_));
  }

 private:
  // The plan of the page, or the plan itself.
  Status ReadWork() {
    std::string plan = request_.plan;
    const std::optional<std::string> page = SIBYL_TRY(PageNamed(context_, request_.plan));
    if (page) {
      const Root& oracle = own_.oracle();
      plan = oracle.Shown(SIBYL_TRY(FindPublished(context_, *page)).plan_path).string();
      only_ = page;
    }
    result_.work = SIBYL_TRY(PlanWork(context_, {.plan = plan}, Intake::kLook));
    return {};
  }

  Result<std::vector<SubmittedPage>> Submitted() {
    std::vector<SubmittedPage> pages;
    const plan::Plan& plan = result_.work.plan;
    for (std::size_t i = 0; i < plan.parts.size(); ++i) {
      const std::string& target = plan.parts[i].target;
      if (only_ && *only_ != target) continue;
      auto queue = SIBYL_TRY(runner::JobQueue::FindOpen(*ledger_, RevisionName(target)));
      if (!queue) continue;
      SIBYL_TRY(FreeLostParts(context_, *ledger_, *queue));
      for (const JobRow& row : SIBYL_TRY(queue->Jobs())) {
        if (row.is_last || row.state != JobState::kDone) continue;
        has_submitted_ = true;
        bases_[target] = row.fingerprint;
        draft::Draft draft = SIBYL_TRY(ParseDraft(row.payload));
        pages.push_back(
            {.part = i, .draft = std::move(draft), .existing = library::ExistingFile::kReplace});
      }
    }
    return pages;
  }

  Status Publish(const std::vector<SubmittedPage>& pages) {
    const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context_));
    const evidence::Lock lock = SIBYL_TRY(evidence::ReadLock(around));
    const auto citations = SIBYL_TRY(oracle::CitationSources::Open(context_, lock, around));
    const PlannedWork& work = result_.work;
    Publishable chosen = SIBYL_TRY(ChoosePublishable(pages, {.citations = *citations,
                                                             .oracle = own_.oracle(),
                                                             .plan = work.plan,
                                                             .plan_name = work.file.name}));
    for (Finding& finding : chosen.findings) result_.findings.push_back(std::move(finding));
    SIBYL_TRY(DropOutdated(chosen.delivered));
    if (chosen.delivered.empty()) return {};
    library::Publication publication{.plan = work.file.path,
                                     .plan_text = work.file.text,
                                     .delivered = std::move(chosen.delivered),
                                     .is_partial = true,
                                     .is_revision = true,
                                     .message = request_.message};
    result_.published = SIBYL_TRY(library::Publish(publication, publishing_));
    for (const library::PublishedFile& file : result_.published.files) SIBYL_TRY(End(file.path));
    return {};
  }

  // A page that has the revised text was published by a process that was killed
  // before it could end the run; one with another text than it was claimed with
  // is not overwritten.
  Status DropOutdated(std::vector<library::DeliveredPart>& delivered) {
    std::vector<library::DeliveredPart> kept;
    for (library::DeliveredPart& part : delivered) {
      const std::string& path = part.file.draft().path;
      const PublishedPage page = SIBYL_TRY(FindPublished(context_, path));
      if (page.text == part.file.draft().text) {
        SIBYL_TRY(End(path));
      } else if (page.hash() == bases_[path]) {
        kept.push_back(std::move(part));
      } else {
        result_.findings.push_back(
            {.severity = Severity::kError,
             .code = "part/changed",
             .message = fmt::format("{} was changed after its revision was claimed; it was not "
                                    "replaced",
                                    path),
             .hint = "claim it again with claim_part: the drafts are then made from its new text",
             .place = {.file = path}});
      }
    }
    delivered = std::move(kept);
    return {};
  }

  Status End(const std::string& page) {
    return ledger_->FinishRun(RevisionName(page), library::FormatPublished(result_.published));
  }

  const oracle::Context& context_;
  const RevisionRequest& request_;
  OwnFolder own_;
  std::unique_ptr<runner::Ledger> ledger_;
  library::PublishOptions publishing_;
  std::optional<std::string> only_;           // one page, not all of the plan
  std::map<std::string, std::string> bases_;  // hashes of the pages as they were claimed
  bool has_submitted_ = false;
  ExpansionResult result_;
};

}  // namespace

Result<std::optional<ExpansionResult>> PublishRevisions(const oracle::Context& context,
                                                        const RevisionRequest& request) {
  OwnFolder own = SIBYL_TRY(oracle::OpenOwnFolder(context));
  std::unique_ptr<runner::Ledger> ledger = SIBYL_TRY(OpenLedger(context, own));
  return RevisionPublisher(context, request, std::move(own), std::move(ledger)).Run();
}

}  // namespace sibyl::expansion
