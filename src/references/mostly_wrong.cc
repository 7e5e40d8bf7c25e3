// SPDX-License-Identifier: Apache-2.0
#include "references/mostly_wrong.h"

#include <map>
#include <string>
#include <string_view>

namespace sibyl::references {
namespace {

struct Tally {
  std::size_t held = 0;
  std::size_t failed = 0;

  // Fewer than three in five held; fewer than four citations say nothing.
  bool IsMostlyWrong() const {
    constexpr std::size_t kEnough = 4;
    return held + failed >= kEnough && 5 * held < 3 * (held + failed);
  }
};

}  // namespace

void CallMostlyWrong(std::vector<std::optional<Judged>>& judged) {
  std::map<std::string, Tally, std::less<>> tallies;  // by the commit that brought them
  for (const std::optional<Judged>& one : judged) {
    if (!one || one->commit.empty() || !one->held_then) continue;
    Tally& tally = tallies[one->commit];
    ++(*one->held_then ? tally.held : tally.failed);
  }
  for (std::optional<Judged>& one : judged) {
    if (!one || one->status != CitationStatus::kDrifted || one->held_then.value_or(false)) continue;
    const auto tally = tallies.find(one->commit);
    if (tally == tallies.end() || !tally->second.IsMostlyWrong()) continue;
    one->status = CitationStatus::kWrong;
    one->suggestion.reset();
    one->is_certain = false;
  }
}

}  // namespace sibyl::references
