// SPDX-License-Identifier: Apache-2.0
#include "gate/claims/table_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/one_of.h"
#include "base/strings.h"
#include "cards/cards.h"
#include "support/numbers/quantity.h"

namespace sibyl::gate {
namespace {

std::string_view Bare(std::string_view cell) {
  constexpr std::string_view kMarks = " \t`\"'*$";
  const std::size_t begin = cell.find_first_not_of(kMarks);
  if (begin == std::string_view::npos) return {};
  return cell.substr(begin, cell.find_last_not_of(kMarks) - begin + 1);
}

std::vector<std::string_view> CellsOf(std::string_view line) {
  std::vector<std::string_view> cells;
  constexpr std::size_t kMost = 30;
  line = Trim(line);
  if (!line.starts_with('|')) return cells;
  for (std::size_t at = 1; at < line.size() && cells.size() < kMost;) {
    const std::size_t end = std::min(line.find('|', at), line.size());
    cells.push_back(Bare(line.substr(at, end - at)));
    at = end + 1;
  }
  return cells;
}

enum class Sameness : std::uint8_t { kSame, kOther, kUnknown };

Sameness Compare(std::string_view said, const std::string& value) {
  constexpr std::array<std::string_view, 5> kOn = {"on", "true", "yes", "enabled", "1"};
  constexpr std::array<std::string_view, 5> kOff = {"off", "false", "no", "disabled", "0"};
  const std::string one = LowerCase(said);
  const std::string other = LowerCase(Bare(value));
  if (one == other) return Sameness::kSame;
  const bool is_switch = IsOneOf(one, kOn) || IsOneOf(one, kOff);
  if (is_switch && (IsOneOf(other, kOn) || IsOneOf(other, kOff))) {
    return IsOneOf(one, kOn) == IsOneOf(other, kOn) ? Sameness::kSame : Sameness::kOther;
  }
  const std::vector<support::Quantity> numbers = support::ReadQuantities(one, false);
  const std::vector<support::Quantity> values = support::ReadQuantities(other, true);
  const bool are_numbers = numbers.size() == 1 && numbers[0].begin == 0 &&
                           numbers[0].end == one.size() && values.size() == 1 &&
                           values[0].begin == 0 && values[0].end == other.size();
  if (!are_numbers) return Sameness::kUnknown;
  const support::QuantityFit fit = support::Compare(numbers[0], values[0], {});
  return fit == support::QuantityFit::kNone ? Sameness::kOther : Sameness::kSame;
}

}  // namespace

std::string DefinitionWithAnotherValue(const CellClaim& claim, std::string_view lines) {
  std::string_view name = Bare(claim.row_name);
  while (name.starts_with('-')) name.remove_prefix(1);
  const std::string_view value = Bare(claim.value);
  const std::string column = LowerCase(claim.column);
  const bool is_value =
      column.find("default") != std::string::npos || column.find("value") != std::string::npos;
  if (!is_value || name.empty() || value.empty()) return {};
  std::string other;
  for (const cards::Card& card : cards::ReadCards(lines)) {
    if (LowerCase(card.name) != LowerCase(name)) continue;
    if (Compare(value, card.value) != Sameness::kOther) return {};
    other = fmt::format("{} = {}", card.name, card.value);
  }
  return other;
}

std::string RowWithAnotherValue(const CellClaim& claim, std::string_view lines) {
  const std::string_view name = Bare(claim.row_name);
  const std::string_view value = Bare(claim.value);
  if (name.empty() || value.empty() || name == value) return {};
  if (value.find_first_of(" \t") != std::string_view::npos) return {};
  std::vector<std::string_view> row;
  bool is_elsewhere = false;
  for (const std::string_view line : SplitLines(lines)) {
    std::vector<std::string_view> cells = CellsOf(line);
    if (cells.empty()) continue;
    const bool has_value = std::find(cells.begin(), cells.end(), value) != cells.end();
    if (cells.front() != name) {
      is_elsewhere = is_elsewhere || has_value;
      continue;
    }
    // A value among other words is there; two rows of a name say nothing.
    if (!row.empty() || line.find(value) != std::string_view::npos) return {};
    row = std::move(cells);
  }
  return is_elsewhere ? Join({row.begin(), row.end()}, " | ") : std::string();
}

}  // namespace sibyl::gate
