// SPDX-License-Identifier: Apache-2.0
// Lab: kernel times by CUPTI against events, and what recording costs. README.md reads the figures.
#include <chrono>
#include <cmath>
#include <vector>

#include "graphs/graphs.h"
#include "harness/buffer.h"
#include "harness/program.h"
#include "profile/activity.h"

namespace sibyl::lab::profile {
namespace {

constexpr std::size_t kKernels = 300;
using Clock = std::chrono::steady_clock;

class Chain {
 public:
  Chain(Session& session, const Params& params)
      : session_(session),
        params_(params),
        cycles_(params.Number("kernel_ns") * session.limits().clock_khz / 1'000'000),
        count_(1) {
    Check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
    Step();
    Check(cudaStreamSynchronize(stream_), "warming up");
  }
  ~Chain() { cudaStreamDestroy(stream_); }
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;

  /// A pair of events around every kernel: what a program without a profiler can do.
  std::vector<double> ByEvents() {
    std::vector<cudaEvent_t> events(2 * kKernels);
    for (cudaEvent_t& event : events) Check(cudaEventCreate(&event), "creating an event");
    for (std::size_t i = 0; i < kKernels; ++i) {
      Check(cudaEventRecord(events[2 * i], stream_), "recording");
      Step();
      Check(cudaEventRecord(events[2 * i + 1], stream_), "recording");
    }
    Check(cudaStreamSynchronize(stream_), "running a chain");
    std::vector<double> nanoseconds;
    for (std::size_t i = 0; i < kKernels; ++i) {
      float ms = 0;
      Check(cudaEventElapsedTime(&ms, events[2 * i], events[2 * i + 1]), "reading an event");
      nanoseconds.push_back(static_cast<double>(ms) * 1e6);
    }
    for (cudaEvent_t event : events) cudaEventDestroy(event);
    return nanoseconds;
  }

  std::vector<double> ByActivity(Activity& activity) {
    activity.Start();
    WallPerKernel();
    return activity.Stop();
  }

  /// Nanoseconds of the host's clock a kernel, launches and all.
  double WallPerKernel() {
    const auto began = Clock::now();
    for (std::size_t i = 0; i < kKernels; ++i) Step();
    Check(cudaStreamSynchronize(stream_), "running a chain");
    return std::chrono::duration<double, std::nano>(Clock::now() - began).count() /
           static_cast<double>(kKernels);
  }

  void Tell(const std::string& variant, const char* metric, const Summary& ns, bool floor) {
    Measurement line;
    line.variant = variant;
    line.params = params_;
    line.metric = metric;
    line.value = ns.median / 1000;
    line.unit = "us";
    if (floor) {
      line.floor = static_cast<double>(params_.Number("kernel_ns")) / 1000;
      line.x_floor = line.value / *line.floor;
    }
    line.samples = ns.samples;
    line.noise = ns.noise;
    line.clocks = session_.clocks().Read();
    session_.Report(line);
  }

  /// Every kernel must have been seen, and none may be shorter than it spins.
  bool Plausible(const std::string& variant, const std::vector<double>& nanoseconds) {
    double wrong = nanoseconds.size() == kKernels ? 0 : INFINITY;
    for (const double ns : nanoseconds) {
      // The clock may run a little below its highest rate, never above it.
      if (ns < 0.97 * static_cast<double>(params_.Number("kernel_ns"))) wrong = INFINITY;
    }
    return session_.Accept(params_, {.variant = variant, .max_rel_err = wrong, .tolerance = 0});
  }

 private:
  void Step() { Check(graphs::LaunchStep(cycles_, count_.data(), stream_), "launching a step"); }

  Session& session_;
  const Params& params_;
  long long cycles_;
  Buffer<std::uint64_t> count_;
  cudaStream_t stream_ = nullptr;
};

void TellTimes(Session& session, Chain& chain, const std::string& variant,
               const std::vector<double>& nanoseconds) {
  if (!chain.Plausible(variant, nanoseconds) || session.check_only()) return;
  chain.Tell(variant, "kernel", Summarise(nanoseconds), true);
}

void MeasureCupti(Session& session, const Params& params, Chain& chain) {
  static Activity activity;
  if (!activity.missing().empty()) {
    // The fallback is measured below as "events": it needs no library.
    session.Skip("cupti", params, activity.missing());
    return;
  }
  std::vector<double> without(9);
  for (double& wall : without) wall = chain.WallPerKernel();
  const std::vector<double> recorded = chain.ByActivity(activity);
  TellTimes(session, chain, "cupti", recorded);
  if (session.check_only()) return;
  std::vector<double> with(9);
  activity.Start();
  for (double& wall : with) wall = chain.WallPerKernel();
  activity.Stop();
  chain.Tell("cupti", "wall_without", Summarise(without), false);
  chain.Tell("cupti", "wall_with", Summarise(with), false);
}

void Measure(Session& session, const Params& params) {
  Chain chain(session, params);
  if (session.Wants("cupti")) MeasureCupti(session, params, chain);
  if (session.Wants("events")) TellTimes(session, chain, "events", chain.ByEvents());
  if (session.Wants("fallback")) {
    // A library that is not there must leave a reason and the events, nothing else.
    const Activity absent("libcupti-that-is-not-there.so");
    const std::vector<double> times =
        absent.missing().empty() ? std::vector<double>() : chain.ByEvents();
    TellTimes(session, chain, "fallback", times);
  }
}

Lab Describe() {
  Lab lab;
  lab.name = "profile";
  lab.question = "do CUPTI and events agree on a kernel's length, and what does recording cost?";
  lab.variants = {"cupti", "events", "fallback"};
  lab.cases = Product({{"kernel_ns", {1000, 2000, 5000, 20000, 100000}}});
  lab.quick_cases = Product({{"kernel_ns", {2000}}});
  lab.measure = Measure;
  return lab;
}

}  // namespace
}  // namespace sibyl::lab::profile

int main(int argc, char** argv) {
  return sibyl::lab::RunLab(sibyl::lab::profile::Describe(), argc, argv);
}
