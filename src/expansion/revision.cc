// SPDX-License-Identifier: Apache-2.0
#include "expansion/revision.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <set>
#include <utility>

#include "base/files/root.h"
#include "base/hash.h"
#include "base/strings.h"
#include "draft/agent/page_sections.h"
#include "draft/agent/point_text.h"
#include "draft/extract/gather.h"
#include "evidence/lock.h"
#include "expansion/agent_work.h"
#include "expansion/ledger/open_ledger.h"
#include "expansion/oracle_plans.h"
#include "oracle/argument_file.h"
#include "oracle/citation_sources.h"
#include "oracle/oracle.h"
#include "oracle/plan_file.h"
#include "runner/snapshot.h"

namespace sibyl::expansion {
namespace {

constexpr std::string_view kPrefix = "revise:";
constexpr std::size_t kLongestPage = std::size_t{64} << 20;

// How well a page fits a part: as many plans may have written it as it was
// published. First its sections, then how many points of either the other has.
struct Fit {
  bool has_sections = false;
  int points = 0;

  auto operator<=>(const Fit&) const = default;  // NOLINT(modernize-use-nullptr)
};

Fit FitOf(const std::string& page, const plan::Part& part) {
  const evidence::Lock none;
  Fit fit{.has_sections = draft::SplitPage(page, {.part = part, .lock = none}).ok()};
  std::set<std::string> on_page;
  for (const std::string_view line : SplitLines(page)) {
    if (line.starts_with("## ")) break;
    if (!line.starts_with("| ")) continue;
    on_page.insert(draft::FoldedPoint(line.substr(2, line.find(" | ") - 2)));
  }
  for (const plan::Section& section : draft::SectionsOf(part)) {
    for (const plan::Text& point : section.points) {
      fit.points += on_page.erase(draft::FoldedPoint(point.text)) > 0 ? 1 : -1;
    }
  }
  fit.points -= static_cast<int>(on_page.size());
  return fit;
}

runner::RunSpec SpecOf(const PublishedPage& page) {
  runner::RunSpec spec{.name = RevisionName(page.path), .fingerprint = page.hash()};
  spec.jobs.push_back({.name = page.path, .fingerprint = page.hash()});
  spec.last = runner::LastJob{.name = "publish"};
  return spec;
}

}  // namespace

std::string RevisionName(std::string_view page) { return std::string(kPrefix) + std::string(page); }

std::optional<std::string> RevisedBy(std::string_view run) {
  if (!run.starts_with(kPrefix)) return std::nullopt;
  return std::string(run.substr(kPrefix.size()));
}

std::string PublishedPage::hash() const { return Sha256(text); }

Result<std::optional<std::string>> PageNamed(const oracle::Context& context,
                                             std::string_view argument) {
  const oracle::ArgumentFile file = SIBYL_TRY(oracle::ArgumentFile::Find(context, argument));
  const std::optional<std::string>& path = file.in_oracle();
  const bool may_be = path && path->ends_with(".md") && !file.IsFolder() && file.Exists() &&
                      !path->starts_with(std::string(oracle::kPlanFolder) + "/");
  if (!may_be) return std::optional<std::string>();
  const std::string text = SIBYL_TRY(file.Read({.max_bytes = kLongestPage}));
  if (!plan::Parse(*path, text).plan.parts.empty()) return std::optional<std::string>();
  return path;
}

Result<PublishedPage> FindPublished(const oracle::Context& context, std::string_view page) {
  const Root oracle = SIBYL_TRY(oracle::OpenOracle(context));
  Result<std::string> text = oracle.Read(page, {.max_bytes = kLongestPage});
  if (!text.ok()) return While(fmt::format("revising {}", page), std::move(text).error());
  PublishedPage found{.path = std::string(page), .text = *std::move(text)};
  std::optional<Fit> best;
  for (OraclePlan& plan : ReadPlans(oracle)) {
    for (std::size_t i = 0; i < plan.plan.parts.size(); ++i) {
      if (plan.plan.parts[i].target != page) continue;
      const Fit fit = FitOf(found.text, plan.plan.parts[i]);
      if (best && fit < *best) continue;
      best = fit;
      found.plan_path = plan.path;
      found.plan_text = plan.text;
      found.plan = plan.plan;
      found.place = i;
    }
  }
  if (found.plan_path.empty()) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("revising {}: no plan in {} has written it", page,
                                        oracle::kPlanFolder),
                 .hint = "a page is revised by the sections and points of its plan"};
  }
  return found;
}

Result<std::vector<draft::AgentSection>> SectionsOfPage(const oracle::Context& context,
                                                        const PublishedPage& page) {
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const evidence::Lock lock = SIBYL_TRY(evidence::ReadLock(around));
  const auto citations = SIBYL_TRY(oracle::CitationSources::Open(context, lock, around));
  return draft::SplitPage(page.text,
                          {.part = page.part(), .lock = lock, .find_place = citations->places()});
}

Result<std::unique_ptr<Revision>> Revision::Begin(const oracle::Context& context,
                                                  std::string_view page) {
  OwnFolder own = SIBYL_TRY(oracle::OpenOwnFolder(context));
  std::unique_ptr<runner::Ledger> ledger = SIBYL_TRY(OpenLedger(context, own));
  PublishedPage found = SIBYL_TRY(FindPublished(context, page));
  std::unique_ptr<Revision> revision(
      new Revision(std::move(own), std::move(ledger), std::move(found)));
  SIBYL_TRY(revision->Join(context));
  return revision;
}

Status Revision::Join(const oracle::Context& context) {
  const runner::RunSpec spec = SpecOf(page_);
  queue_ = SIBYL_TRY(runner::JobQueue::FindOpen(*ledger_, spec.name));
  runner::Existing existing = runner::Existing::kJoin;
  if (queue_) {
    SIBYL_TRY(FreeLostParts(context, *ledger_, *queue_));
    const std::vector<runner::JobRow> rows = SIBYL_TRY(Rows());
    const bool is_based_on_it = !rows.empty() && rows[0].fingerprint == page_.hash();
    const bool is_held = !rows.empty() && rows[0].state == runner::JobState::kRunning;
    const bool has_failed = !rows.empty() && rows[0].state == runner::JobState::kFailed;
    if ((is_based_on_it && !has_failed) || is_held) return {};
    existing = runner::Existing::kRestart;
  }
  queue_ = SIBYL_TRY(runner::JobQueue::Begin(*ledger_, spec, existing));
  return {};
}

Result<std::vector<runner::JobRow>> Revision::Rows() {
  std::vector<runner::JobRow> rows = SIBYL_TRY(queue_->Jobs());
  std::erase_if(rows, [](const runner::JobRow& row) { return row.is_last; });
  return rows;
}

Result<std::vector<RevisionState>> OpenRevisions(const oracle::Context& context,
                                                 const plan::Plan& plan) {
  std::vector<RevisionState> open;
  for (const plan::Part& part : plan.parts) {
    const auto run = ReadOpenRun(context, RevisionName(part.target));
    if (!run.ok()) return open;  // no journal, or not ours: nothing is open
    if (!*run) continue;
    for (const runner::JobRow& row : (*run)->jobs) {
      if (!row.is_last) open.push_back({.page = part.target, .row = row});
    }
  }
  return open;
}

}  // namespace sibyl::expansion
