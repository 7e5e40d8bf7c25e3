// SPDX-License-Identifier: Apache-2.0
// Lab: copies over the bus, and copies beside computation. README.md reads the figures.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "harness/buffer.h"
#include "harness/error.h"
#include "harness/program.h"
#include "harness/random.h"
#include "overlap/overlap.h"

namespace sibyl::lab::overlap {
namespace {

using Clock = std::chrono::steady_clock;

/// Page-locked host memory.
class Pinned {
 public:
  explicit Pinned(std::size_t count) {
    Check(cudaMallocHost(reinterpret_cast<void**>(&data_), count * sizeof(float)),
          "allocating pinned memory");
  }
  ~Pinned() { cudaFreeHost(data_); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  float* data() const { return data_; }

 private:
  float* data_ = nullptr;
};

/// Wall time of the work until the device is idle again, by the host's clock: copies from pageable
/// memory are the host's work.
template <typename Work>
Summary WallMs(const Work& work) {
  std::vector<double> samples;
  for (int i = 0; i < 12; ++i) {
    const auto began = Clock::now();
    work();
    Check(cudaDeviceSynchronize(), "running overlap");
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - began).count();
    if (i >= 2) samples.push_back(ms);
  }
  return Summarise(samples);
}

class Bench {
 public:
  Bench(Session& session, const Params& params)
      : session_(session),
        params_(params),
        count_(params.Number("megabytes") << 18),
        pageable_(static_cast<std::size_t>(count_)),
        from_(static_cast<std::size_t>(count_)),
        to_(static_cast<std::size_t>(count_)),
        device_(static_cast<std::size_t>(count_)),
        other_(static_cast<std::size_t>(count_)) {
    const std::uint64_t seed = session.NextSeed();
    for (std::int64_t i = 0; i < count_; ++i) {
      const auto value = static_cast<float>(Uniform(seed, static_cast<std::uint64_t>(i)));
      pageable_[static_cast<std::size_t>(i)] = value;
      from_.data()[i] = value;
    }
    for (cudaStream_t& stream : streams_) {
      Check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
    }
  }
  ~Bench() {
    for (cudaStream_t stream : streams_) cudaStreamDestroy(stream);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  void RunCopies() {
    Copy("h2d-pageable", 1, [&] { In(pageable_.data()); });
    h2d_ms_ = Copy("h2d-pinned", 1, [&] { In(from_.data()); });
    d2h_ms_ = Copy("d2h-pinned", 1, [&] { Out(streams_[0]); });
    Copy("both-pinned", 2, [&] {
      In(from_.data());
      Out(streams_[1]);
    });
  }

  /// As many rounds as make the computation about as long as a copy.
  void Calibrate() {
    const auto ms = [&](int rounds) {
      return WallMs([&] { Check(Halve(device_.data(), count_, rounds, streams_[0]), "computing"); })
          .median;
    };
    const double one = ms(1000);
    rounds_ = std::clamp(static_cast<int>(1000 * h2d_ms_ / std::max(one, 1e-3)), 1, 100000);
    if (session_.check_only()) rounds_ = 10;
    compute_ms_ = session_.check_only() ? 1 : ms(rounds_);
  }

  /// In, compute, out, in pieces that turn through the streams.
  void RunPieces(int pieces) {
    const std::string variant = pieces == 1 ? "serial" : "pieces-" + std::to_string(pieces);
    if (!session_.Wants(variant)) return;
    const auto work = [&] {
      const std::int64_t piece = (count_ + pieces - 1) / pieces;
      for (int i = 0; i < pieces; ++i) {
        const std::int64_t first = i * piece;
        const std::int64_t here = std::min(piece, count_ - first);
        if (here <= 0) break;
        const auto bytes = static_cast<std::size_t>(here) * 4;
        cudaStream_t stream = streams_[i % kStreams];
        Check(cudaMemcpyAsync(device_.data() + first, from_.data() + first, bytes,
                              cudaMemcpyHostToDevice, stream),
              "copying in");
        Check(Halve(device_.data() + first, here, rounds_, stream), "computing");
        Check(cudaMemcpyAsync(to_.data() + first, device_.data() + first, bytes,
                              cudaMemcpyDeviceToHost, stream),
              "copying out");
      }
    };
    std::fill(to_.data(), to_.data() + count_, NAN);
    work();
    Check(cudaDeviceSynchronize(), "running overlap");
    const Answer answer = {.variant = variant, .max_rel_err = WorstError(), .tolerance = 1e-6};
    if (!session_.Accept(params_, answer) || session_.check_only()) return;
    const Summary ms = WallMs(work);
    // Both directions of the bus and the processors work at the same time, at best.
    const double floor = std::max({h2d_ms_, d2h_ms_, compute_ms_});
    Measurement line;
    line.variant = variant;
    line.metric = "time";
    line.value = ms.median;
    line.unit = "ms";
    line.floor = floor;
    line.x_floor = ms.median / floor;
    line.max_rel_err = answer.max_rel_err;
    Tell(line, ms);
  }

 private:
  static constexpr int kStreams = 4;

  void In(const float* from) {
    Check(cudaMemcpyAsync(device_.data(), from, static_cast<std::size_t>(count_) * 4,
                          cudaMemcpyHostToDevice, streams_[0]),
          "copying in");
  }
  void Out(cudaStream_t stream) {
    Check(cudaMemcpyAsync(to_.data(), other_.data(), static_cast<std::size_t>(count_) * 4,
                          cudaMemcpyDeviceToHost, stream),
          "copying out");
  }

  template <typename Work>
  double Copy(const std::string& variant, int directions, const Work& work) {
    if (session_.check_only()) return 1;
    const Summary ms = WallMs(work);
    if (session_.Wants(variant)) {
      Measurement line;
      line.variant = variant;
      line.metric = "rate";
      line.value = directions * static_cast<double>(count_) * 4 / ms.median / 1e6;
      line.unit = "GB/s";
      Tell(line, ms);
    }
    return ms.median;
  }

  double WorstError() const {
    ErrorGauge gauge;
    const double shrunk = std::exp2(-std::min(rounds_, 1000));
    for (std::int64_t i = 0; i < count_; ++i) {
      // Halving r times the distance to 2, the fixed point.
      gauge.Add(to_.data()[i], 2 + (static_cast<double>(from_.data()[i]) - 2) * shrunk, 2);
    }
    return gauge.worst();
  }

  /// Fills in what every line has.
  void Tell(Measurement line, const Summary& summary) {
    line.params = params_;
    line.samples = summary.samples;
    line.noise = summary.noise;
    line.clocks = session_.clocks().Read();
    session_.Report(line);
  }

  Session& session_;
  const Params& params_;
  std::int64_t count_;
  std::vector<float> pageable_;
  Pinned from_;
  Pinned to_;
  Buffer<float> device_;
  Buffer<float> other_;
  cudaStream_t streams_[kStreams] = {};
  double h2d_ms_ = 1;
  double d2h_ms_ = 1;
  double compute_ms_ = 1;
  int rounds_ = 10;
};

void Measure(Session& session, const Params& params) {
  Bench bench(session, params);
  bench.RunCopies();
  bench.Calibrate();
  for (const int pieces : {1, 2, 4, 8, 16, 32}) bench.RunPieces(pieces);
}

Lab Describe() {
  Lab lab;
  lab.name = "overlap";
  lab.question = "how much of the copies over the bus can computation hide?";
  lab.variants = {"h2d-pageable", "h2d-pinned", "d2h-pinned", "both-pinned", "serial"};
  for (const char* pieces : {"2", "4", "8", "16", "32"}) {
    lab.variants.push_back(std::string("pieces-") + pieces);
  }
  lab.cases = {{{"megabytes", 256}}};
  lab.quick_cases = {{{"megabytes", 1}}};
  lab.measure = Measure;
  return lab;
}

}  // namespace
}  // namespace sibyl::lab::overlap

int main(int argc, char** argv) {
  return sibyl::lab::RunLab(sibyl::lab::overlap::Describe(), argc, argv);
}
