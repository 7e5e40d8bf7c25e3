// SPDX-License-Identifier: Apache-2.0
#include "lab/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lab/curve.h"
#include "lab/sweep.h"

namespace sibyl::lab {
namespace {

// Columns of the picture, in pixels.
struct Columns {
  int width = 950;
  int label = 260;
  int value = 240;
};
constexpr Columns kNarrow = {.width = 520, .label = 120, .value = 235};
constexpr std::size_t kMostNarrowRows = 12;
constexpr int kRow = 20;
constexpr int kBar = 14;
constexpr int kGap = 16;

// The variants of one case, which share an axis.
struct Case {
  const Measurement* first = nullptr;
  std::vector<const Measurement*> rows;
  double longest = 0;
  std::size_t left_out = 0;  // rows that are not shown
};

std::vector<const Measurement*> RowsOf(const Run& run) {
  std::vector<const Measurement*> rows;
  for (const Measurement& row : run.measurements) {
    if (row.is_measured() && std::isfinite(row.value)) rows.push_back(&row);
  }
  return rows;
}

using CaseKey = std::tuple<std::string, std::string, std::string, std::string>;

CaseKey KeyOf(const Measurement& row) { return {row.lab, ParamsText(row), row.metric, row.unit}; }

std::vector<Case> CasesOf(const std::vector<const Measurement*>& rows) {
  std::vector<Case> cases;
  std::map<CaseKey, std::size_t> places;
  for (const Measurement* row : rows) {
    const auto [place, is_new] = places.try_emplace(KeyOf(*row), cases.size());
    if (is_new) cases.push_back({.first = row});
    Case& same = cases[place->second];
    same.rows.push_back(row);
    same.longest = std::max({same.longest, row->value, row->floor.value_or(0)});
  }
  return cases;
}

// Whether both have bounds that are so far apart that one bar would squash the other: those of two
// kinds of memory.
bool IsOfAnotherScale(const Measurement& row, const Measurement& own) {
  constexpr double kMostApart = 3;
  if (!row.floor || !own.floor || !(*own.floor > 0)) return false;
  const double ratio = *row.floor / *own.floor;
  return !(ratio <= kMostApart && ratio >= 1 / kMostApart);
}

// The case of one measurement, with the bars around its own.
std::vector<Case> OnlyCaseOf(std::vector<Case> cases, std::string_view metric) {
  for (Case& one : cases) {
    const auto own = std::find_if(one.rows.begin(), one.rows.end(), [&](const Measurement* row) {
      return MetricKey(*row) == metric;
    });
    if (own == one.rows.end()) continue;
    const Measurement& wanted = **own;
    const std::size_t all = one.rows.size();
    std::erase_if(one.rows, [&](const Measurement* row) { return IsOfAnotherScale(*row, wanted); });
    const auto place = static_cast<std::size_t>(
        std::find(one.rows.begin(), one.rows.end(), &wanted) - one.rows.begin());
    const std::size_t most = std::min(kMostNarrowRows, one.rows.size());
    const std::size_t begin =
        std::min(place > most / 2 ? place - most / 2 : 0, one.rows.size() - most);
    one.left_out = all - most;
    one.rows = {one.rows.begin() + static_cast<std::ptrdiff_t>(begin),
                one.rows.begin() + static_cast<std::ptrdiff_t>(begin + most)};
    one.longest = 0;
    for (const Measurement* row : one.rows) {
      one.longest = std::max({one.longest, row->value, row->floor.value_or(0)});
    }
    return {std::move(one)};
  }
  return {};
}

// The same axes as in the other run.
void ScaleAs(const Run& other, std::vector<Case>& cases, std::vector<Sweep>& sweeps) {
  std::vector<const Measurement*> rows = RowsOf(other);
  for (const Sweep& theirs : TakeSweeps(rows)) {
    const Measurement& first = *theirs.series.front().points.front().row;
    for (Sweep& own : sweeps) {
      const Measurement& row = *own.series.front().points.front().row;
      const bool is_same = own.axis == theirs.axis && own.case_of == theirs.case_of &&
                           row.lab == first.lab && row.metric == first.metric &&
                           row.unit == first.unit;
      if (is_same) own.scaled_as = theirs.series;
    }
  }
  for (const Case& theirs : CasesOf(rows)) {
    for (Case& own : cases) {
      if (KeyOf(*own.first) == KeyOf(*theirs.first)) {
        own.longest = std::max(own.longest, theirs.longest);
      }
    }
  }
}

bool IsAnchor(const Measurement& row) { return row.variant.starts_with("torch"); }

bool IsDuration(const Measurement& row) {
  return row.unit == "s" || row.unit == "ms" || row.unit == "us" || row.unit == "ns";
}

std::string_view DirectionOf(const Measurement& row) {
  if (IsRate(row)) return ", longer is better";
  return IsDuration(row) ? ", shorter is better" : "";
}

class Picture {
 public:
  Picture(Columns columns, std::string_view marked) : columns_(columns), marked_(marked) {}

