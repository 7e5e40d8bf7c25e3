// SPDX-License-Identifier: Apache-2.0
// Lab: how much occupancy a copy needs, whether the prediction is right, and what the last wave
// costs. README.md reads the curves.
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "harness/buffer.h"
#include "harness/parallel.h"
#include "harness/program.h"
#include "harness/random.h"
#include "occupancy/occupancy.h"

namespace sibyl::lab::occupancy {
namespace {

constexpr int kLoads[] = {1, 2, 4, 8};
struct Limited {
  const char* name;
  Limit limit;
};
constexpr Limited kLimits[] = {{"limited-by-threads", Limit::kThreads},
                               {"limited-by-registers", Limit::kRegisters},
                               {"limited-by-shared-memory", Limit::kSharedMemory}};

std::string VariantOf(int loads) {
  std::string name = "loads-";
  name += std::to_string(loads);
  return name;
}

std::vector<uint4> RandomInput(std::int64_t count, std::uint64_t seed) {
  std::vector<uint4> input(static_cast<std::size_t>(count));
  constexpr std::int64_t kPieces = 64;
  ParallelFor(kPieces, [&](std::int64_t piece) {
    for (std::int64_t i = piece; i < count; i += kPieces) {
      const std::uint64_t low = Mix(seed, 2 * static_cast<std::uint64_t>(i));
      const std::uint64_t high = Mix(seed, 2 * static_cast<std::uint64_t>(i) + 1);
      std::memcpy(&input[static_cast<std::size_t>(i)], &low, 8);
      std::memcpy(reinterpret_cast<char*>(&input[static_cast<std::size_t>(i)]) + 8, &high, 8);
    }
  });
  return input;
}

Measurement LineOf(const std::string& variant, const Params& params, const std::string& metric,
                   const std::string& unit) {
  Measurement line;
  line.variant = variant;
  line.params = params;
  line.metric = metric;
  line.unit = unit;
  line.samples = 1;
  return line;
}

void MeasureCopies(Session& session, const Params& params) {
  const std::int64_t count = params.Number("megabytes") << 16;
  const int blocks = static_cast<int>(params.Number("warps")) * 32 / kBlockThreads;
  const std::vector<uint4> input = RandomInput(count, session.NextSeed());
  const Buffer<uint4> from(input);
  Buffer<uint4> to(input.size());
  for (const int loads : kLoads) {
    const std::string variant = VariantOf(loads);
    if (!session.Wants(variant)) continue;
    if (const int fit = BlocksThatFit(loads, blocks); fit != blocks) {
      session.Skip(variant, params,
                   "of these blocks " + std::to_string(fit) + " fit onto a multiprocessor");
      continue;
    }
    const Launch launch = [&](cudaStream_t stream, int) {
      Check(LimitedCopy(from.data(), to.data(), count, loads, blocks, stream), "launching a copy");
    };
    to.Poison();
    launch(nullptr, 0);
    Check(cudaDeviceSynchronize(), "copying");
    const std::vector<uint4> got = to.Download();
    const bool same = std::memcmp(got.data(), input.data(), input.size() * sizeof(uint4)) == 0;
    const Answer answer = {.variant = variant, .max_rel_err = same ? 0.0 : 1.0, .tolerance = 0};
    if (!session.Accept(params, answer) || session.check_only()) continue;
    const double ceiling = session.CopyCeiling();
    const Timing timing = TimeOnDevice(launch, {}, session.clocks());
    Measurement line = LineOf(variant, params, "rate", "GB/s");
    line.value = 32.0 * static_cast<double>(count) / timing.ms.median / 1e6;
    line.floor = ceiling;
    line.x_floor = ceiling / line.value;
    line.samples = timing.ms.samples;
    line.noise = timing.ms.noise;
    line.max_rel_err = 0;
    line.clocks = timing.clocks;
    session.Report(line);
  }
}

void MeasureResidencies(Session& session, const Params& params) {
  Buffer<int> scratch(4096);
  for (const Limited& limited : kLimits) {
    if (!session.Wants(limited.name)) continue;
    Residency residency;
    Check(MeasureResidency(limited.limit, scratch.data(), &residency), "counting resident blocks");
    const double off = std::abs(residency.seen - residency.predicted);
    if (!session.Accept(params, {.variant = limited.name, .max_rel_err = off, .tolerance = 0})) {
      continue;
    }
    if (session.check_only()) continue;
    Measurement line = LineOf(limited.name, params, "resident_blocks", "1");
    line.value = residency.seen;
    line.floor = residency.predicted;
    line.x_floor = line.value / residency.predicted;
    line.max_rel_err = 0;
    session.Report(line);
  }
}

void MeasureWaves(Session& session, const Params& params) {
  if (!session.Wants("wave")) return;
  constexpr double kMicroseconds = 100;
  const auto percent = static_cast<int>(params.Number("percent"));
  const int wave = BlocksOfAWave();
  const int blocks = wave * percent / 100 + (percent % 100 == 1 ? 1 - wave / 100 : 0);
  const auto cycles = static_cast<long long>(kMicroseconds * session.limits().clock_khz / 1000);
  Buffer<std::uint64_t> count(1);
  const Launch launch = [&](cudaStream_t stream, int) {
    Check(Waves(blocks, cycles, count.data(), stream), "launching waves");
  };
  Check(cudaMemset(count.data(), 0, 8), "clearing the count");
  launch(nullptr, 0);
  Check(cudaDeviceSynchronize(), "running waves");
  const double off = count.Download()[0] == static_cast<std::uint64_t>(blocks) ? 0 : 1;
  if (!session.Accept(params, {.variant = "wave", .max_rel_err = off, .tolerance = 0})) return;
  if (session.check_only()) return;
  const Timing timing = TimeOnDevice(launch, {}, session.clocks());
  Measurement line = LineOf("wave", params, "time", "us");
  line.value = timing.ms.median * 1000;
  // If work could be divided evenly.
  line.floor = kMicroseconds * blocks / wave;
  line.x_floor = line.value / *line.floor;
  line.samples = timing.ms.samples;
  line.noise = timing.ms.noise;
  line.max_rel_err = 0;
  line.clocks = timing.clocks;
  session.Report(line);
}

void Measure(Session& session, const Params& params) {
  const std::string first = params.entries().front().first;
  if (first == "megabytes") return MeasureCopies(session, params);
  if (first == "percent") return MeasureWaves(session, params);
  MeasureResidencies(session, params);
}

Lab Describe() {
  Lab lab;
  lab.name = "occupancy";
  lab.question = "how much occupancy does a copy need, and is the predicted one right?";
  for (const int loads : kLoads) lab.variants.push_back(VariantOf(loads));
  for (const Limited& limited : kLimits) lab.variants.emplace_back(limited.name);
  lab.variants.emplace_back("wave");
  lab.cases = Product({{"megabytes", {256}}, {"warps", {8, 16, 24, 32, 40, 48, 56, 64}}});
  lab.cases.push_back({{"threads", 256}});
  // 101: one block more than a wave.
  for (const Params& params :
       Product({{"percent", {50, 100, 101, 150, 200, 201, 300, 400, 401}}})) {
    lab.cases.push_back(params);
  }
  lab.quick_cases = Product({{"megabytes", {1}}, {"warps", {8, 64}}});
  lab.quick_cases.push_back({{"threads", 256}});
  lab.quick_cases.push_back({{"percent", 101}});
  lab.measure = Measure;
  return lab;
}

}  // namespace
}  // namespace sibyl::lab::occupancy

int main(int argc, char** argv) {
  return sibyl::lab::RunLab(sibyl::lab::occupancy::Describe(), argc, argv);
}
