// SPDX-License-Identifier: Apache-2.0
#include "expansion/oracle_plans.h"

#include <filesystem>
#include <utility>

#include "oracle/plan_file.h"

namespace sibyl::expansion {
namespace {

constexpr std::size_t kMostPlanBytes = std::size_t{16} << 20;
constexpr std::size_t kMostFiles = 20'000;

bool MayBePlan(const RootEntry& entry) {
  const std::string name = std::filesystem::path(entry.name).filename().string();
  return entry.kind == FileKind::kFile && name.ends_with(".md") &&
         !name.starts_with("KNOWLEDGE-DROP");
}

}  // namespace

std::vector<OraclePlan> ReadPlans(const Root& oracle) {
  std::vector<OraclePlan> plans;
  if (!oracle.IsFolder(oracle::kPlanFolder)) return plans;
  const Result<Walked> walked = oracle.Walk(oracle::kPlanFolder, {.max_entries = kMostFiles});
  if (!walked.ok()) return plans;
  const std::string completed = std::string(oracle::kCompletedPlans) + "/";
  for (const RootEntry& entry : walked->entries) {
    if (!MayBePlan(entry)) continue;
    Result<std::string> text = oracle.Read(entry.name, {.max_bytes = kMostPlanBytes});
    if (!text.ok()) continue;
    OraclePlan plan{.path = entry.name,
                    .text = *std::move(text),
                    .is_completed = entry.name.starts_with(completed)};
    plan.plan = plan::Parse(plan.path, plan.text).plan;
    if (!plan.plan.parts.empty()) plans.push_back(std::move(plan));
  }
  return plans;
}

std::set<std::string, std::less<>> PlannedPages(const Root& oracle) {
  std::set<std::string, std::less<>> pages;
  for (const OraclePlan& plan : ReadPlans(oracle)) {
    if (plan.is_completed) continue;
    for (const plan::Part& part : plan.plan.parts) {
      const bool is_open = part.status != plan::PartStatus::kDisabled && !part.target.empty();
      if (is_open && !oracle.Exists(part.target)) pages.insert(part.target);
    }
  }
  return pages;
}

}  // namespace sibyl::expansion
