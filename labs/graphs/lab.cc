// SPDX-License-Identifier: Apache-2.0
// Lab: what it costs to start a kernel, by the kernel's length. README.md reads the curve.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "graphs/graphs.h"
#include "harness/buffer.h"
#include "harness/program.h"

namespace sibyl::lab::graphs {
namespace {

constexpr int kSteps = 200;

using Clock = std::chrono::steady_clock;

/// Wall time of one pass over the chain, from an idle device to an idle device: what a program
/// waits. Events would begin after the first launch has been paid.
template <typename Pass>
Summary WallMicroseconds(const Pass& pass) {
  std::vector<double> samples;
  for (int i = 0; i < 25; ++i) {
    const auto began = Clock::now();
    pass();
    Check(cudaDeviceSynchronize(), "running a chain");
    const double us = std::chrono::duration<double, std::micro>(Clock::now() - began).count();
    if (i >= 5) samples.push_back(us / kSteps);
  }
  return Summarise(samples);
}

class Chain {
 public:
  Chain(Session& session, const Params& params)
      : session_(session),
        params_(params),
        cycles_(params.Number("kernel_ns") * session.limits().clock_khz / 1'000'000),
        count_(1),
        left_(1) {
    Check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
  }
  ~Chain() { cudaStreamDestroy(stream_); }
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;

  void RunStream() {
    Measure("stream", [&] {
      for (int i = 0; i < kSteps; ++i) Step();
    });
  }

  void RunGraph() {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    Check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "capturing");
    for (int i = 0; i < kSteps; ++i) Step();
    Check(cudaStreamEndCapture(stream_, &graph), "capturing");
    Check(cudaGraphInstantiate(&executable, graph, 0), "instantiating");
    Measure("graph", [&] { Check(cudaGraphLaunch(executable, stream_), "replaying"); });
    Check(cudaGraphExecDestroy(executable), "freeing a graph");
    Check(cudaGraphDestroy(graph), "freeing a graph");
  }

  void RunLoop() {
    cudaGraphExec_t executable = nullptr;
    const cudaError_t status = BuildLoop(cycles_, kSteps, count_.data(), left_.data(), &executable);
    if (status != cudaSuccess) {
      cudaGetLastError();
      session_.Skip("graph-loop", params_,
                    std::string("building a conditional node: ") + cudaGetErrorString(status));
      return;
    }
    Measure("graph-loop", [&] { Check(cudaGraphLaunch(executable, stream_), "looping"); });
    Check(cudaGraphExecDestroy(executable), "freeing a graph");
  }

 private:
  void Step() { Check(LaunchStep(cycles_, count_.data(), stream_), "launching a step"); }

  template <typename Pass>
  void Measure(const std::string& variant, const Pass& pass) {
    if (!session_.Wants(variant)) return;
    Check(cudaMemset(count_.data(), 0, 8), "clearing the count");
    pass();
    Check(cudaDeviceSynchronize(), "running a chain");
    const double wrong = count_.Download()[0] == kSteps ? 0 : INFINITY;
    if (!session_.Accept(params_, {.variant = variant, .max_rel_err = wrong, .tolerance = 0}))
      return;
    if (session_.check_only()) return;
    const Summary us = WallMicroseconds(pass);
    const double floor_us = static_cast<double>(params_.Number("kernel_ns")) / 1000;
    ::sibyl::lab::Measurement line;
    line.variant = variant;
    line.params = params_;
    line.metric = "step";
    line.value = us.median;
    line.unit = "us";
    if (floor_us > 0) {
      line.floor = floor_us;
      line.x_floor = us.median / floor_us;
    }
    line.samples = us.samples;
    line.noise = us.noise;
    line.max_rel_err = 0;
    line.clocks = session_.clocks().Read();
    session_.Report(line);
  }

  Session& session_;
  const Params& params_;
  long long cycles_;
  Buffer<std::uint64_t> count_;
  Buffer<int> left_;
  cudaStream_t stream_ = nullptr;
};

void Run(Session& session, const Params& params) {
  Chain chain(session, params);
  chain.RunStream();
  chain.RunGraph();
  chain.RunLoop();
}

Lab Describe() {
  Lab lab;
  lab.name = "graphs";
  lab.question = "from which kernel length on do graphs no longer pay?";
  lab.variants = {"stream", "graph", "graph-loop"};
  lab.cases = Product({{"kernel_ns", {0, 500, 1000, 2000, 3000, 5000, 10000, 20000, 50000}}});
  lab.quick_cases = Product({{"kernel_ns", {0, 2000}}});
  lab.measure = Run;
  return lab;
}

}  // namespace
}  // namespace sibyl::lab::graphs

int main(int argc, char** argv) {
  return sibyl::lab::RunLab(sibyl::lab::graphs::Describe(), argc, argv);
}
