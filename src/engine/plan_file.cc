// SPDX-License-Identifier: Apache-2.0
#include "engine/plan_file.h"

#include <fmt/format.h>

#include <system_error>
#include <vector>

#include "base/files.h"
#include "base/nearest_name.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPlanName = "ingestion.md";

/// "did you mean" among the files beside the one that is not there.
std::string NearestFile(const Context& context, const fs::path& wanted) {
  constexpr std::size_t kMaxFiles = 10'000;  // a slip is found among fewer, or not worth it
  std::vector<std::string> names;
  std::error_code failure;
  for (fs::directory_iterator entry(wanted.parent_path(), failure), end;
       !failure && entry != end && names.size() < kMaxFiles; entry.increment(failure)) {
    names.push_back(entry->path().filename().string());
  }
  const auto nearest = NearestName(wanted.filename().string(), names);
  if (!nearest) return {};
  return fmt::format("did you mean '{}'?",
                     ShownPath(context, wanted.parent_path() / *nearest).string());
}

}  // namespace

Result<PlanFile> ReadPlan(const Context& context, std::string_view argument) {
  fs::path path = ResolvePath(context, argument);
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    if (!fs::exists(path / kPlanName, ignored)) {
      return Error{
          .kind = ErrorKind::kNotFound,
          .message = fmt::format("reading the plan: the folder {} has no {}", argument, kPlanName)};
    }
    path /= kPlanName;
  }
  if (!fs::exists(path, ignored)) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("reading the plan: {} does not exist", argument),
                 .hint = NearestFile(context, path)};
  }
  auto text = ReadFile(path);
  if (!text.ok()) return While("reading the plan", std::move(text).error());
  return PlanFile{
      .path = path, .name = ShownPath(context, path).string(), .text = *std::move(text)};
}

}  // namespace sibyl::engine
