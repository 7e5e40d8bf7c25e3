// SPDX-License-Identifier: Apache-2.0
#include "lab/curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace sibyl::lab {
namespace {

constexpr int kLeft = 80;
constexpr int kRight = 640;
constexpr int kTop = 26;
constexpr int kBottom = 205;
constexpr int kUnder = 52;  // From the axis to the legend: beside it, a small screen would cut it.
constexpr int kLine = 15;
constexpr int kColours = 8;
constexpr int kZeroGap = 50;      // Between zero and the least value of a logarithmic axis.
constexpr double kTiny = 1e-300;  // Below it, powers of ten become zero.
constexpr std::size_t kMostTicks = 20;

struct Range {
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  bool has_zero = false;

  // Zero does not count for the least: it has no logarithm.
  void Add(double value) {
    if (!std::isfinite(value)) return;
    if (value > 0) {
      least = std::min(least, value);
    } else {
      has_zero = true;
    }
    most = std::max(most, value);
  }
  double Least() const { return std::isfinite(least) ? least : 0; }
};

// "1Mi" and "48Ki" of powers of two, as sizes are; "1.5M" of others: an axis has room for no more.
std::string TickText(double value) {
  constexpr double kLong = 1e5;
  const double size = std::abs(value);
  if (!std::isfinite(value) || size < kLong) return fmt::format("{:.6g}", value);
  struct Unit {
    double factor;
    std::string_view name;
  };
  constexpr double kKi = 1024;
  for (const Unit unit : {Unit{kKi * kKi * kKi, "Gi"}, Unit{kKi * kKi, "Mi"}, Unit{kKi, "Ki"}}) {
    if (size >= unit.factor && std::fmod(size, unit.factor) == 0) {
      return fmt::format("{:.6g}{}", value / unit.factor, unit.name);
    }
  }
  for (const Unit unit : {Unit{1e12, "T"}, Unit{1e9, "G"}, Unit{1e6, "M"}, Unit{1e3, "k"}}) {
    if (size >= unit.factor) return fmt::format("{:.4g}{}", value / unit.factor, unit.name);
  }
  return fmt::format("{:.6g}", value);
}

// From values to pixels; by their logarithms if they differ by a large factor. Then zero is
// where the axis begins, and the other values begin after a gap.
class Scale {
 public:
  Scale(const Range& range, double log_from, int begin, int end)
      : is_log_(range.Least() > kTiny && range.most / range.Least() >= log_from),
        has_gap_(is_log_ && range.has_zero),
        least_(is_log_ ? range.Least() : 0),
        most_(range.most > least_ ? range.most : least_ + 1),
        zero_(begin),
        begin_(has_gap_ ? begin + (end > begin ? kZeroGap : -kZeroGap) : begin),
        end_(end) {}

  bool has_gap() const { return has_gap_; }
  int Gap() const { return (zero_ + begin_) / 2; }

  int At(double value) const {
    if (is_log_ && value <= 0) return zero_;
    const double share = is_log_ ? std::log(value / least_) / std::log(most_ / least_)
                                 : (value - least_) / (most_ - least_);
    return begin_ + static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * (end_ - begin_)));
  }

  std::vector<double> Ticks() const {
    std::vector<double> ticks;
    if (has_gap_) ticks.push_back(0);
    if (is_log_) {
      for (double decade = std::pow(10, std::floor(std::log10(least_))); decade <= most_;
           decade *= 10) {
        for (const double digit : {1.0, 2.0, 5.0}) {
          const bool is_wanted = digit == 1 || most_ / least_ < 200;
          const double tick = decade * digit;
          if (is_wanted && tick >= least_ && tick <= most_) ticks.push_back(tick);
        }
      }
      return ticks;
    }
    const double step = std::pow(10, std::floor(std::log10(most_)));
    const double width = most_ / step < 2 ? step / 4 : most_ / step < 5 ? step / 2 : step;
    for (double tick = 0; tick <= most_ && ticks.size() < kMostTicks; tick += width) {
      ticks.push_back(tick);
    }
    return ticks;
  }

 private:
  bool is_log_;
  bool has_gap_;
  double least_;
  double most_;
  int zero_;
  int begin_;
  int end_;
};

class Drawing {
 public:
  Drawing(const Sweep& sweep, int y)
      : sweep_view_(sweep), y_(y), x_(RangeOfX()), values_({}, 1, 0, 1) {
    Range range;
    for (const auto* all : {&sweep.series, &sweep.scaled_as}) {
      for (const SweepSeries& series : *all) {
        for (const SweepPoint& point : series.points) {
          xs_.insert(point.x);
          range.Add(point.row->value);
          if (point.row->floor) range.Add(*point.row->floor);
        }
      }
    }
    values_ = Scale(range, 20, y + kBottom, y + kTop);
  }

