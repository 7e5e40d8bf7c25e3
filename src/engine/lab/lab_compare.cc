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

// A difference within the noise of the two does not count.
bool IsBeyondNoise(const lab::Measurement& one, const lab::Measurement& other, double times) {
  constexpr double kLeast = 0.01;
  const double noise = kLeast + one.noise + other.noise;
  return times > 1 + noise || times < 1 / (1 + noise);
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
    return fmt::format("they are runs of different labs: {}, and {}", fmt::join(first, ", "),
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
                           {"only_before", Json::array()},
                           {"only_after", Json::array()}}};
  for (const lab::Measurement& old : before.run.measurements) {
    if (!old.is_measured()) continue;
    const std::string key = lab::MetricKey(old);
    const lab::Measurement* now = FindSame(after.run, old);
    const auto times = now == nullptr ? std::nullopt : lab::TimesBetter(*now, old);
    if (!times) {
      outcome.data["only_before"].push_back(old.lab + "/" + key);
      continue;
    }
    outcome.data["compared"].push_back({{"lab", old.lab},
                                        {"variant", old.variant},
                                        {"params", lab::ParamsText(old)},
                                        {"metric", old.metric},
                                        {"unit", old.unit},
                                        {"before", old.value},
                                        {"after", now->value},
                                        {"times_better", *times},
                                        {"beyond_noise", IsBeyondNoise(old, *now, *times)},
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
  if (outcome.data["compared"].empty() || before.id == after.id) {
    outcome.data["unlike"] = WhyUnlike(before, after);
    outcome.holds = false;
  }
  return outcome;
}

constexpr Parameter kLabCompareParameters[] = {
    {.name = "before",
     .value_name = "RUN",
     .help = "the run to compare against",
     .kind = ParameterKind::kPositional,
     .required = true},
    {.name = "after",
     .value_name = "RUN",
     .help = "the other run",
     .kind = ParameterKind::kPositional,
     .required = true},
};

}  // namespace

constexpr Operation kLabCompare = {
    .name = "lab compare",
    .summary = "compare two kept runs",
    .description =
        R"(Compares two kept runs for every variant, case and metric that both measured: how many times better
the second is, and whether the difference exceeds the noise. Exit status 1 means that they have
nothing in common, and says why. Needs no GPU.)",
    .parameters = kLabCompareParameters,
    .effects = {.reads = true},
    .tool = {.name = "lab_compare", .is_read_only = true, .is_idempotent = true},
    .run = RunLabCompare,
    .render = RenderLabCompare,
};

}  // namespace sibyl::engine
