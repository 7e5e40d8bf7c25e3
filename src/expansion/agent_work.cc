// SPDX-License-Identifier: Apache-2.0
#include "expansion/agent_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/json.h"
#include "draft/extract/gather.h"
#include "expansion/draft_payload.h"
#include "expansion/ledger/open_ledger.h"
#include "expansion/revision.h"
#include "oracle/lease_monitor.h"
#include "oracle/oracle.h"
#include "oracle/plan_file.h"
#include "runner/process_id.h"
#include "runner/progress.h"

namespace sibyl::expansion {
namespace {

constexpr int kSectionsVersion = 1;
constexpr std::string_view kRenewed = "renewed";

// When its holder last used the lease, by the clock on the wall; nothing if the
// holder is a process, which is observed itself.
std::optional<Time> RenewedAt(const runner::JobRow& row) {
  for (const runner::Figure& figure : runner::ParseProgress(row.progress).figures) {
    if (figure.name == kRenewed) return Time(std::chrono::seconds(figure.value));
  }
  return std::nullopt;
}

bool IsOfAgents(const runner::JobRow& row) {
  if (row.is_last) return false;
  if (row.state == runner::JobState::kDone) {
    const Result<draft::Draft> draft = ParseDraft(row.payload);
    return draft.ok() && draft::WriterOf(*draft) == "agent";
  }
  return row.state == runner::JobState::kRunning &&
         (RenewedAt(row) || runner::ParseProgress(row.progress).step.starts_with("agent"));
}

}  // namespace

Error LeaseLost() {
  return {
      .kind = ErrorKind::kUnavailable,
      .message = "the lease is no longer valid: it expired, or the part was submitted or released",
      .hint = "claim the part again with claim_part; drafts are kept"};
}

bool IsLost(const oracle::Context& context, const std::string& ledger, std::int64_t run,
            const runner::JobRow& row) {
  if (row.state != runner::JobState::kRunning) return false;
  const auto holder = runner::ParseProcessId(row.holder);
  const bool is_gone = holder && runner::LifeOf(*holder) == runner::Life::kGone;
  if (row.is_expired) return *row.is_expired || is_gone;
  const runner::LeaseSign sign{.place = row.place, .token = row.token, .heartbeat = row.heartbeat};
  const bool is_stale = context.lease_monitor != nullptr &&
                        context.lease_monitor->IsStale(ledger, run, sign, row.lease);
  const std::optional<Time> renewed = RenewedAt(row);
  const bool is_over = !holder && renewed && context.clock.Now() - *renewed > row.lease;
  return is_gone || is_stale || is_over;
}

std::string AgentProgress(const Clock& clock, runner::Progress progress) {
  const auto now = clock.Now().time_since_epoch();
  progress.figures.push_back({.name = std::string(kRenewed), .value = now.count()});
  return runner::FormatProgress(progress);
}

Status FreeLostParts(const oracle::Context& context, runner::Ledger& ledger,
                     runner::JobQueue& queue) {
  constexpr runner::MostLosses kMost{.crashes = kMostAgentLosses, .expired = kMostAgentLosses};
  for (const runner::JobRow& row : SIBYL_TRY(queue.Jobs())) {
    if (!IsLost(context, ledger.place(), queue.run(), row)) continue;
    const runner::Loss loss =
        row.is_expired.value_or(false) ? runner::Loss::kExpired : runner::Loss::kCrashed;
    SIBYL_TRY(queue.Expire({.place = row.place, .token = row.token}, loss, kMost));
  }
  return {};
}

runner::Existing HowToJoin(runner::Ledger& ledger, std::string_view plan, runner::Existing asked) {
  if (asked != runner::Existing::kResume) return asked;
  Result<std::optional<runner::JobQueue>> queue = runner::JobQueue::FindOpen(ledger, plan);
  if (!queue.ok() || !*queue) return asked;
  const Result<std::vector<runner::JobRow>> rows = (*queue)->Jobs();
  const bool has_agents = rows.ok() && std::any_of(rows->begin(), rows->end(), IsOfAgents);
  return has_agents ? runner::Existing::kJoin : asked;
}

std::string FormatSections(const std::vector<draft::AgentSection>& sections) {
  Json json = {{"sibyl-sections", kSectionsVersion}, {"sections", Json::array()}};
  for (const draft::AgentSection& section : sections) {
    json["sections"].push_back({{"place", section.place}, {"text", section.text}});
  }
  return FormatJson(json, JsonLayout::kCompact);
}

std::vector<draft::AgentSection> ParseSections(std::string_view payload) {
  std::vector<draft::AgentSection> sections;
  const Result<Json> json = ParseJson(payload);
  if (!json.ok() || !json->is_object() ||
      json->value("sibyl-sections", Json()) != Json(kSectionsVersion)) {
    return sections;
  }
  const auto list = json->find("sections");
  if (list == json->end() || !list->is_array()) return sections;
  for (const Json& section : *list) {
    const bool is_one = section.is_object() && section.contains("place") &&
                        section["place"].is_number_unsigned() && section.contains("text") &&
                        section["text"].is_string();
    if (!is_one) continue;
    sections.push_back(
        {.place = section["place"].get<std::size_t>(), .text = section["text"].get<std::string>()});
  }
  std::sort(sections.begin(), sections.end(),
            [](const auto& a, const auto& b) { return a.place < b.place; });
  return sections;
}

Result<std::unique_ptr<HeldPart>> HeldPart::Open(const oracle::Context& context,
                                                 std::string_view lease) {
  const OwnFolder own = SIBYL_TRY(oracle::OpenOwnFolder(context));
  std::unique_ptr<runner::Ledger> ledger = SIBYL_TRY(OpenLedger(context, own));
  const AgentLease named = SIBYL_TRY(ParseLease(*ledger, lease));
  std::unique_ptr<HeldPart> held(new HeldPart(context.clock, std::move(ledger), named));
  SIBYL_TRY(held->Read(context));
  return held;
}

Status HeldPart::Read(const oracle::Context& context) {
  Result<std::string> name = queue_.OpenName();
  if (!name.ok() && name.error().kind == ErrorKind::kUnavailable) return LeaseLost();
  const std::string run = SIBYL_TRY(std::move(name));
  std::vector<runner::JobRow> rows = SIBYL_TRY(queue_.Jobs());
  if (lease_.lease.place >= rows.size()) return LeaseLost();
  row_ = std::move(rows[lease_.lease.place]);
  const bool is_held =
      row_.state == runner::JobState::kRunning || row_.state == runner::JobState::kDone;
  if (row_.token != lease_.lease.token || !is_held) return LeaseLost();
  lease_.lease.attempt = row_.attempts + 1;
  SIBYL_TRY(ReadPlan(context, run));
  for (const plan::Part& part : plan_.parts) {
    if (part.target == row_.name) part_ = &part;
  }
  if (part_ == nullptr) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("no part of the plan writes {} any more", row_.name),
                 .hint =
                     "the plan was edited: release the part with release_part, then claim it again "
                     "with claim_part"};
  }
  sections_ = draft::SectionsOf(*part_);
  drafted_ = ParseSections(row_.payload);
  std::erase_if(drafted_, [this](const auto& each) { return each.place >= sections_.size(); });
  return {};
}