  std::string Draw() {
    const Measurement& first = *sweep_view_.series.front().points.front().row;
    Text(0, y_ + 13, "h",
         fmt::format("{} {} ({}{}{})", first.lab, sweep_view_.case_of, first.metric,
                     first.unit == "1" ? "" : ", ", first.unit == "1" ? "" : first.unit));
    DrawAxes();
    DrawFloors();
    int row = 0;
    for (const SweepSeries& series : sweep_view_.series) DrawSeries(series, row++);
    if (has_floor_) {
      Line("f l d", kLeft, LegendAt(row), kLeft + 22);
      Text(kLeft + 28, LegendAt(row) + 4, "v", BoundName(first));
    }
    return std::move(body_);
  }

 private:
  Scale RangeOfX() const {
    Range range;
    for (const auto* all : {&sweep_view_.series, &sweep_view_.scaled_as}) {
      for (const SweepSeries& series : *all) {
        for (const SweepPoint& point : series.points) range.Add(point.x);
      }
    }
    return {range, 8, kLeft + 12, kRight};
  }

  int LegendAt(int row) const { return y_ + kBottom + kUnder + row * kLine; }

  void Text(int x, int y, std::string_view kind, std::string_view text) {
    body_ += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", kind, x, y,
                         EscapedForSvg(text));
  }
  void Line(std::string_view kind, int x, int y, int to) {
    body_ += fmt::format("<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", kind, x,
                         y, to, y);
  }

  void DrawAxes() {
    Line("a", kLeft, y_ + kBottom, kRight);
    for (const double tick : values_.Ticks()) {
      const int at = values_.At(tick);
      Line("g", kLeft, at, kRight);
      Text(4, at + 4, "v", TickText(tick));
    }
    constexpr int kLabelRoom = 46;
    int last = -kLabelRoom;
    for (const double x : xs_) {
      const int at = x_.At(x);
      if (at - last < kLabelRoom) continue;
      Text(at - 8, y_ + kBottom + 16, "v", TickText(x));
      last = at;
    }
    if (x_.has_gap()) Text(x_.Gap() - 4, y_ + kBottom + 4, "v", "//");
    Text(kLeft, y_ + kBottom + 34, "v", sweep_view_.axis);
  }

  void Polyline(std::string_view kind, const std::vector<std::pair<int, int>>& points) {
    std::string list;
    for (const auto& [x, y] : points) {
      list += fmt::format("{}{},{}", list.empty() ? "" : " ", x, y);
    }
    body_ += fmt::format("<polyline class=\"{}\" points=\"{}\"/>\n", kind, list);
  }

  // Series with one floor share its line.
  void DrawFloors() {
    std::set<std::vector<std::pair<int, int>>> drawn;
    for (const SweepSeries& series : sweep_view_.series) {
      std::vector<std::pair<int, int>> points;
      for (const SweepPoint& point : series.points) {
        const auto floor = point.row->floor;
        if (floor && std::isfinite(*floor)) points.emplace_back(x_.At(point.x), values_.At(*floor));
      }
      if (points.empty()) continue;
      has_floor_ = true;
      if (drawn.insert(points).second) Polyline("f l d", points);
    }
  }

  void DrawSeries(const SweepSeries& series, int row) {
    const std::string colour = fmt::format("s{}", row % kColours);
    std::vector<std::pair<int, int>> points;
    for (const SweepPoint& point : series.points) {
      points.emplace_back(x_.At(point.x), values_.At(point.row->value));
    }
    Polyline("l " + colour, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Measurement& measured = *series.points[i].row;
      body_ += fmt::format(
          "<circle class=\"l {}\" cx=\"{}\" cy=\"{}\" r=\"3\"><title>{} at {}: {}</title>"
          "</circle>\n",
          colour, points[i].first, points[i].second, EscapedForSvg(series.name),
          TickText(series.points[i].x), EscapedForSvg(ValueText(measured.value, measured.unit)));
    }
    Line("l " + colour, kLeft, LegendAt(row), kLeft + 22);
    Text(kLeft + 28, LegendAt(row) + 4, "v", series.name);
  }

  const Sweep& sweep_view_;
  int y_;
  Scale x_;
  Scale values_;
  std::set<double> xs_;
  bool has_floor_ = false;
  std::string body_;
};

}  // namespace

std::string EscapedForSvg(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return escaped;
}

int CurveHeight(const Sweep& sweep) {
  const int series = static_cast<int>(std::min<std::size_t>(sweep.series.size(), 1'000'000));
  return kBottom + kUnder + (series + 1) * kLine;  // and the floor
}

std::string DrawCurve(const Sweep& sweep, int y) { return Drawing(sweep, y).Draw(); }

}  // namespace sibyl::lab
