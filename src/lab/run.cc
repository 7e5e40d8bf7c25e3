// SPDX-License-Identifier: Apache-2.0
#include "lab/run.h"

#include <fmt/format.h>

#include <utility>

#include "base/hash.h"
#include "base/json.h"
#include "base/strings.h"

namespace sibyl::lab {
namespace {

constexpr int kVersion = 1;

}  // namespace

const Measurement* Run::Find(std::string_view key) const {
  for (const Measurement& measurement : measurements) {
    if (measurement.is_measured() && MetricKey(measurement) == key) return &measurement;
  }
  return nullptr;
}

namespace {

// `number` is that of the line before the first.
Status AddNumbered(std::string_view output, std::size_t number, Run& run) {
  for (const std::string_view line : SplitLines(output)) {
    ++number;
    if (Trim(line).empty()) continue;
    Result<Measurement> measurement = ParseLine(line);
    if (!measurement.ok()) {
      Error error = std::move(measurement).error();
      error.message += fmt::format(" (line {})", number);
      return error;
    }
    run.lines.emplace_back(line);
    run.measurements.push_back(*std::move(measurement));
  }
  return {};
}

}  // namespace

Status AddLines(std::string_view output, Run& run) { return AddNumbered(output, 0, run); }

std::string FormatRun(const Run& run) {
  const Json head = {{"sibyl-lab", kVersion}, {"command", run.command}, {"time", run.time}};
  std::string text = FormatJson(head, JsonLayout::kCompact) + '\n';
  for (const std::string& line : run.lines) text += line + '\n';
  return text;
}

Result<Run> ParseRun(std::string_view text) {
  const Error foreign{.kind = ErrorKind::kCorrupt, .message = "reading a lab run: not a lab run"};
  if (text.size() > kMaxRunBytes) return foreign;
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return foreign;
  const Result<Json> head = ParseJson(text.substr(0, end), {.max_bytes = kMaxLineBytes});
  if (!head.ok() || !head->is_object() || !head->contains("sibyl-lab")) return foreign;
  const Json& version = (*head)["sibyl-lab"];
  if (!version.is_number_integer() || version.get<std::int64_t>() != kVersion) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "reading a lab run: written by a newer sibyl"};
  }
  Run run;
  for (const auto& [name, member] :
       {std::pair("command", &run.command), std::pair("time", &run.time)}) {
    const auto found = head->find(name);
    if (found == head->end() || !found->is_string()) return foreign;
    *member = found->get<std::string>();
  }
  SIBYL_TRY(AddNumbered(text.substr(end + 1), 1, run));
  return run;
}

std::string RunId(std::string_view text) {
  constexpr std::size_t kDigits = 16;
  return Sha256(text).substr(0, kDigits);
}

std::optional<double> TimesBetter(const Measurement& one, const Measurement& other) {
  const bool compares = one.is_measured() && other.is_measured() && one.lab == other.lab &&
                        one.metric == other.metric && one.unit == other.unit &&
                        one.params == other.params;
  if (!compares || !(one.value > 0) || !(other.value > 0)) return std::nullopt;
  return IsRate(one) ? one.value / other.value : other.value / one.value;
}

std::string InWords(const Run& run, const Measurement& measurement) {
  std::string text =
      fmt::format("measured by the lab {}: {}", measurement.lab, measurement.variant);
  for (const auto& [name, value] : measurement.params) text += fmt::format(", {} {}", name, value);
  text +=
      fmt::format(": {} {}", measurement.metric, ValueText(measurement.value, measurement.unit));
  if (measurement.floor) {
    text += fmt::format("; {} {}", BoundName(measurement),
                        ValueText(*measurement.floor, measurement.unit));
  }
  if (const std::string bound = BoundText(measurement); !bound.empty()) text += ", " + bound;
  for (const Measurement& other : run.measurements) {
    if (&other == &measurement || other.variant == measurement.variant) continue;
    if (const auto times = TimesBetter(measurement, other)) {
      text += fmt::format("; {:.3g}x {} ({})", *times, other.variant,
                          ValueText(other.value, other.unit));
    }
  }
  if (measurement.max_rel_err) {
    text += fmt::format("; largest error {:.2g}", *measurement.max_rel_err);
  }
  text += fmt::format("; {} samples, noise {:.2g} %; {}, driver {}, CUDA {}", measurement.samples,
                      100 * measurement.noise, measurement.device, measurement.driver,
                      measurement.toolkit);
  for (const auto& [name, version] : measurement.libraries) {
    text += fmt::format(", {} {}", name, version);
  }
  if (const std::string reasons = ReducedBy(measurement); !reasons.empty()) {
    text += fmt::format("; clocks reduced by {}", reasons);
    if (measurement.sm_mhz) text += fmt::format(" to {:.0f} MHz", *measurement.sm_mhz);
  }
  return text + "; " + run.time;
}

}  // namespace sibyl::lab
