// SPDX-License-Identifier: Apache-2.0
#include "expansion/planned_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "oracle/oracle.h"

namespace sibyl::expansion {
namespace {

void Cap(const std::optional<std::size_t>& most, plan::Plan& plan) {
  if (!most) return;
  for (plan::Part& part : plan.parts) {
    part.line_budget = std::min(part.line_budget.value_or(*most), *most);
  }
}

}  // namespace

std::string ExpandCommand::With(std::string_view plan, std::string_view other_writer) const {
  return fmt::format("{} {}{}{}", begin, plan, other_writer, options);
}

Result<PlannedWork> PlanWork(const oracle::Context& context, const ExpandRequest& request,
                             Intake intake) {
  PlannedWork work;
  work.file = SIBYL_TRY(ImportPlan(context, request.plan, intake));
  work.plan = plan::Parse(work.file.name, work.file.text).plan;
  Cap(request.max_lines, work.plan);
  const std::filesystem::path oracle = SIBYL_TRY(oracle::RequireOracle(context));
  work.choices = ChooseParts(work.plan, {.oracle = oracle,
                                         .plan_name = work.file.name,
                                         .plan_text_view = work.file.text,
                                         .numbers = request.numbers,
                                         .existing = request.existing});
  return work;
}

}  // namespace sibyl::expansion
