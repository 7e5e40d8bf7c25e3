// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>

#include "engine/arguments.h"
#include "engine/lab/lab_operations.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "oracle/lab_runs.h"

namespace sibyl::engine {
namespace {

constexpr std::int64_t kTolerancePercent = 1;

// A difference within the noise of the two, and what runs on one machine differ by anyway, does
// not count.
bool IsBeyondNoise(const lab::Measurement& one, const lab::Measurement& other, double times,
                   double tolerance) {
  const double noise = tolerance + one.noise + other.noise;
  return times > 1 + noise || times < 1 / (1 + noise);
}

// What was measured before and has a wrong answer now.
Json Broken(const lab::Run& before, const lab::Run& after) {
  Json broken = Json::array();
  for (const lab::Measurement& now : after.measurements) {
    if (now.failure.empty()) continue;
    const auto was_measured = [&now](const lab::Measurement& old) {
      return old.is_measured() && old.lab == now.lab && old.variant == now.variant &&
             old.params == now.params;
    };
    if (std::ranges::none_of(before.measurements, was_measured)) continue;
    broken.push_back({{"lab", now.lab},
                      {"variant", now.variant},
                      {"params", lab::ParamsText(now)},
                      {"failure", now.failure}});
  }
  return broken;
}

const lab::Measurement* FindSame(const lab::Run& run, const lab::Measurement& wanted) {
  const std::string key = lab::MetricKey(wanted);
  const lab::Measurement* found = nullptr;
  for (const lab::Measurement& other : run.measurements) {
    const bool is_same =
        other.lab == wanted.lab && other.is_measured() && lab::MetricKey(other) == key;
    if (is_same) found = &other;
  }
  return found;
}

std::set<std::string> LabsOf(const lab::Run& run) {
  std::set<std::string> labs;
  for (const lab::Measurement& each : run.measurements) {
    if (each.is_measured()) labs.insert(each.lab);
  }
  return labs;
}

// Why two runs have nothing to compare.
std::string WhyUnlike(const oracle::KeptRun& before, const oracle::KeptRun& after) {
  if (before.id == after.id) return "both are the same run";
  const std::set<std::string> first = LabsOf(before.run);
  const std::set<std::string> second = LabsOf(after.run);
  for (const oracle::KeptRun* run : {&before, &after}) {
    if (LabsOf(run->run).empty()) return fmt::format("run {} measured nothing", run->id);
  }
  const bool shares_lab =
      std::ranges::any_of(first, [&](const std::string& lab) { return second.contains(lab); });
  if (!shares_lab) {
    return fmt::format("the first run measured {}, the second {}", fmt::join(first, ", "),
                       fmt::join(second, ", "));
  }
  return "no variant, case and metric was measured in both";
}

// What differs between the machines of the compared rows: then the change is not only that of
// the code.
Json MachineDifferences(const Json& compared) {
  Json differences = Json::array();
  for (const char* what : {"device", "driver"}) {
    for (const Json& row : compared) {
      const Json& first = row[std::string(what) + "_before"];
      const Json& second = row[std::string(what) + "_after"];
      if (first == second) continue;
      differences.push_back(fmt::format("measured with different {}s: {}, and {}", what,
                                        first.get<std::string>(), second.get<std::string>()));
      break;
    }
  }
  return differences;
}

Result<Outcome> RunLabCompare(const oracle::Context& context, const Arguments& arguments) {
  const oracle::KeptRun before = SIBYL_TRY(oracle::ReadKeptRun(context, arguments.Text("before")));
  const oracle::KeptRun after = SIBYL_TRY(oracle::ReadKeptRun(context, arguments.Text("after")));
  Outcome outcome{.data = {{"before", before.id},
                           {"after", after.id},
                           {"compared", Json::array()},
                           {"worse", 0},
                           {"broken", Broken(before.run, after.run)},
                           {"only_before", Json::array()},
                           {"only_after", Json::array()}}};
  const double tolerance =
      static_cast<double>(arguments.Integer("tolerance").value_or(kTolerancePercent)) / 100;
  std::size_t worse = 0;
  for (const lab::Measurement& old : before.run.measurements) {
    if (!old.is_measured()) continue;
    const std::string key = lab::MetricKey(old);
    const lab::Measurement* now = FindSame(after.run, old);
    const auto times = now == nullptr ? std::nullopt : lab::TimesBetter(*now, old);
    if (!times) {
      outcome.data["only_before"].push_back(old.lab + "/" + key);
      continue;
    }
    const bool counts = IsBeyondNoise(old, *now, *times, tolerance);
    if (counts && *times < 1) ++worse;
    outcome.data["compared"].push_back({{"lab", old.lab},
                                        {"variant", old.variant},
                                        {"params", lab::ParamsText(old)},
                                        {"metric", old.metric},
                                        {"unit", old.unit},
                                        {"before", old.value},
                                        {"after", now->value},
                                        {"times_better", *times},
                                        {"beyond_noise", counts},
                                        {"device_before", old.device},
                                        {"device_after", now->device},
                                        {"driver_before", old.driver},
                                        {"driver_after", now->driver}});
  }
  for (const lab::Measurement& now : after.run.measurements) {
    if (!now.is_measured()) continue;
    if (FindSame(before.run, now) == nullptr) {
      outcome.data["only_after"].push_back(now.lab + "/" + lab::MetricKey(now));
    }
  }
  outcome.data["differences"] = MachineDifferences(outcome.data["compared"]);
  outcome.data["worse"] = worse;
  outcome.holds = worse == 0 && outcome.data["broken"].empty();
  if (outcome.data["compared"].empty() || before.id == after.id) {
    outcome.data["unlike"] = WhyUnlike(before, after);
    outcome.holds = false;
  }
  return outcome;
}

constexpr Parameter kLabCompareParameters[] = {
    {.name = "before",
     .value_name = "RUN",
     .help = "the run to compare against: its id, the start of it, or a file",
     .kind = ParameterKind::kPositional,
     .required = true},
    {.name = "after",
     .value_name = "RUN",
     .help = "the other run",
     .kind = ParameterKind::kPositional,
     .required = true},
    {.name = "tolerance",
     .value_name = "PERCENT",
     .help = "how much worse a measurement may be, beyond the noise of both runs",
     .type = ValueType::kInteger,
     .default_text = "1",
     .minimum = 0,
     .maximum = 100},
};

}  // namespace

constexpr Operation kLabCompare = {
    .name = "lab compare",
    .summary = "compare two kept runs",
    .description =
        R"(Compares two kept runs for every variant, case and metric that both measured: how many times better
the second is, and whether the difference exceeds the noise. Needs no GPU.

Exit status 1 means that some measurement of the second run is worse beyond the noise, or has a wrong
answer, so that the command guards against regressions: `sibyl lab compare STORED NEW`. It also means
that the runs have nothing in common, and says why.)",
    .parameters = kLabCompareParameters,
    .effects = {.reads = true},
    .tool = {.name = "lab_compare", .is_read_only = true, .is_idempotent = true},
    .run = RunLabCompare,
    .render = RenderLabCompare,
};

}  // namespace sibyl::engine
