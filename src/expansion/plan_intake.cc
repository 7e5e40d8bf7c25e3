// SPDX-License-Identifier: Apache-2.0
#include "expansion/plan_intake.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/files/root.h"
#include "library/plan_folder.h"
#include "oracle/argument_file.h"
#include "oracle/oracle.h"
#include "oracle/plan_file.h"
#include "plan/plan.h"
#include "plan/starter.h"

namespace sibyl::expansion {
namespace {

namespace fs = std::filesystem;

bool SamePoints(const plan::Section& a, const plan::Section& b) {
  return a.title == b.title &&
         std::equal(a.points.begin(), a.points.end(), b.points.begin(), b.points.end(),
                    [](const plan::Text& x, const plan::Text& y) { return x.text == y.text; });
}

// Ignores marks and notes that were added to one of them.
bool HaveSamePoints(std::string_view one, std::string_view other) {
  const plan::Plan a = plan::Parse("plan", one).plan;
  const plan::Plan b = plan::Parse("plan", other).plan;
  return std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(),
                    [](const plan::Part& x, const plan::Part& y) {
                      return x.number == y.number && x.target == y.target &&
                             std::equal(x.sections.begin(), x.sections.end(), y.sections.begin(),
                                        y.sections.end(), SamePoints);
                    });
}

std::optional<ImportedPlan> Completed(const oracle::Context& context, const Root& oracle,
                                      const std::string& path) {
  Result<std::string> text = oracle.Read(path);
  if (!text.ok()) return std::nullopt;
  return ImportedPlan{.path = path,
                      .name = oracle::ShownPath(context, oracle.Shown(path)).string(),
                      .text = *std::move(text),
                      .is_completed = true};
}

// Finds a plan of the oracle that was moved when it was completed.
std::optional<ImportedPlan> MovedPlan(const oracle::Context& context, const Root& oracle,
                                      const oracle::ArgumentFile& wanted,
                                      std::string_view argument) {
  if (wanted.Exists()) return std::nullopt;
  // A file that is not there is named from the working folder, which may be outside.
  const std::string path =
      wanted.in_oracle().value_or(fs::path(argument).lexically_normal().generic_string());
  const std::string begin = std::string(oracle::kPlanFolder) + "/";
  if (!path.starts_with(begin)) return std::nullopt;
  const fs::path name = path.substr(begin.size());
  fs::path moved = fs::path(oracle::kCompletedPlans) / name;
  if (oracle.IsFolder(moved)) moved /= oracle::kPlanName;
  if (!oracle.Exists(moved)) {  // a plan beside its folder
    moved = fs::path(oracle::kCompletedPlans) / library::PlanFolderName(name) / name;
  }
  return Completed(context, oracle, moved.generic_string());
}

Error NotAPlan(std::string_view name) {
  return {.kind = ErrorKind::kUsage,
          .message = fmt::format("expanding {}: not a plan, since it has no PART", name),
          .hint = "'sibyl plan new TOPIC' writes one to start from"};
}

// Its points would be searched for, and something would be found.
Status RefuseTemplate(std::string_view name, const plan::Plan& plan) {
  for (const plan::Part& part : plan.parts) {
    if (part.status == plan::PartStatus::kDone) continue;
    for (const plan::Section& section : part.sections) {
      for (const plan::Text& point : section.points) {
        if (!plan::IsStarterPoint(point.text)) continue;
        return Error{
            .kind = ErrorKind::kUsage,
            .message = fmt::format("{}:{}: PART {} still has a point of the template: '{}'", name,
                                   point.line, part.number, point.text),
            .hint =
                "write what a reader of the file wants to know, or delete the part; "
                "'sibyl plan check' lists all such points"};
      }
    }
  }
  return {};
}

Result<ImportedPlan> ImportFrom(const oracle::Context& context, const Root& oracle,
                                oracle::PlanFile file, Intake intake) {
  const std::string folder = library::PlanFolderName(file.path);
  ImportedPlan plan{.path = fmt::format("{}/{}/{}", oracle::kPlanFolder, folder, oracle::kPlanName),
                    .text = std::move(file.text),
                    .is_copied = true};
  plan.name = oracle::ShownPath(context, oracle.Shown(plan.path)).string();
  Result<std::string> there = oracle.Read(plan.path);
  // The copy may have been ticked since; it is resumed.
  if (there.ok() && HaveSamePoints(*there, plan.text)) {
    plan.text = *std::move(there);
    return plan;
  }
  if (there.ok()) {
    return Error{
        .kind = ErrorKind::kUsage,
        .message = fmt::format("expanding {}: the oracle already has a different plan at {}",
                               file.name, plan.name),
        .hint = fmt::format("to resume that one: sibyl expand {}", plan.name)};
  }
  const auto done = Completed(
      context, oracle, fmt::format("{}/{}/{}", oracle::kCompletedPlans, folder, oracle::kPlanName));
  if (done && HaveSamePoints(done->text, plan.text)) return *done;
  if (intake == Intake::kCopy) {
    SIBYL_TRY(oracle.MakeFolders(fs::path(plan.path).parent_path()));
    SIBYL_TRY(oracle.Write(plan.path, plan.text));
  } else {
    plan.name = file.name;
  }
  return plan;
}

}  // namespace

Result<ImportedPlan> ImportPlan(const oracle::Context& context, std::string_view argument,
                                Intake intake) {
  const Root oracle = SIBYL_TRY(oracle::OpenOracle(context));
  const oracle::ArgumentFile wanted = SIBYL_TRY(oracle::ArgumentFile::Find(context, argument));
  if (auto moved = MovedPlan(context, oracle, wanted, argument)) return *std::move(moved);
  Result<oracle::PlanFile> read = oracle::ReadPlan(context, argument);
  if (!read.ok()) {
    // Another process may have finished it in the meantime.
    if (auto moved = MovedPlan(context, oracle, wanted, argument)) return *std::move(moved);
    return std::move(read).error();
  }
  oracle::PlanFile file = *std::move(read);
  const plan::Plan parsed = plan::Parse(file.name, file.text).plan;
  if (parsed.parts.empty()) return NotAPlan(file.name);
  SIBYL_TRY(RefuseTemplate(file.name, parsed));
  if (!file.in_oracle) return ImportFrom(context, oracle, std::move(file), intake);
  return ImportedPlan{
      .path = *file.in_oracle, .name = std::move(file.name), .text = std::move(file.text)};
}

}  // namespace sibyl::expansion
