// SPDX-License-Identifier: Apache-2.0
// Lab: layer normalisation, forward and backward. README.md has the floors and the results.
#include <algorithm>
#include <cmath>
#include <vector>

#include "harness/buffer.h"
#include "harness/error.h"
#include "harness/narrow.h"
#include "harness/parallel.h"
#include "harness/program.h"
#include "harness/random.h"
#include "layernorm/layernorm.h"
#include "layernorm/reference.h"

namespace sibyl::lab::layernorm {
namespace {

// bf16's last place is 3.9e-3 of a value; outputs are compared on the scale of the largest of a
// row.
constexpr double kTolerance = 4e-3;
constexpr float kEpsilon = 1e-5F;

std::vector<std::uint16_t> RandomBf16(std::int64_t count, double mean, std::uint64_t seed) {
  std::vector<std::uint16_t> bits(static_cast<std::size_t>(count));
  constexpr std::int64_t kPiece = 1 << 14;
  ParallelFor((count + kPiece - 1) / kPiece, [&](std::int64_t piece) {
    const std::int64_t end = std::min(count, (piece + 1) * kPiece);
    for (std::int64_t i = piece * kPiece; i < end; ++i) {
      const double value = mean + Normal(seed, static_cast<std::uint64_t>(i));
      bits[static_cast<std::size_t>(i)] = FloatToBf16(static_cast<float>(value));
    }
  });
  return bits;
}

std::vector<double> Widened(const std::vector<std::uint16_t>& bits, std::int64_t first,
                            std::int64_t count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    values[static_cast<std::size_t>(i)] = Bf16ToFloat(bits[static_cast<std::size_t>(first + i)]);
  }
  return values;
}

struct Problem {
  Problem(const Shape& rows_and_columns, Session& session)
      : shape(rows_and_columns),
        // Far from zero, so that a variance by the difference of squares would fail.
        x(RandomBf16(shape.rows * shape.columns, 3, session.NextSeed())),
        dy(RandomBf16(shape.rows * shape.columns, 0, session.NextSeed())),
        gamma(RandomBf16(shape.columns, 1, session.NextSeed())),
        beta(RandomBf16(shape.columns, 0, session.NextSeed())),
        device_x(x),
        device_dy(dy),
        device_gamma(gamma),
        device_beta(beta),
        y(x.size()),
        dx(x.size()),
        mean(static_cast<std::size_t>(shape.rows)),
        inverse(static_cast<std::size_t>(shape.rows)),
        dgamma(gamma.size()),
        dbeta(gamma.size()),
        scratch(static_cast<std::size_t>(ScratchFloats(shape))) {
    for (auto* buffer : {&y, &dx}) buffer->Poison();
    for (auto* buffer : {&mean, &inverse, &dgamma, &dbeta, &scratch}) buffer->Poison();
  }
  Forward forward() const {
    return {.x = device_x.data(),
            .gamma = device_gamma.data(),
            .beta = device_beta.data(),
            .y = y.data(),
            .mean = mean.data(),
            .inverse = inverse.data(),
            .epsilon = kEpsilon};
  }
  Backward backward() const {
    return {.x = device_x.data(),
            .dy = device_dy.data(),
            .gamma = device_gamma.data(),
            .mean = mean.data(),
            .inverse = inverse.data(),
            .dx = dx.data(),
            .dgamma = dgamma.data(),
            .dbeta = dbeta.data(),
            .scratch = scratch.data()};
  }
  Shape shape;
  std::vector<std::uint16_t> x, dy, gamma, beta;
  Buffer<std::uint16_t> device_x, device_dy, device_gamma, device_beta, y, dx;
  Buffer<float> mean, inverse, dgamma, dbeta, scratch;
};

double Largest(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

double Worst(const std::vector<ErrorGauge>& gauges) {
  ErrorGauge worst;
  for (const ErrorGauge& gauge : gauges) worst.Add(gauge);
  return worst.worst();
}

double ForwardError(const Problem& problem) {
  const auto y = problem.y.Download();
  const auto mean = problem.mean.Download();
  const auto inverse = problem.inverse.Download();
  const std::int64_t columns = problem.shape.columns;
  const auto gamma = Widened(problem.gamma, 0, columns);
  const auto beta = Widened(problem.beta, 0, columns);
  std::vector<ErrorGauge> gauges(mean.size());
  ParallelFor(problem.shape.rows, [&](std::int64_t row) {
    const Normalised wanted = ReferenceRow(Widened(problem.x, row * columns, columns), kEpsilon);
    std::vector<double> out(wanted.h.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = wanted.h[i] * gamma[i] + beta[i];
    const double scale = Largest(out);
    const auto at = static_cast<std::size_t>(row);
    for (std::size_t i = 0; i < out.size(); ++i) {
      gauges[at].Add(Bf16ToFloat(y[static_cast<std::size_t>(row * columns) + i]), out[i], scale);
    }
    // The statistics are float32 and must be better than the outputs show.
    gauges[at].Add(1000 * mean[at], 1000 * wanted.mean, std::abs(wanted.mean) + 1);
    gauges[at].Add(1000 * inverse[at], 1000 * wanted.inverse, wanted.inverse);
  });
  return Worst(gauges);
}

/// dgamma and dbeta by columns are compared on the scale of a sum of rows normal numbers.
double BackwardError(const Problem& problem) {
  const auto dx = problem.dx.Download();
  const std::int64_t columns = problem.shape.columns;
  const auto gamma = Widened(problem.gamma, 0, columns);
  std::vector<ErrorGauge> gauges(static_cast<std::size_t>(problem.shape.rows));
  constexpr std::int64_t kParts = 32;
  std::vector<std::vector<double>> dgamma(kParts), dbeta(kParts);
  ParallelFor(kParts, [&](std::int64_t part) {
    auto& sum_gamma = dgamma[static_cast<std::size_t>(part)];
    auto& sum_beta = dbeta[static_cast<std::size_t>(part)];
    sum_gamma.resize(static_cast<std::size_t>(columns));
    sum_beta.resize(static_cast<std::size_t>(columns));
    for (std::int64_t row = part; row < problem.shape.rows; row += kParts) {
      const Normalised normal = ReferenceRow(Widened(problem.x, row * columns, columns), kEpsilon);
      const auto dy = Widened(problem.dy, row * columns, columns);
      const auto wanted = ReferenceGradient(normal, dy, gamma);
      const double scale = Largest(wanted);
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        const float got = Bf16ToFloat(dx[static_cast<std::size_t>(row * columns) + i]);
        gauges[static_cast<std::size_t>(row)].Add(got, wanted[i], scale);
        sum_gamma[i] += dy[i] * normal.h[i];
        sum_beta[i] += dy[i];
      }
    }
  });
  const auto got_gamma = problem.dgamma.Download();
  const auto got_beta = problem.dbeta.Download();
  const double scale = std::sqrt(static_cast<double>(problem.shape.rows)) / 100;
  for (std::size_t i = 0; i < got_gamma.size(); ++i) {
    double wanted_gamma = 0;
    double wanted_beta = 0;
    for (std::size_t part = 0; part < kParts; ++part) {
      wanted_gamma += dgamma[part][i];
      wanted_beta += dbeta[part][i];
    }
    gauges[0].Add(got_gamma[i], wanted_gamma, scale);
    gauges[0].Add(got_beta[i], wanted_beta, scale);
  }
  return Worst(gauges);
}

void MeasureForward(Session& session, const Params& params, const Problem& problem,
                    ForwardVariant variant) {
  const std::string name = variant == ForwardVariant::kWarp    ? "forward-warp"
                           : variant == ForwardVariant::kBlock ? "forward-block"
                                                               : "forward-ring";
  if (!session.Wants(name)) return;
  const char* why = WhyNot(variant, problem.shape, session.limits().compute_capability);
  if (*why != '\0') {
    session.Skip(name, params, why);
    return;
  }
  const Launch launch = [&](cudaStream_t stream, int) {
    Check(RunForward(variant, problem.forward(), problem.shape, stream), "launching layernorm");
  };
  Check(cudaMemset(problem.y.data(), 0xff, problem.y.size() * 2), "poisoning y");
  launch(nullptr, 0);
  Check(cudaDeviceSynchronize(), "normalising");
  const Answer answer = {
      .variant = name, .max_rel_err = ForwardError(problem), .tolerance = kTolerance};
  if (!session.Accept(params, answer)) return;
  const auto elements = static_cast<double>(problem.x.size());
  session.TimeBytes(params, answer, 4 * elements + 8.0 * static_cast<double>(problem.shape.rows),
                    launch);
}

void MeasureBackward(Session& session, const Params& params, const Problem& problem,
                     BackwardVariant variant) {
  const std::string name =
      variant == BackwardVariant::kRing ? "backward-ring" : "backward-registers";
  if (!session.Wants(name)) return;
  const char* why = WhyNot(variant, problem.shape, session.limits().compute_capability);
  if (*why != '\0') {
    session.Skip(name, params, why);
    return;
  }
  // The backward pass reads what a forward pass left.
  Check(RunForward(ForwardVariant::kBlock, problem.forward(), problem.shape, nullptr),
        "launching layernorm");
  const Launch launch = [&](cudaStream_t stream, int) {
    Check(RunBackward(variant, problem.backward(), problem.shape, stream), "launching layernorm");
  };
  Check(cudaMemset(problem.dx.data(), 0xff, problem.dx.size() * 2), "poisoning dx");
  launch(nullptr, 0);
  Check(cudaDeviceSynchronize(), "differentiating");
  const Answer answer = {
      .variant = name, .max_rel_err = BackwardError(problem), .tolerance = kTolerance};
  if (!session.Accept(params, answer)) return;
  const auto elements = static_cast<double>(problem.x.size());
  session.TimeBytes(params, answer, 6 * elements + 8.0 * static_cast<double>(problem.shape.rows),
                    launch);
}

void Measure(Session& session, const Params& params) {
  const Problem problem({.rows = params.Number("rows"), .columns = params.Number("columns")},
                        session);
  MeasureForward(session, params, problem, ForwardVariant::kWarp);
  MeasureForward(session, params, problem, ForwardVariant::kBlock);
  MeasureForward(session, params, problem, ForwardVariant::kRing);
  MeasureBackward(session, params, problem, BackwardVariant::kRegisters);
  MeasureBackward(session, params, problem, BackwardVariant::kRing);
}

Lab Describe() {
  Lab lab;
  lab.name = "layernorm";
  lab.question = "how close to the memory floor is layer normalisation, forward and backward?";
  lab.variants = {"forward-warp", "forward-block", "forward-ring", "backward-registers",
                  "backward-ring"};
  lab.cases = {{{"rows", 16384}, {"columns", 4096}}};
  lab.quick_cases = {{{"rows", 7}, {"columns", 1024}},
                     {{"rows", 1}, {"columns", 2048}},
                     {{"rows", 801}, {"columns", 4096}},
                     {{"rows", 300}, {"columns", 8192}}};
  lab.measure = Measure;
  return lab;
}

}  // namespace
}  // namespace sibyl::lab::layernorm

int main(int argc, char** argv) {
  return sibyl::lab::RunLab(sibyl::lab::layernorm::Describe(), argc, argv);
}
