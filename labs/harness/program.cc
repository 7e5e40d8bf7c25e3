// SPDX-License-Identifier: Apache-2.0
#include "harness/program.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace sibyl::lab {
namespace {

constexpr const char* kUsage =
    "  --list           what is measured: variants and cases\n"
    "  --quick          small cases only\n"
    "  --check          compare with float64, time nothing\n"
    "  --variant NAME   only this variant\n"
    "  --seed NUMBER    repeat a run's random inputs\n"
    "exit: 0 done, 1 a wrong answer, 2 could not do it, 3 no usable GPU\n";

void PrintLine(const std::string& line) {
  std::printf("%s\n", line.c_str());
  // A lab that faults later must not take earlier measurements with it.
  std::fflush(stdout);
}

int List(const Lab& lab) {
  std::printf("%s: %s\n", lab.name.c_str(), lab.question.c_str());
  for (const std::string& variant : lab.variants) std::printf("  variant %s\n", variant.c_str());
  for (const Params& params : lab.cases) std::printf("  case %s\n", params.ToText().c_str());
  for (const Params& params : lab.quick_cases) {
    std::printf("  quick case %s\n", params.ToText().c_str());
  }
  return static_cast<int>(ExitCode::kDone);
}

int Usage(const Lab& lab, const std::string& mistake) {
  if (mistake.empty()) {
    std::printf("lab_%s: %s\n%s", lab.name.c_str(), lab.question.c_str(), kUsage);
    return static_cast<int>(ExitCode::kDone);
  }
  std::fprintf(stderr, "lab: error: %s\n%s", mistake.c_str(), kUsage);
  return static_cast<int>(ExitCode::kCannot);
}

}  // namespace

Arguments ParseArguments(const std::vector<std::string>& words) {
  Arguments arguments;
  for (std::size_t i = 0; i < words.size() && arguments.mistake.empty(); ++i) {
    const std::string& word = words[i];
    const bool has_value = i + 1 < words.size();
    if (word == "--list") {
      arguments.list = true;
    } else if (word == "--quick") {
      arguments.quick = true;
    } else if (word == "--check") {
      arguments.check_only = true;
    } else if (word == "--help" || word == "-h") {
      arguments.help = true;
    } else if (word == "--variant" && has_value) {
      arguments.variant = words[++i];
    } else if (word == "--seed" && has_value) {
      char* end = nullptr;
      arguments.seed = std::strtoull(words[++i].c_str(), &end, 10);
      if (words[i].empty() || *end != '\0') {
        arguments.mistake = "reading --seed: '" + words[i] + "' is not a whole number";
      }
    } else if (word == "--variant" || word == "--seed") {
      arguments.mistake = "reading the arguments: " + word + " wants a value";
    } else {
      arguments.mistake = "reading the arguments: unknown argument '" + word + "'";
    }
  }
  return arguments;
}

Session::Session(const Lab& lab, const Arguments& arguments)
    : lab_(lab),
      arguments_(arguments),
      platform_(DescribePlatform(clocks_)),
      limits_(Limits()),
      seed_(arguments.seed ? *arguments.seed : std::random_device{}()) {
  std::fprintf(stderr, "lab: %s on %s, driver %s, seed %" PRIu64 "\n", lab.name.c_str(),
               platform_.device.c_str(), platform_.driver.c_str(), seed_);
}

bool Session::Wants(const std::string& variant) const {
  return arguments_.variant.empty() || arguments_.variant == variant;
}

double Session::CopyCeiling() {
  if (copy_ceiling_) return *copy_ceiling_;
  copy_ceiling_ = MeasureCopyCeiling(clocks_);
  Report({.variant = "copy",
          .params = {},
          .metric = "copy_ceiling",
          .value = *copy_ceiling_,
          .unit = "GB/s",
          .floor = {},
          .x_floor = {},
          .samples = 1,
          .noise = 0,
          .max_rel_err = {},
          .clocks = {}});
  return *copy_ceiling_;
}

bool Session::Accept(const Params& params, const Answer& answer) {
  Check(cudaDeviceSynchronize(), ("running " + answer.variant).c_str());
  // Written so that NaN is refused.
  if (answer.max_rel_err <= answer.tolerance) {
    std::fprintf(stderr, "lab: %s %s %s: error %.2e of %.2e allowed\n", lab_.name.c_str(),
                 answer.variant.c_str(), params.ToText().c_str(), answer.max_rel_err,
                 answer.tolerance);
    return true;
  }
  char reason[160];
  std::snprintf(reason, sizeof reason,
                "comparing with float64: the error is %.3g, and at most %.3g is allowed",
                answer.max_rel_err, answer.tolerance);
  Fail(answer.variant, params, reason);
  return false;
}

Timing Session::TimeBytes(const Params& params, const Answer& answer, double bytes,
                          const Launch& launch, const TimingOptions& options) {
  if (arguments_.check_only) return {};
  const double floor_ms = bytes / CopyCeiling() / 1e6;
  Timing timing = TimeOnDevice(launch, options, clocks_);
  Report({.variant = answer.variant,
          .params = params,
          .metric = "time",
          .value = timing.ms.median,
          .unit = "ms",
          .floor = floor_ms,
          .x_floor = timing.ms.median / floor_ms,
          .samples = timing.ms.samples,
          .noise = timing.ms.noise,
          .max_rel_err = answer.max_rel_err,
          .clocks = timing.clocks});
  return timing;
}

void Session::Report(const Measurement& measurement) {
  PrintLine(ToLine(lab_.name, measurement, platform_));
}

void Session::Skip(const std::string& variant, const Params& params, const std::string& reason) {
  PrintLine(SkipLine(lab_.name, variant, params, reason));
}

void Session::Fail(const std::string& variant, const Params& params, const std::string& reason) {
  failed_ = true;
  PrintLine(FailureLine(lab_.name, variant, params, reason));
}

int RunLab(const Lab& lab, int argc, char** argv) {
  Arguments arguments = ParseArguments({argv + 1, argv + argc});
  const auto known = std::find(lab.variants.begin(), lab.variants.end(), arguments.variant);
  if (arguments.mistake.empty() && !arguments.variant.empty() && known == lab.variants.end()) {
    arguments.mistake = "choosing a variant: " + lab.name + " has no '" + arguments.variant +
                        "'; --list shows what it has";
  }
  if (arguments.help || !arguments.mistake.empty()) return Usage(lab, arguments.mistake);
  if (arguments.list) return List(lab);
  const std::string why = WhyNoGpu();
  if (!why.empty()) {
    std::fprintf(stderr, "lab: %s cannot run here: %s\n", lab.name.c_str(), why.c_str());
    return static_cast<int>(ExitCode::kNoGpu);
  }
  Session session(lab, arguments);
  // The awkward sizes are there for their answers; their times say nothing, so a full run leaves
  // them.
  if (arguments.quick || arguments.check_only) {
    for (const Params& params : lab.quick_cases) lab.measure(session, params);
  }
  if (!arguments.quick) {
    for (const Params& params : lab.cases) lab.measure(session, params);
  }
  return static_cast<int>(session.exit_code());
}

}  // namespace sibyl::lab
