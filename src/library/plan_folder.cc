// SPDX-License-Identifier: Apache-2.0
#include "library/plan_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "plan/plan.h"
#include "plan/starter.h"

namespace sibyl::library {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPlanFolder = "_ingest-auto";
constexpr std::string_view kCompleted = "completed";
constexpr std::string_view kPlanName = "ingestion.md";

bool IsComplete(const plan::Plan& plan) {
  return std::none_of(plan.parts.begin(), plan.parts.end(), [](const plan::Part& part) {
    return part.status == plan::PartStatus::kOpen || part.status == plan::PartStatus::kFailed;
  });
}

// Another plan in the folder that still has something to do.
std::string OpenNeighbour(const Root& oracle, const std::string& folder, std::string_view plan) {
  const auto walked = oracle.Walk(folder);
  if (!walked.ok()) return {};
  for (const RootEntry& entry : walked->entries) {
    std::string name = fs::path(entry.name).filename().string();
    const bool is_plan = name.ends_with(".md") && !name.starts_with("KNOWLEDGE-DROP");
    if (!is_plan || entry.name == plan) continue;
    const Result<std::string> text = oracle.Read(entry.name, {.max_bytes = std::size_t{16} << 20});
    if (text.ok() && !IsComplete(plan::Parse(name, *text).plan)) return name;
  }
  return {};
}

}  // namespace

std::string PlanFolderName(const fs::path& plan) {
  const std::string stem =
      plan.filename() == kPlanName ? plan.parent_path().filename().string() : plan.stem().string();
  std::string name = plan::SlugOf(stem);
  if (name.empty()) name = "plan";
  return name.starts_with("expansion-") ? name : "expansion-" + name;
}

std::string DropFolder(std::string_view plan) {
  const fs::path path(plan);
  if (*path.begin() == kPlanFolder) return path.parent_path().generic_string();
  return fmt::format("{}/{}", kPlanFolder, PlanFolderName(path));
}

std::string PlanFolder::PathNow(const std::string& path) const {
  if (!moves() || !path.starts_with(from + "/")) return path;
  return to + path.substr(from.size());
}

PlanFolder FindPlanFolder(const Root& oracle, std::string_view plan, std::string_view text) {
  std::vector<std::string> pieces;
  for (const fs::path& piece : fs::path(std::string(plan))) pieces.push_back(piece.string());
  const bool has_folder = pieces.size() >= 3 && pieces[0] == kPlanFolder && pieces[1] != kCompleted;
  if (!has_folder || !IsComplete(plan::Parse(plan, text).plan)) return {};
  const std::string from = pieces[0] + "/" + pieces[1];
  const std::string neighbour = OpenNeighbour(oracle, from, plan);
  if (!neighbour.empty()) {
    return {.why_not = fmt::format("{} was not moved to {}: {} in it is not done", from, kCompleted,
                                   neighbour)};
  }
  PlanFolder folder{.from = from};
  for (int number = 1; folder.to.empty() || oracle.Exists(folder.to); ++number) {
    folder.to = fmt::format("{}/{}/{}", kPlanFolder, kCompleted, pieces[1]);
    if (number > 1) folder.to += fmt::format("-{}", number);
  }
  return folder;
}

}  // namespace sibyl::library
