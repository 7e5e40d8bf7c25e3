// SPDX-License-Identifier: Apache-2.0
// The request for an expansion, and the parts of the plan to run.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "expansion/model/model_access.h"
#include "expansion/part_choice.h"
#include "expansion/plan_intake.h"
#include "expansion/web_research.h"
#include "library/library.h"
#include "oracle/context.h"
#include "plan/plan.h"
#include "runner/runner.h"

namespace sibyl::expansion {

/// The command that made a request, to be repeated; for hints.
struct ExpandCommand {
  std::string begin = "sibyl expand";  ///< "sibyl -C ../oracle expand"
  std::string writer;                  ///< " --writer llm --max-cost 5"
  std::string options;                 ///< The others: " --part 3 --push"

  std::string Again(std::string_view plan) const { return With(plan, writer); }
  std::string Restarting(std::string_view plan) const { return Again(plan) + " --restart"; }
  /// With another writer.
  std::string With(std::string_view plan, std::string_view other_writer) const;
};

struct ExpandRequest {
  std::string plan;          ///< As it was named.
  std::vector<int> numbers;  ///< Only these parts; empty: all.
  std::size_t jobs = 1;
  std::optional<std::chrono::milliseconds> max_time;
  std::optional<std::chrono::milliseconds> max_part_time;
  std::optional<ModelRequest> model;     ///< A model writes, within these ceilings.
  std::optional<std::size_t> max_lines;  ///< Per file, whatever the plan says.
  WebPermission web;                     ///< Whether and how much the web may be used.
  library::ExistingFile existing = library::ExistingFile::kRefuse;
  library::Committing committing = library::Committing::kCommit;
  bool is_pushed = false;  ///< Published in a clone, and pushed (library/remote/push.h).
  runner::Existing journalled = runner::Existing::kResume;
  ExpandCommand command = {};
  std::string message;            ///< The first line of the commit; empty: the usual one.
  library::Disk* disk = nullptr;  ///< Null is the real one. Borrowed.
};

struct PlannedWork {
  ImportedPlan file;
  plan::Plan plan;  ///< With the ceilings of the request.
  PartChoices choices;
};

/// Reads the plan and determines which of its parts to run.
Result<PlannedWork> PlanWork(const oracle::Context& context, const ExpandRequest& request,
                             Intake intake);

}  // namespace sibyl::expansion
