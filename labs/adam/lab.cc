// SPDX-License-Identifier: Apache-2.0
// Lab: one Adam step over many tensors. README.md has the floor and the results.
#include <algorithm>
#include <cmath>
#include <vector>

#include "adam/adam.h"
#include "adam/reference.h"
#include "harness/buffer.h"
#include "harness/error.h"
#include "harness/parallel.h"
#include "harness/program.h"
#include "harness/random.h"

namespace sibyl::lab::adam {
namespace {

struct Named {
  const char* name;
  Variant variant;
};
constexpr Named kVariants[] = {{"tensors", Variant::kTensors},
                               {"multi1", Variant::kUnroll1},
                               {"multi2", Variant::kUnroll2},
                               {"multi4", Variant::kUnroll4}};

constexpr double kTolerance = 2e-6;

/// The four arrays of all tensors, one behind the other.
struct State {
  std::vector<float> parameter, gradient, first_moment, second_moment;
};

State RandomState(std::int64_t count, std::uint64_t seed) {
  State state;
  for (auto* array :
       {&state.parameter, &state.gradient, &state.first_moment, &state.second_moment}) {
    array->resize(static_cast<std::size_t>(count));
  }
  constexpr std::int64_t kPiece = 1 << 16;
  ParallelFor((count + kPiece - 1) / kPiece, [&](std::int64_t piece) {
    const std::int64_t end = std::min(count, (piece + 1) * kPiece);
    for (std::int64_t i = piece * kPiece; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const auto index = static_cast<std::uint64_t>(4 * i);
      // Two uniform numbers instead of a normal one: half a billion are drawn.
      const auto draw = [&](std::uint64_t k) {
        return static_cast<float>(2 * Uniform(seed, index + k) - 1);
      };
      state.parameter[at] = draw(0);
      state.gradient[at] = 0.1F * draw(1);
      state.first_moment[at] = 0.01F * draw(2);
      state.second_moment[at] = 1e-3F * std::abs(draw(3));
    }
  });
  return state;
}

class Problem {
 public:
  Problem(std::int64_t tensors, std::int64_t elements, std::uint64_t seed)
      // Each tensor starts at a multiple of 16 bytes.
      : stride_((elements + 3) / 4 * 4),
        elements_(elements),
        before_(RandomState(tensors * stride_, seed)),
        parameter_(before_.parameter),
        gradient_(before_.gradient),
        first_(before_.first_moment),
        second_(before_.second_moment) {
    for (std::int64_t i = 0; i < tensors; ++i) {
      list_.push_back({.parameter = parameter_.data() + i * stride_,
                       .gradient = gradient_.data() + i * stride_,
                       .first_moment = first_.data() + i * stride_,
                       .second_moment = second_.data() + i * stride_,
                       .count = elements});
    }
  }
  void Reset() {
    parameter_.Upload(before_.parameter);
    first_.Upload(before_.first_moment);
    second_.Upload(before_.second_moment);
  }
  const std::vector<Tensor>& list() const { return list_; }

  /// Errors of the parameter relative to the rate or its own size, of the moments to their own.
  /// What lies between tensors must not have changed.
  double WorstError(const Settings& settings) const {
    const std::vector<float> parameter = parameter_.Download();
    const std::vector<float> first = first_.Download();
    const std::vector<float> second = second_.Download();
    const auto count = static_cast<std::int64_t>(parameter.size());
    constexpr std::int64_t kPieces = 64;
    std::vector<ErrorGauge> gauges(kPieces);
    ParallelFor(kPieces, [&](std::int64_t piece) {
      ErrorGauge& gauge = gauges[static_cast<std::size_t>(piece)];
      for (std::int64_t i = piece; i < count; i += kPieces) {
        const auto at = static_cast<std::size_t>(i);
        const Element start = {.parameter = before_.parameter[at],
                               .first_moment = before_.first_moment[at],
                               .second_moment = before_.second_moment[at]};
        const bool between = i % stride_ >= elements_;
        const Element wanted =
            between ? start : ReferenceStep(start, before_.gradient[at], settings);
        gauge.Add(parameter[at], wanted.parameter,
                  std::max(std::abs(wanted.parameter), static_cast<double>(settings.rate)));
        gauge.Add(first[at], wanted.first_moment, 0.01);
        gauge.Add(second[at], wanted.second_moment, wanted.second_moment);
      }
    });
    ErrorGauge worst;
    for (const ErrorGauge& gauge : gauges) worst.Add(gauge);
    return worst.worst();
  }

 private:
  std::int64_t stride_;
  std::int64_t elements_;
  State before_;
  Buffer<float> parameter_, gradient_, first_, second_;
  std::vector<Tensor> list_;
};

void Measure(Session& session, const Params& params) {
  const std::int64_t tensors = params.Number("tensors");
  const std::int64_t elements = params.Number("elements");
  Problem problem(tensors, elements, session.NextSeed());
  const Settings settings = {.weight_decay = 0.01F, .step = 7};
  for (const Named& named : kVariants) {
    if (!session.Wants(named.name)) continue;
    const Launch launch = [&](cudaStream_t stream, int) {
      Check(Step(named.variant, problem.list(), settings, stream), "launching adam");
    };
    problem.Reset();
    launch(nullptr, 0);
    Check(cudaDeviceSynchronize(), "updating");
    const Answer answer = {.variant = named.name,
                           .max_rel_err = problem.WorstError(settings),
                           .tolerance = kTolerance};
    if (!session.Accept(params, answer)) continue;
    session.TimeBytes(params, answer, 28.0 * static_cast<double>(tensors * elements), launch);
  }
}

Lab Describe() {
  Lab lab;
  lab.name = "adam";
  lab.question = "how close to the memory floor is one Adam step over many tensors?";
  for (const Named& named : kVariants) lab.variants.emplace_back(named.name);
  lab.cases = {{{"tensors", 128}, {"elements", 1 << 20}}};
  lab.quick_cases = {{{"tensors", 3}, {"elements", 10007}},
                     {{"tensors", 600}, {"elements", 129}},
                     {{"tensors", 1}, {"elements", 1}},
                     {{"tensors", 2}, {"elements", 8192}}};
  lab.measure = Measure;
  return lab;
}

}  // namespace
}  // namespace sibyl::lab::adam

int main(int argc, char** argv) {
  return sibyl::lab::RunLab(sibyl::lab::adam::Describe(), argc, argv);
}
