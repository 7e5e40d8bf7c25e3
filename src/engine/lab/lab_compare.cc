// SPDX-License-Identifier: Apache-2.0
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
    const lab::Measurement* now = nullptr;
    for (const lab::Measurement& other : after.run.measurements) {
      if (other.lab == old.lab && other.is_measured() && lab::MetricKey(other) == key) now = &other;
    }
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
    const lab::Measurement* old = before.run.Find(lab::MetricKey(now));
    if (old == nullptr) outcome.data["only_after"].push_back(now.lab + "/" + lab::MetricKey(now));
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
the second is, and whether the difference exceeds the noise. Needs no GPU.)",
    .parameters = kLabCompareParameters,
    .effects = {.reads = true},
    .tool = {.name = "lab_compare", .is_read_only = true, .is_idempotent = true},
    .run = RunLabCompare,
    .render = RenderLabCompare,
};

}  // namespace sibyl::engine
