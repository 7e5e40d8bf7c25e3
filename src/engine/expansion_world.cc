// SPDX-License-Identifier: Apache-2.0
#include "engine/expansion_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/strings.h"
#include "engine/model_access.h"
#include "engine/oracle.h"
#include "engine/oracle_markdown.h"
#include "evidence/evidence.h"

namespace sibyl::engine {
namespace {

// Changed when the same inputs would give another page.
constexpr std::string_view kWriterVersion = "extract 1";

void Cap(const std::optional<std::size_t>& most, plan::Plan& plan) {
  if (!most) return;
  for (plan::Part& part : plan.parts) {
    part.line_budget = std::min(part.line_budget.value_or(*most), *most);
  }
}

}  // namespace

std::string ProgramName() { return "sibyl " SIBYL_RELEASE; }

std::vector<draft::KnowledgeFile> ReadKnowledge(const Context& context) {
  std::vector<draft::KnowledgeFile> files;
  Result<OracleMarkdown> markdown = ReadOracleMarkdown(context);
  if (!markdown.ok()) return files;  // an oracle without pages knows nothing yet
  for (verify::PageText& page : markdown->pages) {
    const std::string name = std::filesystem::path(page.path).filename().string();
    if (name == "INDEX.md" || name == "SKILL.md" || name == "README.md") continue;
    files.push_back({.path = std::move(page.path), .text = std::move(page.text)});
  }
  return files;
}

Result<PlannedWork> PlanWork(const Context& context, const ExpandRequest& request, Intake intake) {
  PlannedWork work{.file = SIBYL_TRY(TakeInPlan(context, request.plan, intake))};
  work.plan = plan::Parse(work.file.name, work.file.text).plan;
  Cap(request.max_lines, work.plan);
  const std::filesystem::path oracle = SIBYL_TRY(RequireOracle(context));
  work.choices = ChooseParts(work.plan, {.oracle = oracle,
                                         .plan_name = work.file.name,
                                         .plan_text_view = work.file.text,
                                         .numbers = request.numbers,
                                         .existing = request.existing});
  return work;
}

ExpansionWorld::ExpansionWorld(SourceIndexes indexes, evidence::Lock lock,
                               verify::CitationResolver resolver)
    : indexes_(std::move(indexes)),
      searcher_(indexes_.Borrow()),
      lock_(std::move(lock)),
      resolver_(std::move(resolver)) {}

Result<std::unique_ptr<ExpansionWorld>> ExpansionWorld::Open(const Context& context,
                                                             const PlannedWork& work,
                                                             ModelAccess* models, Pinned pinned) {
  const evidence::Surroundings around = SIBYL_TRY(EvidenceAround(context));
  evidence::Lock lock = SIBYL_TRY(evidence::ReadLock(around));
  SourceIndexes indexes;
  if (!lock.pins.empty() || pinned == Pinned::kSomething) {
    indexes = SIBYL_TRY(OpenSourceIndexes(around));
  }
  verify::CitationResolver resolver = verify::CitationResolver::Open(lock, around);
  std::unique_ptr<ExpansionWorld> world(
      new ExpansionWorld(std::move(indexes), std::move(lock), std::move(resolver)));
  world->knowledge_ = ReadKnowledge(context);
  // The parts of one run do not know of each other, whichever is published first:
  // two processes that run them must come to the same.
  std::erase_if(world->knowledge_, [&](const draft::KnowledgeFile& file) {
    return std::any_of(
        work.choices.parts.begin(), work.choices.parts.end(), [&](const ChosenPart& part) {
          return part.state == PartState::kRuns && work.plan.parts[part.place].target == file.path;
        });
  });
  world->plan_lines_ = SplitLines(work.file.text);
  const std::string writer =
      models == nullptr ? std::string(kWriterVersion) : models->Fingerprint();
  std::string common =
      fmt::format("{}\n{}\n{}\n{}\n", writer, ProgramName(), work.plan.title, work.plan.topic);
  common += evidence::FormatLock(world->lock_);
  for (const draft::KnowledgeFile& file : world->knowledge_) {
    common += fmt::format("{}\n{}\n", file.path, Sha256(file.text));
  }
  world->common_fingerprint_ = Sha256(common);
  world->parts_.emplace(PartWorld{.plan = work.plan,
                                  .searcher = world->searcher_,
                                  .lock = world->lock_,
                                  .knowledge = world->knowledge_,
                                  .resolver = world->resolver_,
                                  .oracle = around.oracle,
                                  .program = ProgramName(),
                                  .time = context.clock.WrittenNow(),
                                  .models = models});
  return world;
}

std::string ExpansionWorld::Fingerprint(const plan::Part& part) const {
  std::string text = fmt::format("{}\n{}\n", common_fingerprint_, part.line_budget.value_or(0));
  for (std::size_t line = part.line; line >= 1 && line <= part.last_line; ++line) {
    if (line > plan_lines_.size()) break;
    text += plan_lines_[line - 1];
    text += '\n';
  }
  return Sha256(text);
}

runner::RunSpec NameJobs(const PlannedWork& work, const ExpansionWorld& world) {
  runner::RunSpec spec{.name = work.file.path};
  std::string all = work.file.text;
  for (const ChosenPart& chosen : work.choices.parts) {
    if (chosen.state != PartState::kRuns) continue;
    const plan::Part& part = work.plan.parts[chosen.place];
    std::string fingerprint = world.Fingerprint(part);
    all += fingerprint;
    spec.jobs.push_back({.name = part.target, .fingerprint = std::move(fingerprint)});
  }
  spec.fingerprint = Sha256(all);
  spec.last = runner::LastJob{.name = "publish"};
  return spec;
}

}  // namespace sibyl::engine
