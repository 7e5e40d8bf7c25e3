// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/ascii.h"

namespace sibyl::lab {
namespace {

constexpr std::size_t kFewestPoints = 4;

std::optional<double> NumberOf(std::string_view text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return std::isfinite(value) ? std::optional(value) : std::nullopt;  // "inf" is a name
}

struct Candidate {
  std::string axis;
  std::string case_of;
  std::vector<std::pair<std::string, SweepPoint>> rows;  // With the name of their series.

  std::size_t CountValues() const {
    std::set<double> values;
    for (const auto& [name, point] : rows) values.insert(point.x);
    return values.size();
  }
};

// Lab, metric, unit, axis and the rest of the case.
using Key = std::tuple<std::string, std::string, std::string, std::string, std::string>;
using Candidates = std::map<Key, Candidate>;

void Add(Candidates& candidates, const Measurement& row, std::string axis, std::string case_of,
         std::pair<std::string, SweepPoint> point) {
  Candidate& candidate = candidates[{row.lab, row.metric, row.unit, axis, case_of}];
  candidate.axis = std::move(axis);
  candidate.case_of = std::move(case_of);
  candidate.rows.push_back(std::move(point));
}

void AddByParams(const Measurement& row, Candidates& candidates) {
  for (const auto& [axis, value] : row.params) {
    const std::optional<double> x = NumberOf(value);
    if (!x) continue;
    std::string others;
    for (const auto& [name, other] : row.params) {
      if (name != axis) others += fmt::format("{}{}={}", others.empty() ? "" : ",", name, other);
    }
    Add(candidates, row, axis, std::move(others), {row.variant, {.x = *x, .row = &row}});
  }
}

// "again-32MB": the family "again" at 32.
void AddByName(const Measurement& row, Candidates& candidates) {
  const std::size_t dash = row.variant.rfind('-');
  if (dash == std::string::npos || dash == 0) return;
  std::string_view number = std::string_view(row.variant).substr(dash + 1);
  const std::size_t digits = std::min(number.size(), number.find_first_not_of("0123456789"));
  const std::string_view unit = number.substr(digits);
  if (digits == 0 || !std::ranges::all_of(unit, [](char c) { return IsLetter(c); })) return;
  const std::optional<double> x = NumberOf(number.substr(0, digits));
  if (!x) return;
  const std::string family = row.variant.substr(0, dash);
  const std::string axis = unit.empty() ? family : fmt::format("{} ({})", family, unit);
  Add(candidates, row, axis, ParamsText(row), {family, {.x = *x, .row = &row}});
}

Sweep SweepOf(const Candidate& candidate) {
  Sweep sweep{.axis = candidate.axis, .case_of = candidate.case_of};
  std::map<std::string_view, std::size_t> places;
  for (const auto& [name, point] : candidate.rows) {
    const auto [place, is_new] = places.try_emplace(name, sweep.series.size());
    if (is_new) sweep.series.push_back({.name = name});
    sweep.series[place->second].points.push_back(point);
  }
  for (SweepSeries& series : sweep.series) {
    std::ranges::stable_sort(series.points, {}, &SweepPoint::x);
  }
  return sweep;
}

// The longest sweeps first, and each row in one of them only.
void TakeLongest(Candidates& candidates, std::set<const Measurement*>& taken,
                 std::vector<Sweep>& sweeps) {
  std::vector<Candidate> sorted;
  for (auto& entry : candidates) sorted.push_back(std::move(entry.second));
  std::ranges::stable_sort(sorted, std::greater{}, &Candidate::CountValues);
  for (Candidate& candidate : sorted) {
    std::erase_if(candidate.rows, [&](const auto& row) { return taken.contains(row.second.row); });
    if (candidate.CountValues() < kFewestPoints) continue;
    for (const auto& [name, point] : candidate.rows) taken.insert(point.row);
    sweeps.push_back(SweepOf(candidate));
  }
}

}  // namespace

std::vector<Sweep> TakeSweeps(std::vector<const Measurement*>& rows) {
  std::vector<Sweep> sweeps;
  std::set<const Measurement*> taken;
  Candidates by_params;
  for (const Measurement* row : rows) AddByParams(*row, by_params);
  TakeLongest(by_params, taken, sweeps);
  Candidates by_name;
  for (const Measurement* row : rows) {
    if (!taken.contains(row)) AddByName(*row, by_name);
  }
  TakeLongest(by_name, taken, sweeps);
  std::erase_if(rows, [&](const Measurement* row) { return taken.contains(row); });
  return sweeps;
}

}  // namespace sibyl::lab
