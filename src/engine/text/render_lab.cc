// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/strings.h"
#include "engine/text/columns.h"
#include "engine/text/json_field.h"
#include "engine/text/render.h"
#include "engine/text/render_source.h"

namespace sibyl::engine {
namespace {

constexpr std::size_t kBarColumns = 24;

std::string Value(double value, const std::string& unit) {
  return fmt::format("{:.4g}{}{}", value, unit == "1" ? "" : " ", unit == "1" ? "" : unit);
}

// Full when it is at the floor; half when it takes twice as long, or has half the rate.
std::string Bar(double x_floor) {
  const double share = x_floor > 0 ? std::clamp(1 / x_floor, 0.0, 1.0) : 0;
  const auto filled = static_cast<std::size_t>(std::lround(share * kBarColumns));
  return std::string(filled, '#') + std::string(kBarColumns - filled, '.');
}

std::string RenderMeasurement(const Json& row, std::size_t columns, const Terminal& terminal) {
  std::string text = "  " + PadRight(Text(row, "variant"), columns) + "  ";
  if (row.contains("skip"))
    return text + Styled("skipped: " + Text(row, "skip"), Style::kDim, terminal);
  if (row.contains("failure")) {
    return text + Styled("wrong: " + Text(row, "failure"), Style::kRed, terminal);
  }
  constexpr std::size_t kMetric = 12;
  constexpr std::size_t kValue = 14;
  text += PadRight(Text(row, "metric"), kMetric) + "  " +
          PadLeft(Value(row["value"].get<double>(), Text(row, "unit")), kValue);
  if (!row["x_floor"].is_null()) {
    const double x_floor = row["x_floor"].get<double>();
    text += fmt::format("  {}  {}", Bar(x_floor), Text(row, "of_bound"));
  }
  if (!row["max_rel_err"].is_null()) {
    text += fmt::format(", error {:.1e}", row["max_rel_err"].get<double>());
  }
  if (row.contains("clocks_reduced_by")) {
    text += fmt::format(", clocks reduced by {}", Text(row, "clocks_reduced_by"));
  }
  return text;
}

}  // namespace

Rendered RenderLabList(const Outcome& outcome, const RenderOptions& options) {
  Rendered rendered{.talk = RenderTalk(outcome, options)};
  std::size_t columns = 0;
  for (const Json& lab : outcome.data["labs"]) columns = std::max(columns, Text(lab, "lab").size());
  for (const Json& lab : outcome.data["labs"]) {
    const std::string what = lab.contains("error") ? Text(lab, "error") : Text(lab, "question");
    rendered.results += fmt::format(
        "{}  {}\n", Styled(PadRight(Text(lab, "lab"), columns), Style::kBold, options.terminal),
        what);
  }
  for (const Json& run : outcome.data["runs"]) {
    rendered.results +=
        run.contains("error")
            ? fmt::format("run {}: {}\n", Text(run, "run"), Text(run, "error"))
            : fmt::format("run {}  {}  {}: {}, {}\n", Text(run, "run"), Text(run, "time"),
                          Text(run, "command"),
                          Count(run["measurements"].get<std::size_t>(), "measurement"),
                          Text(run, "device"));
  }
  return rendered;
}

Rendered RenderLabRun(const Outcome& outcome, const RenderOptions& options) {
  const Json& data = outcome.data;
  if (data.contains("built")) {
    Rendered built;
    for (const Json& row : data["built"]) built.results += Text(row, "path") + '\n';
    return built;
  }
  Rendered rendered{.talk = RenderTalk(outcome, options)};
  std::size_t columns = 0;
  for (const Json& row : data["measurements"]) {
    columns = std::max(columns, Text(row, "variant").size());
  }
  std::string last;
  for (const Json& row : data["measurements"]) {
    const std::string heading = Text(row, "lab") + " " + Text(row, "params");
    if (heading != last) {
      rendered.results += Styled(heading, Style::kBold, options.terminal) + '\n';
      last = heading;
    }
    rendered.results += RenderMeasurement(row, columns, options.terminal) + '\n';
  }
  if (data["measurements"].empty()) {
    rendered.talk += "sibyl: nothing was measured\n";
  } else if (!data["run"].is_null()) {
    rendered.talk += fmt::format("sibyl: run {0}; 'sibyl lab show {0} --svg FILE' draws it\n",
                                 Text(data, "run"));
  }
  return rendered;
}

Rendered RenderLabCompare(const Outcome& outcome, const RenderOptions& options) {
  const Json& data = outcome.data;
  Rendered rendered{.talk = RenderTalk(outcome, options)};
  if (data.contains("unlike")) {
    rendered.results = fmt::format("cannot be compared: {}\n", Text(data, "unlike"));
    return rendered;
  }
  for (const Json& difference : data["differences"]) {
    rendered.results += Harmless(difference.get<std::string>()) + '\n';
  }
  for (const Json& row : data["compared"]) {
    const double times = row["times_better"].get<double>();
    const bool counts = row["beyond_noise"].get<bool>();
    const Style style = !counts ? Style::kDim : times > 1 ? Style::kGreen : Style::kRed;
    const std::string unit = Text(row, "unit");
    rendered.results += fmt::format(
        "{} {} {} {}: {} -> {}, {}\n", Text(row, "lab"), Text(row, "variant"), Text(row, "params"),
        Text(row, "metric"), Value(row["before"].get<double>(), unit),
        Value(row["after"].get<double>(), unit),
        Styled(counts ? fmt::format("{:.3g}x", times) : "the same within the noise", style,
               options.terminal));
  }
  for (const Json& row : data["broken"]) {
    rendered.results +=
        fmt::format("{} {} {}: {}\n", Text(row, "lab"), Text(row, "variant"), Text(row, "params"),
                    Styled("wrong now: " + Text(row, "failure"), Style::kRed, options.terminal));
  }
  for (const char* name : {"only_before", "only_after"}) {
    for (const Json& key : data[name]) {
      rendered.results += fmt::format(
          "{}: {}\n",
          std::string_view(name) == "only_before" ? "only in the first" : "only in the second",
          Harmless(key.get<std::string>()));
    }
  }
  const auto worse = data["worse"].get<std::size_t>();
  if (worse > 0) {
    rendered.talk += fmt::format("sibyl: {} of {} worse than before\n", worse,
                                 Count(data["compared"].size(), "measurement"));
  }
  return rendered;
}

}  // namespace sibyl::engine
