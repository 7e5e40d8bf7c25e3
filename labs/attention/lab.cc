// SPDX-License-Identifier: Apache-2.0
// Lab: attention of queries to contents. README.md has the ceiling and the results.
#include <algorithm>
#include <cmath>
#include <vector>

#include "attention/attention.h"
#include "attention/reference.h"
#include "harness/buffer.h"
#include "harness/error.h"
#include "harness/narrow.h"
#include "harness/parallel.h"
#include "harness/program.h"
#include "harness/random.h"

namespace sibyl::lab::attention {
namespace {

// On the scale of a row's largest output: probabilities and outputs are rounded to bf16.
constexpr double kTolerance = 1.5e-2;

std::vector<std::uint16_t> RandomBf16(std::int64_t count, std::uint64_t seed) {
  std::vector<std::uint16_t> bits(static_cast<std::size_t>(count));
  ParallelFor(64, [&](std::int64_t part) {
    for (std::int64_t i = part; i < count; i += 64) {
      bits[static_cast<std::size_t>(i)] =
          FloatToBf16(static_cast<float>(Normal(seed, static_cast<std::uint64_t>(i))));
    }
  });
  return bits;
}

std::vector<double> Widened(const std::vector<std::uint16_t>& bits, std::int64_t row,
                            std::int64_t rows) {
  std::vector<double> values(static_cast<std::size_t>(rows * kWidth));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = Bf16ToFloat(bits[static_cast<std::size_t>(row * kWidth) + i]);
  }
  return values;
}

struct Problem {
  Problem(const Shape& sizes, Session& session)
      : shape(sizes),
        q(RandomBf16(shape.heads * shape.queries * kWidth, session.NextSeed())),
        k(RandomBf16(shape.heads * shape.keys * kWidth, session.NextSeed())),
        v(RandomBf16(shape.heads * shape.keys * kWidth, session.NextSeed())),
        device_q(q),
        device_k(k),
        device_v(v),
        out(q.size()) {}
  Shape shape;
  std::vector<std::uint16_t> q, k, v;
  Buffer<std::uint16_t> device_q, device_k, device_v, out;
};

/// Every row of small problems, some of each head of large ones; every output must have been
/// written.
double WorstError(const Problem& problem) {
  const Shape& s = problem.shape;
  const std::vector<std::uint16_t> out = problem.out.Download();
  const std::int64_t step = s.queries * s.keys * s.heads > 4'000'000 ? s.queries / 13 : 1;
  std::vector<ErrorGauge> gauges(static_cast<std::size_t>(s.heads));
  ParallelFor(s.heads, [&](std::int64_t head) {
    ErrorGauge& gauge = gauges[static_cast<std::size_t>(head)];
    const auto keys = Widened(problem.k, head * s.keys, s.keys);
    const auto values = Widened(problem.v, head * s.keys, s.keys);
    for (std::int64_t row = head * s.queries; row < (head + 1) * s.queries; ++row) {
      const auto got = Widened(out, row, 1);
      for (const double value : got) gauge.Add(std::isnan(value) ? value : 0, 0, 1);
      if (row % step != 0 && row % s.queries != s.queries - 1) continue;
      const auto wanted = ReferenceRow(Widened(problem.q, row, 1), keys, values);
      double scale = 0;
      for (const double value : wanted) scale = std::max(scale, std::abs(value));
      for (std::size_t c = 0; c < wanted.size(); ++c) gauge.Add(got[c], wanted[c], scale);
    }
  });
  ErrorGauge worst;
  for (const ErrorGauge& gauge : gauges) worst.Add(gauge);
  return worst.worst();
}

void Measure(Session& session, const Params& params) {
  const Shape shape = {.heads = params.Number("batch") * params.Number("heads"),
                       .queries = params.Number("queries"),
                       .keys = params.Number("keys")};
  if (!session.Wants("wgmma")) return;
  const char* why = WhyNot(shape, session.limits().compute_capability);
  if (*why != '\0') {
    session.Skip("wgmma", params, why);
    return;
  }
  Problem problem(shape, session);
  const Launch launch = [&](cudaStream_t stream, int) {
    Check(Attend({.q = problem.device_q.data(),
                  .k = problem.device_k.data(),
                  .v = problem.device_v.data(),
                  .out = problem.out.data()},
                 shape, stream),
          "launching attention");
  };
  problem.out.Poison();
  launch(nullptr, 0);
  Check(cudaDeviceSynchronize(), "attending");
  const Answer answer = {
      .variant = "wgmma", .max_rel_err = WorstError(problem), .tolerance = kTolerance};
  if (!session.Accept(params, answer) || session.check_only()) return;
  TimingOptions options;
  options.least_samples = session.quick() ? 15 : 100;
  const Timing timing = TimeOnDevice(launch, options, session.clocks());
  const double flop = 4.0 * static_cast<double>(shape.heads * shape.queries) *
                      static_cast<double>(shape.keys) * kWidth;
  const DeviceLimits& limits = session.limits();
  // Dense bf16 at the highest clock: 4096 FLOP a clock and multiprocessor.
  const double floor_ms = flop / (4096.0 * limits.multiprocessors * limits.clock_khz);
  Measurement line;
  line.variant = "wgmma";
  line.params = params;
  line.metric = "time";
  line.value = timing.ms.median;
  line.unit = "ms";
  line.floor = floor_ms;
  line.x_floor = timing.ms.median / floor_ms;
  line.samples = timing.ms.samples;
  line.noise = timing.ms.noise;
  line.max_rel_err = answer.max_rel_err;
  line.clocks = timing.clocks;
  session.Report(line);
}

Params Case(std::int64_t batch, std::int64_t heads, std::int64_t queries, std::int64_t keys) {
  return {
      {"batch", batch}, {"heads", heads}, {"queries", queries}, {"keys", keys}, {"width", kWidth}};
}

Lab Describe() {
  Lab lab;
  lab.name = "attention";
  lab.question = "how near the matrix units' ceiling is attention forward?";
  lab.variants = {"wgmma"};
  lab.cases = {Case(4, 16, 4096, 4096)};
  lab.quick_cases = {Case(1, 2, 256, 384), Case(1, 1, 128, 128), Case(1, 3, 128, 640)};
  lab.measure = Measure;
  return lab;
}

}  // namespace
}  // namespace sibyl::lab::attention

int main(int argc, char** argv) {
  return sibyl::lab::RunLab(sibyl::lab::attention::Describe(), argc, argv);
}
