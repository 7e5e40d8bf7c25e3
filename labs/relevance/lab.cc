// SPDX-License-Identifier: Apache-2.0
// Lab: relevance of patches to a query. README.md has the algebra, the floor and the results.
#include <cmath>
#include <vector>

#include "harness/buffer.h"
#include "harness/error.h"
#include "harness/narrow.h"
#include "harness/parallel.h"
#include "harness/program.h"
#include "harness/random.h"
#include "relevance/reference.h"
#include "relevance/relevance.h"

namespace sibyl::lab::relevance {
namespace {

// Of a cosine, absolutely: float32 sums of 1536 products of mixed sign.
constexpr double kTolerance = 5e-6;

struct Narrowed {
  std::vector<std::uint16_t> bits;
  std::vector<double> exact;  ///< What the bits mean.
};

Narrowed RandomBf16(std::int64_t count, double scale, std::uint64_t seed) {
  Narrowed narrowed;
  narrowed.bits.resize(static_cast<std::size_t>(count));
  narrowed.exact.resize(static_cast<std::size_t>(count));
  constexpr std::int64_t kPiece = 4096;
  ParallelFor((count + kPiece - 1) / kPiece, [&](std::int64_t piece) {
    const std::int64_t end = std::min(count, (piece + 1) * kPiece);
    for (std::int64_t i = piece * kPiece; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      narrowed.bits[at] =
          FloatToBf16(static_cast<float>(scale * Normal(seed, static_cast<std::uint64_t>(i))));
      narrowed.exact[at] = Bf16ToFloat(narrowed.bits[at]);
    }
  });
  return narrowed;
}

struct Problem {
  Shape shape;
  Narrowed w1, b1, w2, b2, patches, queries;
};

Problem RandomProblem(const Shape& shape, Session& session) {
  const auto draw = [&](std::int64_t count, double scale) {
    return RandomBf16(count, scale, session.NextSeed());
  };
  return {.shape = shape,
          .w1 = draw(std::int64_t{kHidden} * kChannels, 1 / std::sqrt(13.0)),
          .b1 = draw(kHidden, 0.1),
          .w2 = draw(std::int64_t{kFeatures} * kHidden, 1 / std::sqrt(64.0)),
          .b2 = draw(kFeatures, 0.1),
          .patches = draw(shape.images * shape.patches * kChannels, 1),
          .queries = draw(shape.images * kFeatures, 1)};
}

double WorstError(const Problem& problem, const std::vector<float>& scores) {
  const HostWeights weights = {.w1 = problem.w1.exact,
                               .b1 = problem.b1.exact,
                               .w2 = problem.w2.exact,
                               .b2 = problem.b2.exact};
  const auto count = static_cast<std::int64_t>(scores.size());
  // A reference score takes 100,000 multiplications: of many patches every 61st is checked, of all
  // that none is unwritten.
  const std::int64_t step = count > 8192 ? 61 : 1;
  std::vector<ErrorGauge> gauges(static_cast<std::size_t>((count + step - 1) / step));
  ParallelFor(static_cast<std::int64_t>(gauges.size()), [&](std::int64_t i) {
    const std::int64_t at = i * step;
    const std::int64_t image = at / problem.shape.patches;
    const double wanted = ReferenceCosine(weights, problem.patches.exact.data() + at * kChannels,
                                          problem.queries.exact.data() + image * kFeatures);
    gauges[static_cast<std::size_t>(i)].Add(scores[static_cast<std::size_t>(at)], wanted, 1);
  });
  ErrorGauge worst;
  for (const ErrorGauge& gauge : gauges) worst.Add(gauge);
  for (const float score : scores) worst.Add(std::isnan(score) ? score : 0.0, 0, 1);
  return worst.worst();
}

/// Patches, queries and scores on the device, and the weights.
struct OnDevice {
  explicit OnDevice(const Problem& problem, int sets)
      : w1(problem.w1.bits),
        b1(problem.b1.bits),
        w2(problem.w2.bits),
        b2(problem.b2.bits),
        folded(1),
        scores(problem.patches.bits.size() / kChannels) {
    for (int set = 0; set < sets; ++set) {
      patches.emplace_back(problem.patches.bits);
      queries.emplace_back(problem.queries.bits);
    }
    Check(cudaMemset(folded.data(), 0, sizeof(Folded)), "clearing the folded weights");
  }
  Weights weights() const {
    return {.w1 = w1.data(), .b1 = b1.data(), .w2 = w2.data(), .b2 = b2.data()};
  }
  Buffer<std::uint16_t> w1, b1, w2, b2;
  Buffer<Folded> folded;
  Buffer<float> scores;
  std::vector<Buffer<std::uint16_t>> patches, queries;
};

void MeasureVariant(Session& session, const Params& params, const Problem& problem,
                    const OnDevice& device, const std::string& variant) {
  const Launch launch = [&](cudaStream_t stream, int set) {
    const auto at = static_cast<std::size_t>(set);
    Folded* folded = device.folded.data();
    const cudaError_t status =
        variant == "prepared"
            ? Score(folded, device.patches[at].data(), device.queries[at].data(),
                    device.scores.data(), problem.shape, stream)
            : FoldAndScore(device.weights(), folded, device.patches[at].data(),
                           device.queries[at].data(), device.scores.data(), problem.shape, stream);
    Check(status, "launching relevance");
  };
  Check(cudaMemset(device.scores.data(), 0xff, device.scores.size() * 4), "poisoning scores");
  Check(cudaMemset(device.folded.data(), 0, sizeof(Folded)), "clearing the folded weights");
  if (variant == "prepared") {
    Check(Fold(device.weights(), device.folded.data(), nullptr), "folding the weights");
  }
  launch(nullptr, 0);
  Check(cudaDeviceSynchronize(), "scoring");
  const Answer answer = {.variant = variant,
                         .max_rel_err = WorstError(problem, device.scores.Download()),
                         .tolerance = kTolerance};
  if (!session.Accept(params, answer)) return;
  TimingOptions options;
  options.sets = static_cast<int>(device.patches.size());
  const auto count = [](const Narrowed& narrowed) {
    return static_cast<double>(narrowed.bits.size());
  };
  double bytes = 2 * (count(problem.patches) + count(problem.queries)) +
                 4 * static_cast<double>(device.scores.size());
  bytes += variant == "prepared" ? sizeof(float) * (kInputs * kFeatures + kTriangle)
                                 : 2 * (count(problem.w1) + count(problem.w2) + kFeatures);
  session.TimeBytes(params, answer, bytes, launch, options);
}

void Measure(Session& session, const Params& params) {
  const Shape shape = {.images = params.Number("images"), .patches = params.Number("patches")};
  const Problem problem = RandomProblem(shape, session);
  const double bytes = static_cast<double>(problem.patches.bits.size()) * 2;
  const double cache = 4 * static_cast<double>(session.limits().l2_bytes);
  const int sets = 1 + static_cast<int>(std::min(cache / bytes, 63.0));
  const OnDevice device(problem, sets);
  for (const char* variant : {"folding", "prepared"}) {
    if (!session.Wants(variant)) continue;
    if (*WhyNot(shape) != '\0') {
      session.Skip(variant, params, WhyNot(shape));
      continue;
    }
    MeasureVariant(session, params, problem, device, variant);
  }
}

Lab Describe() {
  Lab lab;
  lab.name = "relevance";
  lab.question = "what does the cosine of 13-64-1536 features with a query cost without features?";
  lab.variants = {"folding", "prepared"};
  lab.cases = {{{"images", 256}, {"patches", 1024}}};
  lab.quick_cases = {{{"images", 3}, {"patches", 1032}},
                     {{"images", 1}, {"patches", 8}},
                     {{"images", 2}, {"patches", 2048}},
                     {{"images", 1}, {"patches", 13}}};
  lab.measure = Measure;
  return lab;
}

}  // namespace
}  // namespace sibyl::lab::relevance

int main(int argc, char** argv) {
  return sibyl::lab::RunLab(sibyl::lab::relevance::Describe(), argc, argv);
}
