// SPDX-License-Identifier: Apache-2.0
#include "oracle/plan_file.h"

#include <fmt/format.h>

#include <utility>

#include "base/nearest_name.h"
#include "oracle/argument_file.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxPlanBytes = std::size_t{64} << 20;

/// "did you mean" among the files beside the one that is not there.
std::string NearestFile(const Context& context, const ArgumentFile& wanted) {
  const auto nearest = NearestName(wanted.path().filename().string(), wanted.NamesBeside());
  if (!nearest) return {};
  return fmt::format("did you mean '{}'?",
                     ShownPath(context, wanted.path().parent_path() / *nearest).string());
}

}  // namespace

Result<PlanFile> ReadPlan(const Context& context, std::string_view argument) {
  ArgumentFile file = SIBYL_TRY(ArgumentFile::Find(context, argument));
  if (file.IsFolder()) {
    file = file / kPlanName;
    if (!file.Exists()) {
      return Error{
          .kind = ErrorKind::kNotFound,
          .message = fmt::format("reading the plan: the folder {} has no {}", argument, kPlanName)};
    }
  }
  if (!file.Exists()) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("reading the plan: {} does not exist", argument),
                 .hint = NearestFile(context, file)};
  }
  auto text = file.Read({.max_bytes = kMaxPlanBytes});
  if (!text.ok()) return While("reading the plan", std::move(text).error());
  return PlanFile{.path = file.path(),
                  .name = ShownPath(context, file.path()).string(),
                  .text = *std::move(text),
                  .in_oracle = file.in_oracle()};
}

}  // namespace sibyl::oracle