  // What the colours and the line mean, of those that occur.
  void AddLegend(const std::vector<Case>& cases) {
    bool has_variant = false;
    bool has_anchor = false;
    bool has_floor = false;
    bool has_ceiling = false;
    for (const Case& one : cases) {
      for (const Measurement* row : one.rows) {
        (IsAnchor(*row) ? has_anchor : has_variant) = true;
        if (row->floor) (IsRate(*row) ? has_ceiling : has_floor) = true;
      }
    }
    int x = 0;
    const auto add = [&](std::string_view kind, std::string_view words) {
      constexpr int kLetter = 7;
      const int width = 24 + kLetter * static_cast<int>(words.size());
      if (x > 0 && x + width > columns_.width) {
        x = 0;
        y_ += kRow;
      }
      if (kind == "f") {
        Line(x + 6, y_, y_ + kBar);
      } else {
        Bar(kind, x, 12);
      }
      Text(x + 18, y_ + 12, "v", words);
      x += width;
    };
    if (has_variant) add("b", "variant of the lab");
    if (!marked_.empty()) add("m", "cited");
    if (has_anchor) add("t", "PyTorch, to compare");
    if (has_floor && has_ceiling) {
      add("f", "floor of a time, ceiling of a rate: the hardware's limit");
    } else if (has_floor) {
      add("f", "floor: the least that the hardware allows");
    } else if (has_ceiling) {
      add("f", "ceiling: the most that the hardware allows");
    }
    y_ += x > 0 ? kRow + kGap : 0;
  }

  void Add(const Case& one) {
    const std::string params = ParamsText(*one.first);
    Text(0, y_ + 13, "h",
         fmt::format("{}{}{} ({}{})", one.first->lab, params.empty() ? "" : " ", params,
                     one.first->metric, DirectionOf(*one.first)));
    y_ += kRow;
    const int top = y_;
    for (const Measurement* row : one.rows) AddRow(*row, one.longest);
    AddFloors(one, top);
    if (one.left_out > 0) {
      Text(8, y_ + 12, "v", fmt::format("and {} more in the run", one.left_out));
      y_ += kRow;
    }
    y_ += kGap;
  }

  void Add(const Sweep& sweep) {
    body_ += DrawCurve(sweep, y_);
    y_ += CurveHeight(sweep) + kGap;
  }

  std::string Finish(const Run& run) const {
    return fmt::format(
               R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}">
<title>{2}, {3}</title>
<style>text{{font:12px sans-serif;fill:#333}}.h{{font-weight:bold}}.b{{fill:#4a7fb5}}.t{{fill:#b0a58f}}.m{{fill:#1c6b3a}}.f{{stroke:#b5403a;stroke-width:2}}{4}@media(prefers-color-scheme:dark){{text{{fill:#ddd}}.m{{fill:#86d39e}}.f{{stroke:#f08a80}}}}</style>
)",
               columns_.width, y_, EscapedForSvg(run.command), EscapedForSvg(run.time),
               kCurveStyle) +
           body_ + "</svg>\n";
  }

 private:
  int Position(double value, double longest) const {
    const int room = columns_.width - columns_.label - columns_.value;
    const double share = longest > 0 ? std::clamp(value / longest, 0.0, 1.0) : 0;
    return columns_.label + static_cast<int>(std::lround(share * room));
  }

  void AddRow(const Measurement& row, double longest) {
    const int end = Position(row.value, longest);
    Text(8, y_ + 12, "v", row.variant);
    const bool is_marked = !marked_.empty() && MetricKey(row) == marked_;
    Bar(is_marked       ? "m"
        : IsAnchor(row) ? "t"
                        : "b",
        columns_.label, std::max(1, end - columns_.label));
    std::string value = ValueText(row.value, row.unit);
    if (const std::string bound = BoundText(row); !bound.empty()) value += ", " + bound;
    // Beside the line too.
    const int floor = row.floor && std::isfinite(*row.floor) ? Position(*row.floor, longest) : 0;
    Text(std::max(end, floor) + 6, y_ + 12, "v", value);
    y_ += kRow;
  }

  // Variants may have different floors, such as those that move fewer bytes. Neighbours that share
  // one share its line.
  void AddFloors(const Case& one, int top) {
    for (std::size_t i = 0; i < one.rows.size();) {
      const std::optional<double> floor = one.rows[i]->floor;
      std::size_t end = i + 1;
      while (end < one.rows.size() && one.rows[end]->floor == floor) ++end;
      if (floor && std::isfinite(*floor)) {
        Line(Position(*floor, one.longest), top + static_cast<int>(i) * kRow - 2,
             top + static_cast<int>(end) * kRow - kRow + kBar + 2);
      }
      i = end;
    }
  }

  void Bar(std::string_view kind, int x, int width) {
    body_ += fmt::format(R"(<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>)"
                         "\n",
                         kind, x, y_, width, kBar);
  }

  void Line(int x, int top, int bottom) {
    body_ += fmt::format(R"(<line class="f" x1="{0}" y1="{1}" x2="{0}" y2="{2}"/>)"
                         "\n",
                         x, top, bottom);
  }

  void Text(int x, int y, std::string_view kind, std::string_view text) {
    body_ += fmt::format(R"(<text class="{}" x="{}" y="{}">{}</text>)"
                         "\n",
                         kind, x, y, EscapedForSvg(text));
  }

  Columns columns_;
  std::string_view marked_;
  std::string body_;
  int y_ = 4;
};

}  // namespace

std::string PlotRun(const Run& run, const PlotOptions& options) {
  std::vector<const Measurement*> rows = RowsOf(run);
  std::vector<Sweep> sweeps;
  if (options.metric.empty()) sweeps = TakeSweeps(rows);
  std::vector<Case> cases = CasesOf(rows);
  if (!options.metric.empty()) cases = OnlyCaseOf(std::move(cases), options.metric);
  if (options.beside != nullptr) ScaleAs(*options.beside, cases, sweeps);
  Picture picture(options.metric.empty() ? Columns() : kNarrow, options.metric);
  for (const Sweep& sweep : sweeps) picture.Add(sweep);
  picture.AddLegend(cases);
  for (const Case& one : cases) picture.Add(one);
  return picture.Finish(run);
}

}  // namespace sibyl::lab
