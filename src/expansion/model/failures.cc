// SPDX-License-Identifier: Apache-2.0
#include "expansion/model/failures.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"

namespace sibyl::expansion {
namespace {

void AddReason(std::vector<draft::Refusal>& reasons, draft::Refusal why) {
  if (std::none_of(reasons.begin(), reasons.end(),
                   [&](const draft::Refusal& known) { return known.reason == why.reason; })) {
    reasons.push_back(std::move(why));
  }
}

}  // namespace

void Failures::Add(std::size_t id, draft::Refusal why) {
  AddReason(statements[id], std::move(why));
}

void Failures::AddHead(const draft::HeadPlace& place, draft::Refusal why) {
  AddReason(heads[place], std::move(why));
}

std::vector<std::string> ReasonsOf(const std::vector<draft::Refusal>& refusals) {
  std::vector<std::string> reasons;
  reasons.reserve(refusals.size());
  for (const draft::Refusal& refusal : refusals) reasons.push_back(refusal.reason);
  return reasons;
}

draft::Refusal Merged(const std::vector<draft::Refusal>& refusals) {
  return {.kind = refusals.front().kind, .reason = Join(ReasonsOf(refusals), "; ")};
}

std::vector<draft::UnitPlace> PlacesOf(const Failures& failures,
                                       const draft::Manuscript& manuscript, std::size_t section) {
  std::vector<draft::UnitPlace> places;
  manuscript.ForEachKept(
      [&](const draft::UnitPlace& place, const std::vector<std::size_t>&, std::size_t) {
        if (place.section == section && failures.statements.contains(manuscript.UnitAt(place).id)) {
          places.push_back(place);
        }
      });
  return places;
}

}  // namespace sibyl::expansion