Status HeldPart::ReadPlan(const oracle::Context& context, const std::string& run) {
  if (const std::optional<std::string> page = RevisedBy(run)) {
    PublishedPage published = SIBYL_TRY(FindPublished(context, *page));
    is_outdated_ = row_.fingerprint != published.hash();
    plan_path_ = std::move(published.plan_path);
    plan_ = std::move(published.plan);
    revised_ = std::move(published.text);
    return {};
  }
  plan_path_ = run;
  const std::filesystem::path oracle = SIBYL_TRY(oracle::RequireOracle(context));
  const oracle::PlanFile file =
      SIBYL_TRY(oracle::ReadPlan(context, (oracle / plan_path_).string()));
  plan_ = plan::Parse(file.name, file.text).plan;
  return {};
}

Status HeldPart::CheckRevised() const {
  if (!is_outdated_) return {};
  return Error{
      .kind = ErrorKind::kUsage,
      .message = fmt::format("{} was changed after it was claimed", row_.name),
      .hint =
          "release it with release_part, then claim it again with claim_part: its drafts are "
          "then made from the new text"};
}

Status HeldPart::Keep(const runner::Progress& progress) {
  const runner::Acceptance accepted = SIBYL_TRY(
      queue_.Keep(lease_.lease, FormatSections(drafted_), AgentProgress(clock_, progress)));
  if (accepted == runner::Acceptance::kRefused) return LeaseLost();
  return {};
}

}  // namespace sibyl::expansion
