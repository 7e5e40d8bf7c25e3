// SPDX-License-Identifier: Apache-2.0
#include "base/nearest_name.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/strings.h"

namespace sibyl {
namespace {

// Longer names are not typos, and the table is quadratic.
constexpr std::size_t kLongestName = 200;

}  // namespace

std::size_t EditDistance(std::string_view a, std::string_view b) {
  // Three rows of the usual table: swapping neighbours looks two rows back.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::optional<std::string> NearestName(std::string_view name,
                                       std::span<const std::string> candidates) {
  if (name.size() > kLongestName) return std::nullopt;
  const std::string wanted = LowerCase(name);
  const std::string* nearest = nullptr;
  std::size_t least = std::min<std::size_t>(3, std::max<std::size_t>(1, name.size() / 3)) + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongestName) continue;
    const std::size_t distance = EditDistance(wanted, LowerCase(candidate));
    // With as many changes as letters, anything would match.
    if (distance >= least || distance >= candidate.size()) continue;
    least = distance;
    nearest = &candidate;
  }
  if (nearest == nullptr) return std::nullopt;
  return *nearest;
}

}  // namespace sibyl
