// SPDX-License-Identifier: Apache-2.0
// Lab: what loss scaling and fp8 scaling cost. README.md has the floors and the results.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "gemm/reference.h"
#include "harness/buffer.h"
#include "harness/error.h"
#include "harness/narrow.h"
#include "harness/parallel.h"
#include "harness/program.h"
#include "harness/random.h"
#include "scaler/decide.h"
#include "scaler/scaler.h"

namespace sibyl::lab::scaler {
namespace {

std::vector<float> RandomFloats(std::int64_t count, std::uint64_t seed) {
  std::vector<float> values(static_cast<std::size_t>(count));
  ParallelFor(64, [&](std::int64_t part) {
    for (std::int64_t i = part; i < count; i += 64) {
      values[static_cast<std::size_t>(i)] =
          static_cast<float>(2000 * Uniform(seed, static_cast<std::uint64_t>(i)) - 1000);
    }
  });
  return values;
}

/// Good and bad steps by turns: the device's state must follow the host's exactly.
bool SameDecisions(std::span<const Tensor> tensors, float* first, std::uint64_t seed) {
  ScalerState host;
  host.interval = 3;
  Buffer<ScalerState> device(std::vector<ScalerState>{host});
  const float original = [&] {
    float value = 0;
    Check(cudaMemcpy(&value, first, 4, cudaMemcpyDeviceToHost), "reading");
    return value;
  }();
  for (std::uint64_t step = 0; step < 40; ++step) {
    const std::uint64_t draw = Mix(seed, step) % 5;
    const float planted = draw == 0 ? INFINITY : draw == 1 ? std::nanf("") : original;
    Check(cudaMemcpy(first, &planted, 4, cudaMemcpyHostToDevice), "planting");
    Check(Unscale(tensors.first(1), device.data(), nullptr), "unscaling");
    Check(Update(device.data(), nullptr), "deciding");
    host.found_bad = draw < 2 ? 1 : 0;
    host = Updated(host);
    const ScalerState got = device.Download()[0];
    if (!(got == host)) return false;
  }
  return true;
}

void MeasureUnscale(Session& session, const Params& params) {
  const std::int64_t tensors = params.Number("tensors");
  const std::int64_t elements = params.Number("elements");
  const std::int64_t stride = (elements + 3) / 4 * 4;
  const std::vector<float> before = RandomFloats(tensors * stride, session.NextSeed());
  Buffer<float> gradients(before);
  std::vector<Tensor> list;
  for (std::int64_t i = 0; i < tensors; ++i) {
    list.push_back({.gradient = gradients.data() + i * stride, .count = elements});
  }
  Buffer<ScalerState> state(std::vector<ScalerState>{ScalerState{.scale = 1024}});
  Check(Unscale(list, state.data(), nullptr), "unscaling");
  Check(cudaDeviceSynchronize(), "unscaling");
  const std::vector<float> after = gradients.Download();
  ErrorGauge gauge;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const bool between = static_cast<std::int64_t>(i) % stride >= elements;
    const double wanted = between ? before[i] : static_cast<double>(before[i]) / 1024;
    gauge.Add(after[i], wanted, 1);
  }
  if (state.Download()[0].found_bad != 0) gauge.Add(NAN, 0, 1);
  if (!SameDecisions(list, gradients.data(), session.NextSeed())) gauge.Add(NAN, 0, 1);
  const Answer answer = {.variant = "unscale", .max_rel_err = gauge.worst(), .tolerance = 0};
  if (!session.Accept(params, answer)) return;
  // From here on by one, so that the numbers do not shrink to nothing while they are timed.
  state.Upload({ScalerState{.scale = 1}});
  gradients.Upload(before);
  session.TimeBytes(params, answer, 8.0 * static_cast<double>(tensors * elements),
                    [&](cudaStream_t stream, int) {
                      Check(Unscale(list, state.data(), stream), "unscaling");
                      Check(Update(state.data(), stream), "deciding");
                    });
}

void MeasureFp8(Session& session, const Params& params) {
  const std::int64_t count = params.Number("tensors") * params.Number("elements");
  const std::vector<float> values = RandomFloats(count, session.NextSeed());
  std::vector<std::uint16_t> bits(values.size());
  float largest = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    bits[i] = FloatToBf16(values[i]);
    largest = std::max(largest, std::abs(Bf16ToFloat(bits[i])));
  }
  const Buffer<std::uint16_t> in(bits);
  Buffer<std::uint8_t> out(bits.size());
  Fp8State host;
  host.scale = 0.5F;
  Buffer<Fp8State> state(std::vector<Fp8State>{host});
  out.Poison();
  Check(Quantise(in.data(), out.data(), count, state.data(), nullptr), "quantising");
  Check(UpdateFp8(state.data(), nullptr), "deciding");
  const std::vector<std::uint8_t> got = out.Download();
  ErrorGauge gauge;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double wanted =
        std::clamp(0.5 * static_cast<double>(Bf16ToFloat(bits[i])), -448.0, 448.0);
    const double quantum = std::exp2(std::max(std::floor(std::log2(std::abs(wanted))), -6.0) - 3);
    // Within half a step of what it should be.
    gauge.Add(gemm::E4m3ToDouble(got[i]), wanted, std::abs(wanted) > 0 ? quantum : 1);
  }
  std::memcpy(&host.largest, &largest, sizeof largest);
  host = Updated(host);
  const Fp8State decided = state.Download()[0];
  if (!(decided == host)) gauge.Add(NAN, 0, 1);
  const Answer answer = {.variant = "fp8", .max_rel_err = gauge.worst(), .tolerance = 0.5};
  if (!session.Accept(params, answer)) return;
  session.TimeBytes(
      params, answer, 3.0 * static_cast<double>(count), [&](cudaStream_t stream, int) {
        Check(Quantise(in.data(), out.data(), count, state.data(), stream), "quantising");
        Check(UpdateFp8(state.data(), stream), "deciding");
      });
}

void Measure(Session& session, const Params& params) {
  if (session.Wants("unscale")) MeasureUnscale(session, params);
  if (session.Wants("fp8")) MeasureFp8(session, params);
}

Lab Describe() {
  Lab lab;
  lab.name = "scaler";
  lab.question = "what do loss scaling and delayed fp8 scaling cost beyond moving the bytes?";
  lab.variants = {"unscale", "fp8"};
  lab.cases = {{{"tensors", 128}, {"elements", 1 << 20}}};
  lab.quick_cases = {{{"tensors", 3}, {"elements", 4099}}, {{"tensors", 1030}, {"elements", 5}}};
  lab.measure = Measure;
  return lab;
}

}  // namespace
}  // namespace sibyl::lab::scaler

int main(int argc, char** argv) {
  return sibyl::lab::RunLab(sibyl::lab::scaler::Describe(), argc, argv);
}
