// SPDX-License-Identifier: Apache-2.0
#include "harness/timer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "harness/buffer.h"
#include "harness/copy_kernel.h"

namespace sibyl::lab {
namespace {

class Event {
 public:
  Event() { Check(cudaEventCreate(&event_), "creating an event"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void Record(cudaStream_t stream) { Check(cudaEventRecord(event_, stream), "recording an event"); }
  double MillisecondsSince(const Event& earlier) const {
    Check(cudaEventSynchronize(event_), "waiting for timed work");
    float ms = 0;
    Check(cudaEventElapsedTime(&ms, earlier.event_, event_), "reading an event");
    return ms;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// A stream of its own, and the runs of one sample, captured or not.
class Sampler {
 public:
  Sampler(const Launch& launch, const TimingOptions& options) : launch_(launch), options_(options) {
    Check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
  }
  ~Sampler() {
    if (graph_ != nullptr) cudaGraphExecDestroy(graph_);
    cudaStreamDestroy(stream_);
  }
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  /// Runs every set once or more (module loading, page faults), then decides how many runs make a
  /// sample.
  void Prepare() {
    const int warm = std::max(2, options_.sets);
    Enqueue(warm);
    Check(cudaStreamSynchronize(stream_), "warming up");
    start_.Record(stream_);
    Enqueue(warm);
    end_.Record(stream_);
    const double once = std::max(1e-4, end_.MillisecondsSince(start_) / warm);
    const double wanted = std::ceil(options_.sample_ms / once);
    runs_ = static_cast<int>(std::clamp(wanted, 1.0, 512.0));
    if (runs_ > 1) runs_ = (runs_ + options_.sets - 1) / options_.sets * options_.sets;
    if (options_.graph) Capture();
  }

  double SampleMs() {
    start_.Record(stream_);
    Replay();
    end_.Record(stream_);
    return end_.MillisecondsSince(start_) / runs_;
  }

  /// The clocks while the device is busy with the timed work: a reading takes milliseconds, so some
  /// are queued before it.
  Clocks ReadWhileBusy(const ClockReader& reader, double run_ms) {
    const int replays = static_cast<int>(std::clamp(20.0 / (run_ms * runs_), 1.0, 10.0));
    for (int i = 0; i < replays; ++i) Replay();
    Clocks clocks = reader.Read();
    Check(cudaStreamSynchronize(stream_), "finishing timed work");
    return clocks;
  }

 private:
  void Enqueue(int runs) {
    for (int run = 0; run < runs; ++run) launch_(stream_, run % options_.sets);
    Check(cudaGetLastError(), "launching timed work");
  }
  void Replay() {
    if (graph_ == nullptr) {
      Enqueue(runs_);
    } else {
      Check(cudaGraphLaunch(graph_, stream_), "replaying a graph");
    }
  }
  void Capture() {
    cudaGraph_t graph = nullptr;
    Check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "beginning a capture");
    Enqueue(runs_);
    Check(cudaStreamEndCapture(stream_, &graph), "ending a capture");
    Check(cudaGraphInstantiate(&graph_, graph, 0), "instantiating a graph");
    Check(cudaGraphDestroy(graph), "freeing a graph");
    Check(cudaGraphUpload(graph_, stream_), "uploading a graph");
    Replay();
    Check(cudaStreamSynchronize(stream_), "warming up a graph");
  }

  const Launch& launch_;
  const TimingOptions& options_;
  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t graph_ = nullptr;
  int runs_ = 1;
  Event start_;
  Event end_;
};

}  // namespace

Timing TimeOnDevice(const Launch& launch, const TimingOptions& options, const ClockReader& clocks) {
  using Seconds = std::chrono::duration<double>;
  Sampler sampler(launch, options);
  sampler.Prepare();
  std::vector<double> samples;
  Timing timing;
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < options.most_samples; ++i) {
    samples.push_back(sampler.SampleMs());
    if (i + 1 < options.least_samples) continue;
    timing.ms = Summarise(samples);
    const double seconds = Seconds(std::chrono::steady_clock::now() - began).count();
    if (timing.ms.noise <= options.wanted_noise || seconds > options.most_seconds) break;
  }
  timing.ms = Summarise(samples);
  timing.clocks = sampler.ReadWhileBusy(clocks, timing.ms.median);
  return timing;
}

double MeasureCopyCeiling(const ClockReader& clocks) {
  constexpr std::size_t kBytes = std::size_t{1} << 30;
  const Buffer<unsigned char> from(kBytes);
  const Buffer<unsigned char> to(kBytes);
  Check(cudaMemset(from.data(), 0x5a, kBytes), "filling a buffer");
  double best_ms = 1e30;
  const Launch engine = [&](cudaStream_t stream, int) {
    Check(cudaMemcpyAsync(to.data(), from.data(), kBytes, cudaMemcpyDeviceToDevice, stream),
          "copying on the device");
  };
  const Launch kernel = [&](cudaStream_t stream, int) {
    CopyKernel(to.data(), from.data(), kBytes, stream);
  };
  const Launch plain = [&](cudaStream_t stream, int) {
    CopyKernelPlain(to.data(), from.data(), kBytes, stream);
  };
  for (const Launch& launch : {engine, kernel, plain}) {
    best_ms = std::min(best_ms, TimeOnDevice(launch, {}, clocks).ms.median);
  }
  return 2.0 * static_cast<double>(kBytes) / best_ms / 1e6;
}

}  // namespace sibyl::lab
