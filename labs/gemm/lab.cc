// SPDX-License-Identifier: Apache-2.0
// Lab: one matrix product by every road. README.md has the ceilings and the results.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "gemm/cublaslt.h"
#include "gemm/gemm.h"
#include "gemm/reference.h"
#include "harness/buffer.h"
#include "harness/error.h"
#include "harness/narrow.h"
#include "harness/parallel.h"
#include "harness/program.h"
#include "harness/random.h"

namespace sibyl::lab::gemm {
namespace {

Type TypeOf(const std::string& name) {
  for (int i = 0; i < 5; ++i) {
    if (name == kTypeNames[i]) return static_cast<Type>(i);
  }
  return Type::kFloat;
}

/// In units of the root of the summed squares. An output of four such units, rounded to bf16, is
/// off by 0.8 % of one; the fp8 units keep fewer bits of their sums.
double Tolerance(Type type) {
  switch (type) {
    case Type::kFloat:
      return 1e-4;
    case Type::kTf32:
    case Type::kHalf:
      return 3e-3;
    case Type::kBf16:
      return 1.6e-2;
    case Type::kE4m3:
      break;
  }
  return 4e-2;
}

/// FLOP a multiprocessor does in a clock, by the vendor's tables for compute capability 9.0.
double FlopPerClock(Type type) {
  constexpr double kRates[] = {256, 2048, 4096, 4096, 8192};
  return kRates[static_cast<int>(type)];
}

struct Problem {
  Problem(Type element, const Shape& sizes, Session& session)
      : type(element),
        shape(sizes),
        a(RandomMatrix(type, shape.m * shape.k, session.NextSeed())),
        b(RandomMatrix(type, shape.n * shape.k, session.NextSeed())),
        device_a(a),
        device_b(b),
        c(static_cast<std::size_t>(shape.m * shape.n * OutputBytes(type))) {}
  Operands operands() const { return {.a = device_a.data(), .b = device_b.data(), .c = c.data()}; }
  Type type;
  Shape shape;
  std::vector<unsigned char> a, b;
  Buffer<unsigned char> device_a, device_b;
  Buffer<unsigned char> c;
};

double OutputAt(Type type, const std::vector<unsigned char>& c, std::int64_t index) {
  const auto width = static_cast<std::size_t>(OutputBytes(type));
  std::uint32_t bits = 0;
  std::memcpy(&bits, c.data() + static_cast<std::size_t>(index) * width, width);
  if (width == 4) return std::bit_cast<float>(bits);
  const auto narrow = static_cast<std::uint16_t>(bits);
  return type == Type::kHalf ? HalfToDouble(narrow) : Bf16ToFloat(narrow);
}

/// Every element must have been written; small products are compared whole, large ones at 20,000
/// random places and along the last row and column.
double WorstError(const Problem& problem, std::uint64_t seed) {
  const Shape& s = problem.shape;
  const std::vector<unsigned char> c = problem.c.Download();
  const std::int64_t elements = s.m * s.n;
  const bool whole = s.m * s.n * s.k < (std::int64_t{1} << 28);
  const std::int64_t count = whole ? elements : 20000;
  constexpr std::int64_t kParts = 256;
  std::vector<ErrorGauge> gauges(kParts);
  ParallelFor(kParts, [&](std::int64_t part) {
    ErrorGauge& gauge = gauges[static_cast<std::size_t>(part)];
    for (std::int64_t i = part; i < count; i += kParts) {
      std::int64_t at = i;
      if (!whole) {
        at = static_cast<std::int64_t>(Mix(seed, static_cast<std::uint64_t>(i)) %
                                       static_cast<std::uint64_t>(elements));
        if (i % 8 == 0) at = (s.m - 1) * s.n + at % s.n;
        if (i % 8 == 1) at = at / s.n * s.n + s.n - 1;
      }
      const Dot wanted =
          ReferenceDot(problem.type, {problem.a, at / s.n}, {problem.b, at % s.n}, s.k);
      gauge.Add(OutputAt(problem.type, c, at), wanted.sum, wanted.scale);
    }
    for (std::int64_t at = part; at < elements; at += kParts) {
      if (std::isnan(OutputAt(problem.type, c, at))) gauge.Add(NAN, 0, 1);
    }
  });
  ErrorGauge worst;
  for (const ErrorGauge& gauge : gauges) worst.Add(gauge);
  return worst.worst();
}

void MeasureRoad(Session& session, const Params& params, Problem& problem,
                 const std::string& variant, const Launch& launch) {
  problem.c.Poison();
  launch(nullptr, 0);
  Check(cudaDeviceSynchronize(), ("multiplying by " + variant).c_str());
  const Answer answer = {.variant = variant,
                         .max_rel_err = WorstError(problem, session.NextSeed()),
                         .tolerance = Tolerance(problem.type)};
  if (!session.Accept(params, answer) || session.check_only()) return;
  TimingOptions options;
  // Long enough for the power limit to show: it takes tenths of a second.
  options.least_samples = session.quick() ? 15 : 120;
  options.most_seconds = 1;
  const Timing timing = TimeOnDevice(launch, options, session.clocks());
  const Shape& s = problem.shape;
  const double flop =
      2.0 * static_cast<double>(s.m) * static_cast<double>(s.n) * static_cast<double>(s.k);
  Measurement line;
  line.variant = variant;
  line.params = params;
  line.metric = "rate";
  line.value = flop / timing.ms.median / 1e9;
  line.unit = "TFLOP/s";
  if (session.limits().compute_capability == 90) {
    line.floor = FlopPerClock(problem.type) * session.limits().multiprocessors *
                 session.limits().clock_khz * 1e3 / 1e12;
    line.x_floor = *line.floor / line.value;
  }
  line.samples = timing.ms.samples;
  line.noise = timing.ms.noise;
  line.max_rel_err = answer.max_rel_err;
  line.clocks = timing.clocks;
  session.Report(line);
}

/// The fastest of what cuBLASLt proposes, so that its first guess is no excuse.
void MeasureCublasLt(Session& session, const Params& params, Problem& problem) {
  static CublasLt library;
  std::string why = library.missing();
  if (why.empty()) why = library.Prepare(problem.type, problem.shape);
  if (!why.empty()) {
    session.Skip("cublaslt", params, why);
    return;
  }
  int best = 0;
  double best_ms = INFINITY;
  for (int choice = 0; choice < library.choices() && !session.check_only(); ++choice) {
    TimingOptions options;
    options.least_samples = 20;
    options.most_seconds = 0.1;
    const Launch launch = [&](cudaStream_t stream, int) {
      library.Run(choice, problem.operands(), stream);
    };
    const double ms = TimeOnDevice(launch, options, session.clocks()).ms.median;
    if (ms < best_ms) best = choice;
    best_ms = std::min(best_ms, ms);
  }
  MeasureRoad(session, params, problem, "cublaslt",
              [&](cudaStream_t stream, int) { library.Run(best, problem.operands(), stream); });
}

void Measure(Session& session, const Params& params) {
  const Type type = TypeOf(params.Text("type"));
  const Shape shape = {.m = params.Number("m"), .n = params.Number("n"), .k = params.Number("k")};
  Problem problem(type, shape, session);
  const bool half = type == Type::kHalf || type == Type::kBf16;
  const Operands operands = problem.operands();
  const bool hopper = session.limits().compute_capability == 90;
  if (type == Type::kFloat && session.Wants("cuda-cores-plain")) {
    MeasureRoad(session, params, problem, "cuda-cores-plain", [&](cudaStream_t stream, int) {
      Check(RunCudaCoresPlain(operands, shape, stream), "launching cuda-cores-plain");
    });
  }
  if (type == Type::kFloat && session.Wants("cuda-cores")) {
    if (!hopper) {
      session.Skip("cuda-cores", params, "setmaxnreg exists on sm_90a only");
    } else {
      MeasureRoad(session, params, problem, "cuda-cores", [&](cudaStream_t stream, int) {
        Check(RunCudaCores(operands, shape, stream), "launching cuda-cores");
      });
    }
  }
  if (half && session.Wants("wmma")) {
    MeasureRoad(session, params, problem, "wmma", [&](cudaStream_t stream, int) {
      Check(RunWmma(type, operands, shape, stream), "launching wmma");
    });
  }
  if (half && session.Wants("mma-sync")) {
    MeasureRoad(session, params, problem, "mma-sync", [&](cudaStream_t stream, int) {
      Check(RunMmaSync(type, operands, shape, stream), "launching mma-sync");
    });
  }
  if (type != Type::kFloat && session.Wants("wgmma")) {
    if (!hopper) {
      session.Skip("wgmma", params, "warpgroup matrix instructions exist on sm_90 only");
    } else {
      MeasureRoad(session, params, problem, "wgmma", [&](cudaStream_t stream, int) {
        Check(RunWgmma(type, operands, shape, stream), "launching wgmma");
      });
    }
  }
  if (session.Wants("cublaslt")) MeasureCublasLt(session, params, problem);
}

Params Case(const char* type, std::int64_t m, std::int64_t n, std::int64_t k) {
  return {{"type", std::string(type)}, {"m", m}, {"n", n}, {"k", k}};
}

Lab Describe() {
  Lab lab;
  lab.name = "gemm";
  lab.question = "what does each road to a matrix product give, and which claims about them hold?";
  lab.variants = {"cuda-cores-plain", "cuda-cores", "wmma", "mma-sync", "wgmma", "cublaslt"};
  for (const char* type : kTypeNames) {
    lab.cases.push_back(Case(type, 8192, 8192, 8192));
    lab.quick_cases.push_back(Case(type, 512, 768, 384));
  }
  lab.quick_cases.push_back(Case("fp32", 256, 256, 128));
  lab.quick_cases.push_back(Case("fp32", 2560, 2304, 128));
  lab.quick_cases.push_back(Case("bf16", 256, 256, 128));
  lab.quick_cases.push_back(Case("bf16", 2560, 2304, 128));
  lab.measure = Measure;
  return lab;
}

}  // namespace
}  // namespace sibyl::lab::gemm

int main(int argc, char** argv) {
  return sibyl::lab::RunLab(sibyl::lab::gemm::Describe(), argc, argv);
}
