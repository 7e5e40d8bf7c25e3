// SPDX-License-Identifier: Apache-2.0
// All that an expansion reads: the plan, the pins and their indexes, and what
// the oracle knows already. Opened once, then only read.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "draft/known.h"
#include "engine/context.h"
#include "engine/expansion.h"
#include "engine/part_choice.h"
#include "engine/part_job.h"
#include "engine/plan_intake.h"
#include "engine/source_index.h"
#include "index/rank/searcher.h"
#include "plan/plan.h"
#include "verify/resolver.h"

namespace sibyl::engine {

struct PlannedWork {
  IntakenPlan file;
  plan::Plan plan;  ///< With the ceilings of the request.
  PartChoices choices;
};

/// Reads the plan and says which of its parts are run.
Result<PlannedWork> PlanWork(const Context& context, const ExpandRequest& request, Intake intake);

/// Whether there is a world without a pinned source: before the web was asked there is.
enum class Pinned { kSomething, kPerhapsNothing };

/// Not moved once it is made: its parts borrow each other.
class ExpansionWorld {
 public:
  /// `models`, when a model writes, is borrowed. kUsage when nothing is pinned and
  /// something must be.
  static Result<std::unique_ptr<ExpansionWorld>> Open(const Context& context,
                                                      const PlannedWork& work,
                                                      ModelAccess* models = nullptr,
                                                      Pinned pinned = Pinned::kSomething);

  const PartWorld& parts() const { return *parts_; }
  const std::vector<Finding>& findings() const { return indexes_.findings; }

  /// Of everything that a part's page depends on.
  std::string Fingerprint(const plan::Part& part) const;

 private:
  ExpansionWorld(SourceIndexes indexes, evidence::Lock lock, verify::CitationResolver resolver);

  SourceIndexes indexes_;
  index::Searcher searcher_;
  evidence::Lock lock_;
  std::vector<draft::KnowledgeFile> knowledge_;
  verify::CitationResolver resolver_;
  std::vector<std::string_view> plan_lines_;  // of the work it was opened for
  std::optional<PartWorld> parts_;
  std::string common_fingerprint_;
};

/// The run of this work in the journal: one job for each part that runs, and the
/// last one, which publishes. What they do is filled in by who runs them.
runner::RunSpec NameJobs(const PlannedWork& work, const ExpansionWorld& world);

/// Pages that say something: no indexes, no front page.
std::vector<draft::KnowledgeFile> ReadKnowledge(const Context& context);

/// "sibyl 0.1.0"
std::string ProgramName();

}  // namespace sibyl::engine
