// SPDX-License-Identifier: Apache-2.0
// The parts of the harness that need no GPU.
#include <cmath>
#include <limits>
#include <vector>

#include "harness/device.h"
#include "harness/error.h"
#include "harness/expect.h"
#include "harness/line.h"
#include "harness/narrow.h"
#include "harness/params.h"
#include "harness/program.h"
#include "harness/random.h"
#include "harness/statistics.h"

namespace sibyl::lab {
namespace {

void TestStatistics(Expectations& expect) {
  expect.True(Summarise({}).samples == 0, "no samples give an empty summary");
  expect.Near(Summarise({3, 1, 2}).median, 2, 0, "the median of an odd number is the middle");
  expect.Near(Summarise({4, 1, 2, 3}).median, 2.5, 0, "the median of an even number is between");
  expect.Near(Summarise({2, 2, 2, 2, 2, 2, 2}).noise, 0, 0, "equal samples have no noise");
  // 100 samples: ranks 40 and 59 of 0..99 are the interval, so an outlier does not move it.
  std::vector<double> samples;
  for (int i = 0; i < 100; ++i) samples.push_back(1000 + i);
  const double plain = Summarise(samples).noise;
  samples[99] = 1e9;
  expect.Near(Summarise(samples).noise, plain, 0, "one outlier leaves the noise as it was");
  expect.Near(plain, 9.5 / 1049.5, 1e-12, "the interval is 0.98 sqrt(n) ranks to either side");
  // The promise itself: the interval holds the true median in about 95 of 100 experiments.
  int held = 0;
  constexpr int kExperiments = 1000;
  for (int experiment = 0; experiment < kExperiments; ++experiment) {
    std::vector<double> draws;
    for (int i = 0; i < 51; ++i) {
      draws.push_back(10 + Normal(1, static_cast<std::uint64_t>(experiment * 51 + i)));
    }
    const Summary summary = Summarise(draws);
    // The interval need not be symmetric about the median; its half width nearly always bounds it.
    if (std::abs(summary.median - 10) <= 1.3 * summary.noise * summary.median) ++held;
  }
  expect.True(held > 900, "the noise covers the true median in nine of ten experiments");
}

void TestLines(Expectations& expect) {
  const Platform platform = {.device = "NVIDIA \"X\"", .driver = "1.2", .toolkit = "13.0"};
  Measurement m;
  m.variant = "fast";
  m.params = {{"rows", 256}, {"type", std::string("bf16")}};
  m.metric = "time";
  m.value = 0.125;
  m.unit = "ms";
  m.floor = 0.1;
  m.x_floor = 1.25;
  m.samples = 15;
  m.noise = 0.002;
  m.max_rel_err = 1e-7;
  expect.Same(
      ToLine("demo", m, platform),
      R"({"lab":"demo","variant":"fast","params":{"rows":256,"type":"bf16"},"metric":"time",)"
      R"("value":0.125,"unit":"ms","floor":0.1,"x_floor":1.25,"samples":15,"noise":0.002,)"
      R"("max_rel_err":1e-07,"device":"NVIDIA \"X\"","driver":"1.2","toolkit":"13.0",)"
      R"("clocks":{"sm_mhz":null,"memory_mhz":null,"throttle":null}})",
      "a measurement is one line of JSON");
  expect.Same(SkipLine("demo", "fast", {}, "no tensor\ncores"),
              R"({"lab":"demo","variant":"fast","params":{},"skip":"no tensor\u000acores"})",
              "a skipped variant says why");
  expect.Same(JsonNumber(std::nan("")), "null", "NaN is null");
  expect.Same(JsonNumber(16777217), "16777217", "whole numbers keep their digits");
}

void TestArguments(Expectations& expect) {
  expect.True(ParseArguments({"--quick", "--check"}).check_only, "--check is understood");
  expect.True(ParseArguments({"--seed", "7"}).seed == 7, "--seed takes a number");
  expect.True(!ParseArguments({"--seed", "x"}).mistake.empty(), "--seed refuses a word");
  expect.True(!ParseArguments({"--variant"}).mistake.empty(), "--variant wants a value");
  expect.True(!ParseArguments({"--fast"}).mistake.empty(), "unknown arguments are refused");
  expect.Same(Product({{"a", {1, 2}}, {"b", {3, 4}}})[1].ToText(), "a=1 b=4",
              "the last axis turns fastest");
}

void TestNumbers(Expectations& expect) {
  expect.Near(HalfToDouble(0x3c00), 1, 0, "3c00 is one");
  expect.Near(HalfToDouble(0x7bff), 65504, 0, "7bff is the largest half");
  expect.Near(HalfToDouble(0x0001), 0x1p-24, 0, "0001 is the smallest half");
  expect.True(std::isnan(HalfToDouble(0xffff)), "the poison is NaN");
  expect.True(FloatToBf16(1.00390625F) == 0x3f80, "bf16 ties go to even");
  expect.True(FloatToBf16(1.01171875F) == 0x3f82, "bf16 ties go to even, upwards too");
  expect.True(std::isnan(Bf16ToFloat(FloatToBf16(std::nanf("")))), "bf16 keeps NaN");
  ErrorGauge gauge;
  gauge.Add(1.5, 1, 2);
  expect.Near(gauge.worst(), 0.25, 0, "errors are relative to the scale");
  gauge.Add(std::nan(""), 1, 1);
  expect.True(std::isinf(gauge.worst()), "NaN for a number is infinitely wrong");
  expect.Same(ThrottleWords(0x4 | 0x20), "power+thermal", "throttle reasons have words");
  expect.Same(ThrottleWords(1), "none", "an idle GPU is not throttled");
  double sum = 0;
  for (std::uint64_t i = 0; i < 10000; ++i) sum += Normal(3, i);
  expect.Near(sum / 10000, 0, 0.05, "normal numbers have mean zero");
}

}  // namespace
}  // namespace sibyl::lab

int main() {
  sibyl::lab::Expectations expect;
  sibyl::lab::TestStatistics(expect);
  sibyl::lab::TestLines(expect);
  sibyl::lab::TestArguments(expect);
  sibyl::lab::TestNumbers(expect);
  return expect.Finish();
}
