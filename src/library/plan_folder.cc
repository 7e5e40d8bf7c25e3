// SPDX-License-Identifier: Apache-2.0
#include "library/plan_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <vector>

#include "base/files.h"
#include "plan/plan.h"

namespace sibyl::library {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPlans = "_ingest-auto";
constexpr std::string_view kCompleted = "completed";

bool IsComplete(const plan::Plan& plan) {
  return std::none_of(plan.parts.begin(), plan.parts.end(), [](const plan::Part& part) {
    return part.status == plan::PartStatus::kOpen || part.status == plan::PartStatus::kFailed;
  });
}

// Another plan in the folder that still has something to do.
std::string OpenNeighbour(const fs::path& folder, const fs::path& plan) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    files.push_back(entry->path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::string name = file.filename().string();
    if (file == plan || !name.ends_with(".md") || name.starts_with("KNOWLEDGE-DROP")) continue;
    const Result<std::string> text = ReadFile(file, {.max_bytes = std::size_t{16} << 20});
    if (text.ok() && !IsComplete(plan::Parse(name, *text).plan)) return name;
  }
  return {};
}

}  // namespace

std::string PlanFolder::PathNow(const std::string& path) const {
  if (!moves() || !path.starts_with(from + "/")) return path;
  return to + path.substr(from.size());
}

PlanFolder FindPlanFolder(const fs::path& oracle, std::string_view plan, std::string_view text) {
  std::vector<std::string> pieces;
  for (const fs::path& piece : fs::path(std::string(plan))) pieces.push_back(piece.string());
  const bool has_folder = pieces.size() >= 3 && pieces[0] == kPlans && pieces[1] != kCompleted;
  if (!has_folder || !IsComplete(plan::Parse(plan, text).plan)) return {};
  const std::string from = pieces[0] + "/" + pieces[1];
  const std::string neighbour = OpenNeighbour(oracle / from, oracle / std::string(plan));
  if (!neighbour.empty()) {
    return {.why_not = fmt::format("{} was not moved to {}: {} in it is not done", from, kCompleted,
                                   neighbour)};
  }
  PlanFolder folder{.from = from};
  std::error_code ignored;
  for (int number = 1; folder.to.empty() || fs::exists(oracle / folder.to, ignored); ++number) {
    folder.to = fmt::format("{}/{}/{}", kPlans, kCompleted, pieces[1]);
    if (number > 1) folder.to += fmt::format("-{}", number);
  }
  return folder;
}

}  // namespace sibyl::library
