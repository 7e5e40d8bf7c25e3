// SPDX-License-Identifier: Apache-2.0
// Lab: attention of queries to contents. README.md has the ceiling and the results.
#include <algorithm>
#include <cmath>
#include <span>
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

std::vector<std::uint16_t> RandomBf16(std::int64_t count, std::uint64_t seed, double scale = 1) {
  std::vector<std::uint16_t> bits(static_cast<std::size_t>(count));
  ParallelFor(64, [&](std::int64_t part) {
    for (std::int64_t i = part; i < count; i += 64) {
      bits[static_cast<std::size_t>(i)] =
          FloatToBf16(static_cast<float>(scale * Normal(seed, static_cast<std::uint64_t>(i))));
    }
  });
  return bits;
}

/// Numbers from first on.
std::vector<double> Widened(const std::vector<std::uint16_t>& bits, std::int64_t first,
                            std::int64_t count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = Bf16ToFloat(bits[static_cast<std::size_t>(first) + i]);
  }
  return values;
}

struct Problem {
  Problem(const Shape& sizes, double steepness, Session& session)
      : shape(sizes),
        q(RandomBf16(shape.heads * shape.queries * shape.width, session.NextSeed(), steepness)),
        k(RandomBf16(shape.heads / shape.share * shape.keys * shape.width, session.NextSeed())),
        v(RandomBf16(shape.heads / shape.share * shape.keys * shape.width, session.NextSeed())),
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
  const std::int64_t step =
      s.queries * s.keys * s.heads > 4'000'000 ? std::max<std::int64_t>(1, s.queries / 13) : 1;
  std::vector<ErrorGauge> gauges(static_cast<std::size_t>(s.heads));
  ParallelFor(s.heads, [&](std::int64_t head) {
    ErrorGauge& gauge = gauges[static_cast<std::size_t>(head)];
    const std::int64_t first_key = head / s.share * s.keys;
    const auto keys = Widened(problem.k, first_key * s.width, s.keys * s.width);
    const auto values = Widened(problem.v, first_key * s.width, s.keys * s.width);
    for (std::int64_t query = 0; query < s.queries; ++query) {
      const std::int64_t row = head * s.queries + query;
      const auto got = Widened(out, row * s.width, s.width);
      for (const double value : got) gauge.Add(std::isnan(value) ? value : 0, 0, 1);
      if (row % step != 0 && query != s.queries - 1) continue;
      const std::int64_t seen = s.causal ? std::min(s.keys, query + 1) : s.keys;
      const auto size = static_cast<std::size_t>(seen * s.width);
      const auto wanted = ReferenceRow(Widened(problem.q, row * s.width, s.width),
                                       std::span(keys).first(size), std::span(values).first(size));
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
                       .keys = params.Number("keys"),
                       .width = params.Number("width"),
                       .causal = params.Number("causal") != 0,
                       .share = params.Number("share")};
  if (!session.Wants("wgmma")) return;
  const char* why = WhyNot(shape, session.limits().compute_capability);
  if (*why != '\0') {
    session.Skip("wgmma", params, why);
    return;
  }
  // Steep: scores 16 times as far apart, so that the largest one often grows by much.
  Problem problem(shape, params.Text("data") == "steep" ? 16 : 1, session);
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
  // Of the visible pairs only: query i of a causal problem sees min(i + 1, keys) keys.
  const auto queries = static_cast<double>(shape.queries);
  const auto keys = static_cast<double>(shape.keys);
  const double both = std::min(queries, keys);
  const double pairs =
      shape.causal ? both * (both + 1) / 2 + (queries - both) * keys : queries * keys;
  const double flop =
      4.0 * static_cast<double>(shape.heads) * pairs * static_cast<double>(shape.width);
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

Params Case(const Shape& shape, std::int64_t batch, const char* data) {
  return {{"batch", batch},           {"heads", shape.heads / batch},
          {"queries", shape.queries}, {"keys", shape.keys},
          {"width", shape.width},     {"causal", std::int64_t{shape.causal}},
          {"share", shape.share},     {"data", std::string(data)}};
}

Lab Describe() {
  Lab lab;
  lab.name = "attention";
  lab.question = "how close to the matrix units' ceiling is the attention forward pass?";
  lab.variants = {"wgmma"};
  for (const bool causal : {false, true}) {
    for (const std::int64_t width : {128, 64, 256}) {
      lab.cases.push_back(Case({64, 4096, 4096, width, causal}, 4, "normal"));
      // One tile, several with a remainder, more queries than keys, one key.
      lab.quick_cases.push_back(Case({1, 128, 128, width, causal}, 1, "normal"));
      lab.quick_cases.push_back(Case({4, 333, 700, width, causal, 2}, 1, "steep"));
      lab.quick_cases.push_back(Case({2, 500, 210, width, causal}, 1, "normal"));
      lab.quick_cases.push_back(Case({1, 70, 1, width, causal}, 1, "normal"));
    }
    lab.cases.push_back(Case({64, 4000, 4000, 128, causal}, 4, "normal"));
    lab.cases.push_back(Case({64, 4096, 4096, 128, causal, 4}, 4, "normal"));
    // More tiles than blocks, so that blocks take several.
    lab.quick_cases.push_back(Case({50, 300, 200, 128, causal}, 1, "steep"));
  }
  lab.measure = Measure;
  return lab;
}

}  // namespace
}  // namespace sibyl::lab::attention

int main(int argc, char** argv) {
  return sibyl::lab::RunLab(sibyl::lab::attention::Describe(), argc, argv);
}
