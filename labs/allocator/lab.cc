// SPDX-License-Identifier: Apache-2.0
// Lab: what taking and giving back memory costs. README.md reads the figures.
//
// Idea: allocate, use and free, one after the other, from an idle device, by the host's clock; and
// the same beside a kernel that runs for five milliseconds, to see which calls wait for the device.
// Floor: none; the work asked for is none. The kernel's length is what a call that waits costs.
#include <chrono>
#include <cstring>
#include <string>
#include <vector>

#include "graphs/graphs.h"
#include "harness/buffer.h"
#include "harness/program.h"

namespace sibyl::lab::allocator {
namespace {

using Clock = std::chrono::steady_clock;

// Taking page-locked memory takes 0.4 ms for each MiB.
constexpr std::int64_t kMostPinnedKilobytes = 64 << 10;
constexpr const char* kVariants[] = {"malloc", "async", "async-kept", "pinned"};

double Since(Clock::time_point began) {
  return std::chrono::duration<double, std::micro>(Clock::now() - began).count();
}

/// A way of taking memory; the times of both calls in microseconds.
class Allocator {
 public:
  explicit Allocator(std::string name) : name_(std::move(name)) {
    Check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
    Check(cudaDeviceGetDefaultMemPool(&pool_, 0), "asking for the pool");
    // By default a pool gives everything back when the stream is synchronised.
    std::uint64_t kept = name_ == "async-kept" ? UINT64_MAX : 0;
    Check(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &kept),
          "setting the pool's threshold");
  }
  ~Allocator() {
    cudaMemPoolTrimTo(pool_, 0);
    cudaStreamDestroy(stream_);
  }
  Allocator(const Allocator&) = delete;
  Allocator& operator=(const Allocator&) = delete;

  void* Take(std::size_t bytes) {
    void* memory = nullptr;
    const auto began = Clock::now();
    Check(Allocate(&memory, bytes), "allocating");
    took_ = Since(began);
    return memory;
  }
  void GiveBack(void* memory) {
    const auto began = Clock::now();
    Check(Free(memory), "freeing");
    gave_ = Since(began);
  }
  double took() const { return took_; }
  double gave() const { return gave_; }
  cudaStream_t stream() const { return stream_; }

 private:
  cudaError_t Allocate(void** memory, std::size_t bytes) {
    if (name_ == "malloc") return cudaMalloc(memory, bytes);
    if (name_ == "pinned") return cudaMallocHost(memory, bytes);
    return cudaMallocAsync(memory, bytes, stream_);
  }
  cudaError_t Free(void* memory) {
    if (name_ == "malloc") return cudaFree(memory);
    if (name_ == "pinned") return cudaFreeHost(memory);
    return cudaFreeAsync(memory, stream_);
  }

  std::string name_;
  cudaStream_t stream_ = nullptr;
  cudaMemPool_t pool_ = nullptr;
  double took_ = 0;
  double gave_ = 0;
};

/// Whether the memory keeps what is written at both of its ends.
bool Works(Allocator& allocator, std::size_t bytes) {
  auto* memory = static_cast<unsigned char*>(allocator.Take(bytes));
  bool same = true;
  for (const std::size_t at : {std::size_t{0}, bytes - 16}) {
    unsigned char got[16] = {};
    unsigned char wanted[16];
    std::memset(wanted, 0x5a, sizeof wanted);
    Check(cudaMemsetAsync(memory + at, 0x5a, 16, allocator.stream()), "writing");
    Check(cudaMemcpyAsync(got, memory + at, 16, cudaMemcpyDefault, allocator.stream()), "reading");
    Check(cudaStreamSynchronize(allocator.stream()), "using memory");
    same = same && std::memcmp(got, wanted, sizeof got) == 0;
  }
  allocator.GiveBack(memory);
  Check(cudaStreamSynchronize(allocator.stream()), "freeing");
  return same;
}

struct Times {
  std::vector<double> took;
  std::vector<double> gave;
};

Times MeasureIdle(Allocator& allocator, std::size_t bytes) {
  Times times;
  const auto began = Clock::now();
  for (int i = 0; i < 60 && (i < 8 || Since(began) < 0.5e6); ++i) {
    void* memory = allocator.Take(bytes);
    allocator.GiveBack(memory);
    Check(cudaDeviceSynchronize(), "waiting");
    if (i < 2) continue;  // The first ones load what is loaded once.
    times.took.push_back(allocator.took());
    times.gave.push_back(allocator.gave());
  }
  return times;
}

/// The same while a kernel of `busy_us` runs in another stream.
Times MeasureBusy(Session& session, Allocator& allocator, std::size_t bytes, double busy_us) {
  Times times;
  Buffer<std::uint64_t> count(1);
  cudaStream_t other = nullptr;
  Check(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), "creating a stream");
  const auto cycles = static_cast<long long>(busy_us * session.limits().clock_khz / 1000);
  for (int i = 0; i < 14; ++i) {
    Check(cudaDeviceSynchronize(), "waiting");
    Check(graphs::LaunchStep(cycles, count.data(), other), "launching a long kernel");
    void* memory = allocator.Take(bytes);
    allocator.GiveBack(memory);
    if (i < 2) continue;
    times.took.push_back(allocator.took());
    times.gave.push_back(allocator.gave());
  }
  Check(cudaDeviceSynchronize(), "waiting");
  Check(cudaStreamDestroy(other), "freeing a stream");
  return times;
}

void Report(Session& session, const Params& params, const std::string& variant, const char* metric,
            const std::vector<double>& microseconds) {
  const Summary summary = Summarise(microseconds);
  Measurement line;
  line.variant = variant;
  line.params = params;
  line.metric = metric;
  line.value = summary.median;
  line.unit = "us";
  line.samples = summary.samples;
  line.noise = summary.noise;
  line.max_rel_err = 0;
  line.clocks = session.clocks().Read();
  session.Report(line);
}

void Measure(Session& session, const Params& params) {
  constexpr double kBusyMicroseconds = 5000;
  const auto bytes = static_cast<std::size_t>(params.Number("kilobytes")) << 10;
  for (const std::string variant : kVariants) {
    if (!session.Wants(variant)) continue;
    if (variant == "pinned" && params.Number("kilobytes") > kMostPinnedKilobytes) continue;
    Allocator allocator(variant);
    const Answer answer = {
        .variant = variant, .max_rel_err = Works(allocator, bytes) ? 0.0 : 1.0, .tolerance = 0};
    if (!session.Accept(params, answer) || session.check_only()) continue;
    const Times idle = MeasureIdle(allocator, bytes);
    Report(session, params, variant, "allocate", idle.took);
    Report(session, params, variant, "free", idle.gave);
    const Times busy = MeasureBusy(session, allocator, bytes, kBusyMicroseconds);
    Report(session, params, variant, "allocate_beside_5ms_kernel", busy.took);
    Report(session, params, variant, "free_beside_5ms_kernel", busy.gave);
  }
}

Lab Describe() {
  Lab lab;
  lab.name = "allocator";
  lab.question = "what do allocating and freeing memory cost, and which calls wait for the GPU?";
  for (const char* variant : kVariants) lab.variants.emplace_back(variant);
  lab.cases = Product({{"kilobytes", {4, 256, 16 << 10, 256 << 10}}});
  lab.quick_cases = Product({{"kilobytes", {1, 3000}}});
  lab.measure = Measure;
  return lab;
}

}  // namespace
}  // namespace sibyl::lab::allocator

int main(int argc, char** argv) {
  return sibyl::lab::RunLab(sibyl::lab::allocator::Describe(), argc, argv);
}
