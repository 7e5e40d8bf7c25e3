// SPDX-License-Identifier: Apache-2.0
#include <iterator>

#include "engine/arguments.h"
#include "engine/judgement_json.h"
#include "engine/outcome.h"
#include "engine/plan/plan_findings.h"
#include "engine/plan/plan_operations.h"
#include "engine/plan/plan_premises.h"
#include "engine/text/render.h"
#include "gate/rules.h"
#include "oracle/context.h"
#include "oracle/oracle.h"
#include "oracle/plan_file.h"
#include "oracle/source_index.h"
#include "plan/check.h"
#include "plan/plan.h"
#include "statement/judgement_finding.h"

namespace sibyl::engine {
namespace {

// Errors where the sources disagree; undecidable points are not findings.
Status AddPremises(const oracle::Context& context, const oracle::PlanFile& file,
                   const plan::Plan& plan, std::vector<Finding>& findings) {
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const evidence::Lock lock = SIBYL_TRY(evidence::ReadLock(around));
  const oracle::SourceIndexes indexes = SIBYL_TRY(oracle::OpenSourceIndexes(lock, around));
  const std::vector<statement::Judgement> judged =
      SIBYL_TRY(JudgePremises(file, plan, indexes, around));
  for (const statement::Judgement& judgement : judged) {
    if (judgement.Fails())
      findings.push_back(statement::FindingOf(judgement, statement::Reasons::kLeftOut));
  }
  findings.insert(findings.end(), indexes.findings.begin(), indexes.findings.end());
  return {};
}

Result<Outcome> RunPlanCheck(const oracle::Context& context, const Arguments& arguments) {
  Outcome outcome;
  Json files = Json::array();
  for (const std::string& argument : arguments.All("plan")) {
    const oracle::PlanFile file = SIBYL_TRY(oracle::ReadPlan(context, argument));
    const plan::LoadedPlan loaded = plan::Parse(file.name, file.text);
    std::vector<Finding> found = FindMistakes(context, file, loaded);
    if (arguments.Has("premises")) {
      const Status added = AddPremises(context, file, loaded.plan, found);
      if (!added.ok()) return added.error();
    }
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
  const auto checks = plan::CheckRules();
  std::vector<Rule> rules(checks.begin(), checks.end());
  rules.push_back({.code = "struct/unread", .meaning = "the oracle has too many files to list"});
  for (const Rule& rule : gate::TextRules()) rules.push_back(rule);
  for (const Rule& rule : oracle::SourceIndexRules()) rules.push_back(rule);
  return rules;
}

constexpr Parameter kPlanCheckParameters[] = {
    {.name = "plan",
     .value_name = "PLAN",
     .help = "a plan, or a folder with an ingestion.md",
     .kind = ParameterKind::kPositional,
     .type = ValueType::kPath,
     .required = true,
     .repeated = true},
    {.name = "premises",
     .help = "check the points against the pinned sources, as audit does",
     .kind = ParameterKind::kFlag},
};

}  // namespace

constexpr Operation kPlanCheck = {
    .name = "plan check",
    .summary = "find mistakes in plans",
    .description =
        R"(Reads plans and reports inconsistencies: budgets that do not add up, two parts that write the same
file, numbers already in use, a part ticked while its items are open, totals that do not match the
parts, references to files that do not exist. Each finding has a code, a line, a message and, where
possible, a correction.

Only errors make the exit status 1; warnings and notes do not. Checks that depend on an oracle
(numbers in use, files to be read) run if there is one: the one given with `-C`, the nearest folder
with a `sibyl.toml`, or the folder whose `_ingest-auto/` contains the plan.

With `--premises` the points are also checked against the pinned sources, so that a wrong premise (a
variable that nothing reads, an abbreviation expanded wrongly) is found before it is researched.

  sibyl plan check --sarif plans/*.md > plans.sarif)",
    .parameters = kPlanCheckParameters,
    .effects = {.reads = true},
    .rules = PlanRules,
    .reports_findings = true,
    .tool = {.name = "plan_check", .is_read_only = true, .is_idempotent = true},
    .run = RunPlanCheck,
    .render = RenderPlanCheck,
};

}  // namespace sibyl::engine
