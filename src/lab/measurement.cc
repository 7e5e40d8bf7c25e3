// SPDX-License-Identifier: Apache-2.0
#include "lab/measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/json.h"

namespace sibyl::lab {
namespace {

Error Wrong(std::string what) {
  return {.kind = ErrorKind::kCorrupt, .message = "reading lab output: " + std::move(what)};
}

Result<std::string> TextOf(const Json& line, const char* name) {
  const auto member = line.find(name);
  if (member == line.end() || !member->is_string()) {
    return Wrong(fmt::format("'{}' is not a string", name));
  }
  return member->get<std::string>();
}

// Null and absent are the same: not known.
Result<std::optional<double>> NumberOf(const Json& line, const char* name) {
  const auto member = line.find(name);
  if (member == line.end() || member->is_null()) return std::optional<double>();
  if (!member->is_number()) return Wrong(fmt::format("'{}' is not a number", name));
  return std::optional(member->get<double>());
}

Status ReadParams(const Json& line, Measurement& measurement) {
  const auto params = line.find("params");
  if (params == line.end() || !params->is_object()) return Wrong("'params' is not an object");
  for (const auto& [name, value] : params->items()) {
    if (!value.is_number() && !value.is_string()) {
      return Wrong(fmt::format("the param '{}' is neither a number nor a string", name));
    }
    measurement.params.emplace_back(name, value.is_string()
                                              ? value.get<std::string>()
                                              : FormatJson(value, JsonLayout::kCompact));
  }
  return {};
}

// Fields that older labs did not print.
Status ReadConditions(const Json& line, Measurement& measurement) {
  const auto clocks = line.find("clocks");
  if (clocks != line.end() && clocks->is_object()) {
    measurement.sm_mhz = SIBYL_TRY(NumberOf(*clocks, "sm_mhz"));
    const auto throttle = clocks->find("throttle");
    const bool is_known = throttle != clocks->end() && throttle->is_string();
    if (is_known && *throttle != "none") measurement.throttle = throttle->get<std::string>();
  }
  const auto libraries = line.find("libraries");
  if (libraries == line.end()) return {};
  if (!libraries->is_object()) return Wrong("'libraries' is not an object");
  for (const auto& [name, version] : libraries->items()) {
    if (!version.is_string())
      return Wrong(fmt::format("the version of '{}' is not a string", name));
    measurement.libraries.emplace_back(name, version.get<std::string>());
  }
  return {};
}

Status ReadFigures(const Json& line, Measurement& measurement) {
  const std::optional<double> value = SIBYL_TRY(NumberOf(line, "value"));
  if (!value) return Wrong("a metric without a 'value'");
  measurement.value = *value;
  measurement.unit = SIBYL_TRY(TextOf(line, "unit"));
  measurement.floor = SIBYL_TRY(NumberOf(line, "floor"));
  measurement.x_floor = SIBYL_TRY(NumberOf(line, "x_floor"));
  measurement.max_rel_err = SIBYL_TRY(NumberOf(line, "max_rel_err"));
  measurement.noise = SIBYL_TRY(NumberOf(line, "noise")).value_or(0);
  const double samples = SIBYL_TRY(NumberOf(line, "samples")).value_or(1);
  constexpr double kMostSamples = 1e9;
  if (!(samples >= 0 && samples <= kMostSamples)) return Wrong("'samples' is out of range");
  measurement.samples = static_cast<std::size_t>(samples);
  measurement.device = SIBYL_TRY(TextOf(line, "device"));
  measurement.driver = SIBYL_TRY(TextOf(line, "driver"));
  measurement.toolkit = SIBYL_TRY(TextOf(line, "toolkit"));
  return ReadConditions(line, measurement);
}

}  // namespace

Result<Measurement> ParseLine(std::string_view line_text) {
  constexpr int kMaxDepth = 6;
  Result<Json> parsed = ParseJson(line_text, {.max_bytes = kMaxLineBytes, .max_depth = kMaxDepth});
  if (!parsed.ok()) return Wrong(parsed.error().message);
  const Json& line = *parsed;
  if (!line.is_object()) return Wrong("not an object");
  Measurement measurement;
  measurement.lab = SIBYL_TRY(TextOf(line, "lab"));
  measurement.variant = SIBYL_TRY(TextOf(line, "variant"));
  SIBYL_TRY(ReadParams(line, measurement));
  const int kinds = static_cast<int>(line.contains("metric")) +
                    static_cast<int>(line.contains("skip")) +
                    static_cast<int>(line.contains("failure"));
  if (kinds != 1) return Wrong("it needs one of 'metric', 'skip' and 'failure'");
  if (line.contains("skip")) measurement.skip = SIBYL_TRY(TextOf(line, "skip"));
  if (line.contains("failure")) measurement.failure = SIBYL_TRY(TextOf(line, "failure"));
  if (!line.contains("metric")) return measurement;
  measurement.metric = SIBYL_TRY(TextOf(line, "metric"));
  if (measurement.metric.empty()) return Wrong("'metric' is empty");
  SIBYL_TRY(ReadFigures(line, measurement));
  return measurement;
}

std::string ParamsText(const Measurement& measurement) {
  std::string text;
  for (const auto& [name, value] : measurement.params) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, value);
  }
  return text;
}

std::string MetricKey(const Measurement& measurement) {
  return fmt::format("{}/{}/{}", measurement.variant, ParamsText(measurement), measurement.metric);
}

bool IsRate(const Measurement& measurement) {
  return measurement.unit.find("/s") != std::string::npos;
}

std::string ReducedBy(const Measurement& measurement) {
  constexpr std::string_view kSettings[] = {"application-clocks", "sync-boost", "display-clock"};
  std::string reasons;
  std::string_view left = measurement.throttle;
  while (!left.empty()) {
    const std::string_view word = left.substr(0, left.find('+'));
    left.remove_prefix(std::min(left.size(), word.size() + 1));
    if (word.empty() || std::ranges::find(kSettings, word) != std::end(kSettings)) continue;
    reasons += fmt::format("{}{}", reasons.empty() ? "" : ", ", word);
  }
  return reasons;
}

std::string_view BoundName(const Measurement& measurement) {
  return IsRate(measurement) ? "ceiling" : "floor";
}

std::string BoundText(const Measurement& measurement) {
  if (!measurement.x_floor || !std::isfinite(*measurement.x_floor)) return {};
  if (!IsRate(measurement)) return fmt::format("{:.3g}x the floor", *measurement.x_floor);
  if (!(*measurement.x_floor > 0)) return {};
  const double share = 100 / *measurement.x_floor;
  return share < 999.5 ? fmt::format("{:.3g} % of the ceiling", share)
                       : fmt::format("{:.0f} % of the ceiling", share);
}

namespace {

/// Four digits, and no exponent where people write none: a count or a limit such as 65504 whole.
std::string NumberText(double value) {
  constexpr double kWritten = 1e7;
  const double size = std::abs(value);
  if (size < 9999.5 || size >= kWritten) return fmt::format("{:.4g}", value);
  if (value == std::floor(value)) return fmt::format("{:.0f}", value);
  const double step = std::pow(10, std::floor(std::log10(size)) - 3);
  return fmt::format("{:.0f}", std::round(value / step) * step);
}

}  // namespace

std::string ValueText(double value, std::string_view unit) {
  if (!std::isfinite(value)) return "not finite";
  const std::string number = NumberText(value);
  return unit == "1" || unit.empty() ? number : fmt::format("{} {}", number, unit);
}

}  // namespace sibyl::lab
