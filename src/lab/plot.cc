// SPDX-License-Identifier: Apache-2.0
#include "lab/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "lab/curve.h"
#include "lab/sweep.h"

namespace sibyl::lab {
namespace {

constexpr int kWidth = 900;
constexpr int kLabelWidth = 260;
constexpr int kValueWidth = 190;
constexpr int kRow = 20;
constexpr int kBar = 14;
constexpr int kGap = 16;

// The variants of one case, which share an axis.
struct Case {
  const Measurement* first = nullptr;
  std::vector<const Measurement*> rows;
  double longest = 0;
};

std::vector<const Measurement*> RowsOf(const Run& run) {
  std::vector<const Measurement*> rows;
  for (const Measurement& row : run.measurements) {
    if (row.is_measured() && std::isfinite(row.value)) rows.push_back(&row);
  }
  return rows;
}

std::vector<Case> CasesOf(const std::vector<const Measurement*>& rows) {
  std::vector<Case> cases;
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::size_t> places;
  for (const Measurement* row : rows) {
    const auto [place, is_new] =
        places.try_emplace({row->lab, ParamsText(*row), row->metric, row->unit}, cases.size());
    if (is_new) cases.push_back({.first = row});
    Case& same = cases[place->second];
    same.rows.push_back(row);
    same.longest = std::max({same.longest, row->value, row->floor.value_or(0)});
  }
  return cases;
}

class Picture {
 public:
  void Add(const Case& one) {
    Text(0, y_ + 13, "h",
         fmt::format("{} {} ({})", one.first->lab, ParamsText(*one.first), one.first->metric));
    y_ += kRow;
    const int top = y_;
    for (const Measurement* row : one.rows) AddRow(*row, one.longest);
    AddFloors(one, top);
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
<style>text{{font:12px sans-serif;fill:#333}}.h{{font-weight:bold}}.b{{fill:#4a7fb5}}.t{{fill:#b0a58f}}.f{{stroke:#b5403a;stroke-width:2}}{4}@media(prefers-color-scheme:dark){{text{{fill:#ddd}}}}</style>
)",
               kWidth, y_, EscapedForSvg(run.command), EscapedForSvg(run.time), kCurveStyle) +
           body_ + "</svg>\n";
  }

 private:
  static int Position(double value, double longest) {
    constexpr int kRoom = kWidth - kLabelWidth - kValueWidth;
    const double share = longest > 0 ? std::clamp(value / longest, 0.0, 1.0) : 0;
    return kLabelWidth + static_cast<int>(std::lround(share * kRoom));
  }

  void AddRow(const Measurement& row, double longest) {
    const int end = Position(row.value, longest);
    const bool is_anchor = row.variant.starts_with("torch");
    Text(8, y_ + 12, "v", row.variant);
    body_ +=
        fmt::format(R"(<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>)"
                    "\n",
                    is_anchor ? "t" : "b", kLabelWidth, y_, std::max(1, end - kLabelWidth), kBar);
    std::string value = ValueText(row.value, row.unit);
    if (row.x_floor) value += fmt::format(", {:.3g}x floor", *row.x_floor);
    Text(end + 6, y_ + 12, "v", value);
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
        body_ += fmt::format(R"(<line class="f" x1="{0}" y1="{1}" x2="{0}" y2="{2}"/>)"
                             "\n",
                             Position(*floor, one.longest), top + static_cast<int>(i) * kRow - 2,
                             top + static_cast<int>(end) * kRow - kRow + kBar + 2);
      }
      i = end;
    }
  }

  void Text(int x, int y, std::string_view kind, std::string_view text) {
    body_ += fmt::format(R"(<text class="{}" x="{}" y="{}">{}</text>)"
                         "\n",
                         kind, x, y, EscapedForSvg(text));
  }

  std::string body_;
  int y_ = 4;
};

}  // namespace

std::string PlotRun(const Run& run) {
  Picture picture;
  std::vector<const Measurement*> rows = RowsOf(run);
  for (const Sweep& sweep : TakeSweeps(rows)) picture.Add(sweep);
  for (const Case& one : CasesOf(rows)) picture.Add(one);
  return picture.Finish(run);
}

}  // namespace sibyl::lab
