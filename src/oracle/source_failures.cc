// SPDX-License-Identifier: Apache-2.0
#include "oracle/source_failures.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/strings.h"

namespace sibyl::oracle {

std::vector<std::vector<SourceFailure>> SameReasons(std::vector<SourceFailure> failures) {
  constexpr std::size_t kFew = 3;
  std::vector<std::vector<SourceFailure>> groups;
  for (SourceFailure& failure : failures) {
    const auto same = std::ranges::find_if(groups, [&failure](const auto& group) {
      return group[0].error.message == failure.error.message &&
             group[0].error.hint == failure.error.hint;
    });
    if (same == groups.end()) {
      groups.push_back({std::move(failure)});
    } else {
      same->push_back(std::move(failure));
    }
  }
  std::vector<std::vector<SourceFailure>> shown;
  for (std::vector<SourceFailure>& group : groups) {
    if (group.size() > kFew) {
      shown.push_back(std::move(group));
      continue;
    }
    for (SourceFailure& failure : group) shown.push_back({std::move(failure)});
  }
  return shown;
}

std::string SomeNames(const std::vector<SourceFailure>& failures) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> names;
  for (const SourceFailure& failure : failures) names.push_back(failure.name);
  if (const std::size_t count = names.size(); count > kShown + 1) {
    names.resize(kShown);
    names.push_back(fmt::format("{} more", count - kShown));
  }
  return Join(names, ", ");
}

}  // namespace sibyl::oracle
