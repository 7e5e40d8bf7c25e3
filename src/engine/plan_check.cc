// SPDX-License-Identifier: Apache-2.0
#include <iterator>

#include "engine/arguments.h"
#include "engine/context.h"
#include "engine/outcome.h"
#include "engine/plan_file.h"
#include "engine/plan_findings.h"
#include "engine/plan_operations.h"
#include "plan/check.h"
#include "plan/plan.h"

namespace sibyl::engine {
namespace {

Result<Outcome> RunPlanCheck(const Context& context, const Arguments& arguments) {
  Outcome outcome;
  Json files = Json::array();
  for (const std::string& argument : arguments.All("plan")) {
    const PlanFile file = SIBYL_TRY(ReadPlan(context, argument));
    std::vector<Finding> found = FindMistakes(context, file, plan::Parse(file.name, file.text));
    files.push_back(file.name);
    outcome.findings.insert(outcome.findings.end(), std::make_move_iterator(found.begin()),
                            std::make_move_iterator(found.end()));
  }
  const FindingCounts counts = CountFindings(outcome.findings);
  outcome.data = {
      {"files", std::move(files)},
      {"counts",
       {{"errors", counts.errors}, {"warnings", counts.warnings}, {"notes", counts.notes}}}};
  outcome.holds = counts.errors == 0;
  return outcome;
}

std::vector<Rule> PlanRules() {
  std::vector<Rule> rules;
  for (const plan::CheckRule& rule : plan::CheckRules()) {
    rules.push_back({.code = rule.code, .meaning = rule.meaning});
  }
  return rules;
}

constexpr Parameter kParameters[] = {
    {.name = "plan",
     .value_name = "PLAN",
     .help = "a plan, or a folder with an ingestion.md",
     .kind = ParameterKind::kPositional,
     .type = ValueType::kPath,
     .required = true,
     .repeated = true},
};

}  // namespace

constexpr Operation kPlanCheck = {
    .name = "plan check",
    .summary = "find the mistakes in plans",
    .description =
        R"(Reads plans and says what does not fit together: budgets that do not add up, two parts that write
one file, numbers that are taken, a part ticked while its items are open, totals that the parts do
not make up, references to files that do not exist. Each finding has a code, a line, a sentence and,
where there is one, what would be right.

Only errors make the exit status 1; warnings and notes do not. What depends on an oracle (numbers
that are taken, files to be read) is checked when there is one: that of `-C`, the nearest folder
with a `sibyl.toml`, or the folder whose `_ingest-auto/` has the plan.

  sibyl plan check --sarif plans/*.md > plans.sarif)",
    .parameters = kParameters,
    .effects = {.reads = true},
    .rules = PlanRules,
    .answers_sarif = true,
    .run = RunPlanCheck,
};

}  // namespace sibyl::engine
