// SPDX-License-Identifier: Apache-2.0
#include "engine/lab/lab_conditions.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>

#include "base/strings.h"

namespace sibyl::engine {
namespace {

constexpr std::int64_t kMaxNoisePercent = 5;

// The worst one stands for all.
struct Unfit {
  std::size_t count = 0;
  const lab::Measurement* worst = nullptr;

  void Add(const lab::Measurement& measurement, bool is_worse) {
    ++count;
    if (worst == nullptr || is_worse) worst = &measurement;
  }
};

std::string Share(const Unfit& unfit, const lab::Run& run) {
  const std::size_t all = run.measurements.size();
  return fmt::format("{} of {}", unfit.count, Count(all, "measurement"));
}

std::optional<Finding> JudgeClocks(const lab::Run& run) {
  Unfit unfit;
  for (const lab::Measurement& each : run.measurements) {
    if (!each.is_measured() || lab::ReducedBy(each).empty()) continue;
    unfit.Add(each,
              unfit.worst != nullptr && each.sm_mhz.value_or(0) < unfit.worst->sm_mhz.value_or(0));
  }
  if (unfit.count == 0) return std::nullopt;
  const std::string clock =
      unfit.worst->sm_mhz ? fmt::format(" to {:.0f} MHz", *unfit.worst->sm_mhz) : "";
  return Finding{
      .code = "lab/throttled",
      .message = fmt::format("the GPU reduced its clocks in {}: {} by {}{}", Share(unfit, run),
                             lab::MetricKey(*unfit.worst), lab::ReducedBy(*unfit.worst), clock),
      .hint =
          "wait until the GPU is cool and idle; if the work itself reaches its limit, "
          "--accept-throttled"};
}

std::optional<Finding> JudgeNoise(const lab::Run& run, double limit) {
  Unfit unfit;
  for (const lab::Measurement& each : run.measurements) {
    if (!each.is_measured() || !(100 * each.noise > limit)) continue;
    unfit.Add(each, unfit.worst != nullptr && each.noise > unfit.worst->noise);
  }
  if (unfit.count == 0) return std::nullopt;
  const double noise = 100 * unfit.worst->noise;
  return Finding{
      .code = "lab/noisy",
      .message = fmt::format("{} noisier than {:.0f} %: {} by {:.1f} %", Share(unfit, run), limit,
                             lab::MetricKey(*unfit.worst), noise),
      .hint = fmt::format("stop other work on this machine and repeat; or --max-noise {:.0f}",
                          std::ceil(noise))};
}

}  // namespace

std::vector<Finding> JudgeConditions(const lab::Run& run, const Arguments& arguments,
                                     bool would_be_kept) {
  const auto limit = static_cast<double>(arguments.Integer("max-noise").value_or(kMaxNoisePercent));
  std::vector<Finding> findings;
  for (std::optional<Finding> found :
       {arguments.Has("accept-throttled") ? std::nullopt : JudgeClocks(run),
        JudgeNoise(run, limit)}) {
    if (!found) continue;
    found->severity = would_be_kept ? Severity::kError : Severity::kWarning;
    if (would_be_kept) found->message = "the run is not kept: " + found->message;
    findings.push_back(*std::move(found));
  }
  return findings;
}

Finding StoppedFinding(const std::vector<std::string>& labs) {
  return {.severity = Severity::kError,
          .code = "lab/stopped",
          .message = fmt::format("stopped before the end, since the time was over: {}; the rest is "
                                 "missing",
                                 Join(labs, ", ")),
          .hint = "--max-minutes gives a lab more time"};
}

std::vector<Rule> ConditionRules() {
  return {
      {.code = "lab/throttled",
       .meaning = "the GPU reduced its clocks while the lab measured, by its power limit or "
                  "because it was hot"},
      {.code = "lab/noisy",
       .meaning = "a median is not known well enough: half its 95 % interval is over the limit"},
      {.code = "lab/stopped", .meaning = "a lab ran out of time; the run has what it measured"}};
}

}  // namespace sibyl::engine
