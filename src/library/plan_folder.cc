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

// The pages that there are, or will be.
struct Pages {
  const Root& oracle;
  const std::set<std::string, std::less<>>& written;

  bool Have(const std::string& path) const { return written.contains(path) || oracle.Exists(path); }
};

bool IsComplete(const plan::Plan& plan, const Pages& pages) {
  return std::none_of(plan.parts.begin(), plan.parts.end(), [&pages](const plan::Part& part) {
    if (part.status == plan::PartStatus::kDone) {
      return !part.target.empty() && !pages.Have(part.target);
    }
    return part.status == plan::PartStatus::kOpen || part.status == plan::PartStatus::kFailed;
  });
}

// Another plan in the folder that still has something to do.
std::string OpenNeighbour(const Pages& pages, const std::string& folder, std::string_view plan) {
  const Root& oracle = pages.oracle;
  const auto walked = oracle.Walk(folder);
  if (!walked.ok()) return {};
  for (const RootEntry& entry : walked->entries) {
    std::string name = fs::path(entry.name).filename().string();
    const bool is_plan = name.ends_with(".md") && !name.starts_with("KNOWLEDGE-DROP");
    if (!is_plan || entry.name == plan) continue;
    const Result<std::string> text = oracle.Read(entry.name, {.max_bytes = std::size_t{16} << 20});
    if (text.ok() && !IsComplete(plan::Parse(name, *text).plan, pages)) return name;
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
  const fs::path parent = path.parent_path();
  if (*path.begin() == kPlanFolder && parent != kPlanFolder) return parent.generic_string();
  return fmt::format("{}/{}", kPlanFolder, PlanFolderName(path));
}

std::string PlanFolder::PathNow(const std::string& path) const {
  if (!moves()) return path;
  if (path == lone_plan) return to + "/" + fs::path(path).filename().string();
  return path.starts_with(from + "/") ? to + path.substr(from.size()) : path;
}

PlanFolder FindPlanFolder(const Root& oracle, const MarkedPlan& plan,
                          const std::set<std::string, std::less<>>& written) {
  const Pages pages{.oracle = oracle, .written = written};
  std::vector<std::string> pieces;
  for (const fs::path& piece : fs::path(std::string(plan.path))) pieces.push_back(piece.string());
  const bool has_folder = pieces.size() >= 3 && pieces[0] == kPlanFolder && pieces[1] != kCompleted;
  const bool is_alone = pieces.size() == 2 && pieces[0] == kPlanFolder;
  if ((!has_folder && !is_alone) || !IsComplete(plan::Parse(plan.path, plan.text).plan, pages)) {
    return {};
  }
  const std::string from = is_alone ? DropFolder(plan.path) : pieces[0] + "/" + pieces[1];
  const std::string name = fs::path(from).filename().string();
  const std::string neighbour = OpenNeighbour(pages, from, plan.path);
  if (!neighbour.empty()) {
    return {.why_not = fmt::format("{} was not moved to {}: {} in {} is not done",
                                   is_alone ? plan.path : from, kCompleted, neighbour,
                                   is_alone ? from : "it")};
  }
  PlanFolder folder{.from = from};
  if (is_alone) {
    if (oracle.Exists(from + "/" + pieces[1])) {
      return {.why_not = fmt::format("{} was not moved to {}: {} has another file of this name",
                                     plan.path, kCompleted, from)};
    }
    folder.lone_plan = plan.path;
  }
  for (int number = 1; folder.to.empty() || oracle.Exists(folder.to); ++number) {
    folder.to = fmt::format("{}/{}/{}", kPlanFolder, kCompleted, name);
    if (number > 1) folder.to += fmt::format("-{}", number);
  }
  return folder;
}

}  // namespace sibyl::library
