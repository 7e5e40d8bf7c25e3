// SPDX-License-Identifier: Apache-2.0
#include "engine/agent/missing_of_page.h"

#include <fmt/format.h>

#include <algorithm>

namespace sibyl::engine {
namespace {

Finding Incomplete(std::string_view code, std::string message, std::string hint,
                   const std::string& file) {
  return {.severity = Severity::kError,
          .code = std::string(code),
          .message = std::move(message),
          .hint = std::move(hint),
          .place = {.file = file}};
}

}  // namespace

std::vector<Finding> MissingOfPage(expansion::HeldPart& held, const draft::Draft& draft) {
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < held.sections().size(); ++i) {
    const auto& drafted = held.drafted();
    const bool is_there = std::any_of(drafted.begin(), drafted.end(),
                                      [i](const auto& section) { return section.place == i; });
    if (is_there) continue;
    findings.push_back(Incomplete(
        "draft/missing",
        fmt::format("section {}, '{}', was not drafted", i + 1, held.sections()[i].title),
        "draft_section; with not-found if no source covers it", draft.path));
  }
  if (findings.empty() && draft::CoveredCount(draft) == 0) {
    findings.push_back(Incomplete("draft/empty", "the page covers no point of the plan",
                                  "release_part with failed and a reason", draft.path));
  }
  return findings;
}

}  // namespace sibyl::engine
