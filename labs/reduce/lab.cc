// SPDX-License-Identifier: Apache-2.0
// Lab: sums, by how the partial sums meet. README.md reads the figures.
#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "harness/buffer.h"
#include "harness/parallel.h"
#include "harness/program.h"
#include "harness/random.h"
#include "reduce/reduce.h"
#include "reduce/reference.h"

namespace sibyl::lab::reduce {
namespace {

// Of the summed magnitudes; a thread adds up to thousands of elements one after another.
constexpr double kTolerance = 1e-5;
constexpr std::int64_t kMostAtomicEach = 1 << 24;

struct Named {
  const char* name;
  Way way;
};
constexpr Named kVariants[] = {
    {"atomic-each", Way::kAtomicEach},   {"atomic-warp", Way::kAtomicWarp},
    {"atomic-block", Way::kAtomicBlock}, {"last-block", Way::kLastBlock},
    {"two-kernels", Way::kTwoKernels},   {"cub", Way::kCub},
};

std::vector<float> RandomInput(std::int64_t count, std::uint64_t seed) {
  std::vector<float> x(static_cast<std::size_t>(count));
  constexpr std::int64_t kPieces = 64;
  ParallelFor(kPieces, [&](std::int64_t piece) {
    for (std::int64_t i = piece; i < count; i += kPieces) {
      // Not centred: a mean of 0.5 makes the sum as large as the magnitudes.
      x[static_cast<std::size_t>(i)] =
          static_cast<float>(Uniform(seed, static_cast<std::uint64_t>(i)));
    }
  });
  return x;
}

/// How many different sums 50 repetitions give: 1 is reproducible.
std::size_t CountSums(const Launch& launch, const Buffer<float>& sum) {
  std::set<float> sums;
  for (int i = 0; i < 50; ++i) {
    launch(nullptr, 0);
    sums.insert(sum.Download()[0]);
  }
  return sums.size();
}

void Measure(Session& session, const Params& params) {
  const std::int64_t count = params.Number("count");
  const std::vector<float> host = RandomInput(count, session.NextSeed());
  const Exact exact = ReferenceSum(host);
  // Small inputs would stay in the cache.
  const int sets = static_cast<int>(std::clamp<std::int64_t>((1 << 26) / count, 1, 64));
  std::vector<Buffer<float>> inputs;
  for (int i = 0; i < sets; ++i) inputs.emplace_back(host);
  Buffer<float> sum(1);
  for (const Named& named : kVariants) {
    if (!session.Wants(named.name)) continue;
    if (named.way == Way::kAtomicEach && count > kMostAtomicEach) continue;
    const Buffer<unsigned char> scratch(ScratchBytes(named.way, count));
    Check(cudaMemset(scratch.data(), 0, scratch.size()), "clearing the scratch memory");
    const Launch launch = [&](cudaStream_t stream, int set) {
      Check(Sum(named.way, inputs[static_cast<std::size_t>(set)].data(), count, sum.data(),
                scratch.data(), scratch.size(), stream),
            "launching a sum");
    };
    sum.Poison();
    launch(nullptr, 0);
    Check(cudaDeviceSynchronize(), "summing");
    // NaN stays NaN and is refused. atomic-each rounds after every element.
    const double error = std::abs(sum.Download()[0] - exact.sum) / exact.scale;
    const double tolerance = named.way == Way::kAtomicEach ? 1e-2 : kTolerance;
    const Answer answer = {.variant = named.name, .max_rel_err = error, .tolerance = tolerance};
    if (!session.Accept(params, answer) || session.check_only()) continue;
    session.TimeBytes(params, answer, 4.0 * static_cast<double>(count), launch, {.sets = sets});
    Measurement sums;
    sums.variant = answer.variant;
    sums.params = params;
    sums.metric.assign("different_sums");
    sums.value = static_cast<double>(CountSums(launch, sum));
    sums.unit.assign(1, '1');
    sums.samples = 1;
    session.Report(sums);
  }
}

Lab Describe() {
  Lab lab;
  lab.name = "reduce";
  lab.question = "what does a sum cost by how its parts meet, and which sums repeat?";
  for (const Named& named : kVariants) lab.variants.emplace_back(named.name);
  lab.cases = Product({{"count", {1 << 14, 1 << 17, 1 << 20, 1 << 23, 1 << 26, 1 << 29}}});
  lab.quick_cases = Product({{"count", {1, 3, 1000, 4097, 1 << 18}}});
  lab.measure = Measure;
  return lab;
}

}  // namespace
}  // namespace sibyl::lab::reduce

int main(int argc, char** argv) {
  return sibyl::lab::RunLab(sibyl::lab::reduce::Describe(), argc, argv);
}
