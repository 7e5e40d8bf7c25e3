// SPDX-License-Identifier: Apache-2.0
// Lab: how the ways of moving bytes compare with the copy ceiling. README.md reads the curves.
#include <algorithm>
#include <cmath>
#include <vector>

#include "harness/buffer.h"
#include "harness/program.h"
#include "harness/random.h"
#include "memory/memory.h"

namespace sibyl::lab::memory {
namespace {

/// Random words on the device, and their exclusive or.
struct Words {
  Words(std::size_t count, std::uint64_t seed) : host(count) {
    for (std::size_t i = 0; i < count; i += 2) {
      const std::uint64_t draw = Mix(seed, i);
      host[i] = static_cast<std::uint32_t>(draw);
      if (i + 1 < count) host[i + 1] = static_cast<std::uint32_t>(draw >> 32);
    }
    for (const std::uint32_t word : host) all ^= word;
    device = Buffer<std::uint32_t>(host);
  }
  const uint4* vectors() const { return reinterpret_cast<const uint4*>(device.data()); }
  std::vector<std::uint32_t> host;
  std::uint32_t all = 0;
  Buffer<std::uint32_t> device;
};

/// Runs once from a cleared sink; what is in it afterwards.
std::uint32_t RunSink(Buffer<std::uint32_t>& sink, const Launch& launch) {
  Check(cudaMemset(sink.data(), 0, 4), "clearing the sink");
  launch(nullptr, 0);
  Check(cudaDeviceSynchronize(), "moving bytes");
  return sink.Download()[0];
}

/// Exact or wrong.
bool AcceptExact(Session& session, const Params& params, const std::string& variant, bool same) {
  return session.Accept(params,
                        {.variant = variant, .max_rel_err = same ? 0 : INFINITY, .tolerance = 0});
}

class Bench {
 public:
  Bench(Session& session, const Params& params)
      : session_(session),
        params_(params),
        bytes_(params.Number("megabytes") << 20),
        in_(static_cast<std::size_t>(bytes_ / 4), session.NextSeed()),
        out_(static_cast<std::size_t>(bytes_ / 4)),
        sink_(1) {}

  void RunMix(int reads, int writes) {
    // All arrays together are as large as the input.
    const std::int64_t count = bytes_ / 16 / std::max({reads, writes, 1});
    const Launch launch = [&](cudaStream_t stream, int) {
      Check(MixTraffic(reads, writes, in_.vectors(), reinterpret_cast<uint4*>(out_.data()), count,
                       sink_.data(), stream),
            "launching mix");
    };
    const std::string variant = "mix-" + std::to_string(reads) + "r" + std::to_string(writes) + "w";
    if (!session_.Wants(variant)) return;
    out_.Poison();
    const std::uint32_t sunk = RunSink(sink_, launch);
    bool same = writes > 0 || sunk == Xor(0, count * 4);
    if (writes > 0) same = WritesAreRight(reads, writes, count * 4);
    if (!AcceptExact(session_, params_, variant, same)) return;
    Rate(variant, static_cast<double>(count) * 16 * (reads + writes), launch);
  }

  void RunStrided(int stride) {
    const std::string variant = "stride-" + std::to_string(stride);
    const Launch launch = [&](cudaStream_t stream, int) {
      Check(ReadStrided(stride, in_.device.data(), bytes_ / 4, sink_.data(), stream),
            "launching strided reads");
    };
    if (!session_.Wants(variant)) return;
    if (!AcceptExact(session_, params_, variant, RunSink(sink_, launch) == in_.all)) return;
    Rate(variant, static_cast<double>(bytes_), launch);
  }

  void RunWidth(int width) {
    const std::string variant = "width-" + std::to_string(width);
    const Launch launch = [&](cudaStream_t stream, int) {
      Check(CopyByWidth(width, in_.device.data(), out_.data(), bytes_, stream), "launching copy");
    };
    if (!session_.Wants(variant)) return;
    out_.Poison();
    RunSink(sink_, launch);
    if (!AcceptExact(session_, params_, variant, out_.Download() == in_.host)) return;
    Rate(variant, 2.0 * static_cast<double>(bytes_), launch);
  }

  void RunTranspose(Transposition how, const char* variant) {
    const std::int64_t words = bytes_ / 4;
    const auto root = static_cast<int>(std::sqrt(static_cast<double>(words)));
    const int size = root / 32 * 32;
    const Launch launch = [&](cudaStream_t stream, int) {
      Check(Transpose(how, reinterpret_cast<const float*>(in_.device.data()),
                      reinterpret_cast<float*>(out_.data()), size, stream),
            "launching transpose");
    };
    if (!session_.Wants(variant)) return;
    out_.Poison();
    RunSink(sink_, launch);
    const auto out = out_.Download();
    bool same = true;
    for (int y = 0; y < size; ++y) {
      for (int x = 0; x < size; ++x) {
        same = same && out[static_cast<std::size_t>(x) * static_cast<std::size_t>(size) +
                           static_cast<std::size_t>(y)] ==
                           in_.host[static_cast<std::size_t>(y) * static_cast<std::size_t>(size) +
                                    static_cast<std::size_t>(x)];
      }
    }
    if (!AcceptExact(session_, params_, variant, same)) return;
    Rate(variant, 8.0 * size * size, launch);
  }

  void RunRing(bool engine, int depth) {
    const std::string variant = (engine ? "bulk-" : "cp-async-") + std::to_string(depth);
    if (!session_.Wants(variant)) return;
    if (engine && session_.limits().compute_capability < 90) {
      session_.Skip(variant, params_, "bulk copies need sm_90");
      return;
    }
    const Launch launch = [&](cudaStream_t stream, int) {
      Check(ReadThroughRing(engine, depth, in_.vectors(), bytes_ / 16, sink_.data(), stream),
            "launching ring");
    };
    if (!AcceptExact(session_, params_, variant, RunSink(sink_, launch) == in_.all)) return;
    Rate(variant, static_cast<double>(bytes_), launch);
  }

  void RunAgain(std::int64_t megabytes) {
    const std::string variant = "again-" + std::to_string(megabytes) + "MB";
    if (!session_.Wants(variant) || megabytes << 20 > bytes_) return;
    const std::int64_t count = (megabytes << 20) / 16;
    const int passes = 2 * static_cast<int>(std::max<std::int64_t>(1, 256 / megabytes)) + 1;
    const Launch launch = [&](cudaStream_t stream, int) {
      Check(ReadAgain(in_.vectors(), count, passes, sink_.data(), stream), "launching reads");
    };
    // An odd number of passes leaves one.
    const bool same = RunSink(sink_, launch) == Xor(0, count * 4);
    if (!AcceptExact(session_, params_, variant, same)) return;
    Rate(variant, static_cast<double>(count) * 16 * passes, launch);
  }

  void RunShared(int stride) {
    const std::string variant = "banks-" + std::to_string(stride);
    if (!session_.Wants(variant)) return;
    // Few under --check: sanitizers look at each.
    const int reads = session_.check_only() ? 8 : 4096;
    const Launch launch = [&](cudaStream_t stream, int) {
      Check(ReadShared(stride, reads, sink_.data(), stream), "launching shared reads");
    };
    RunSink(sink_, launch);
    if (session_.check_only()) return;
    const DeviceLimits& limits = session_.limits();
    // 32 banks of 4 bytes a clock.
    const double ceiling = 128.0 * limits.multiprocessors * limits.clock_khz * 1e3 / 1e9;
    const double bytes = 4.0 * reads * kSharedThreads * limits.multiprocessors * 2;
    Report(variant, bytes, ceiling, launch);
  }

 private:
  std::uint32_t Xor(std::int64_t first, std::int64_t count) const {
    std::uint32_t all = 0;
    for (std::int64_t i = 0; i < count; ++i) all ^= in_.host[static_cast<std::size_t>(first + i)];
    return all;
  }
  bool WritesAreRight(int reads, int writes, std::int64_t words) const {
    const auto out = out_.Download();
    bool same = true;
    for (std::int64_t i = 0; i < words; ++i) {
      std::uint32_t wanted = reads > 0 ? 0 : ~0u;
      for (int r = 0; r < reads; ++r) wanted ^= in_.host[static_cast<std::size_t>(r * words + i)];
      for (int w = 0; w < writes; ++w) {
        same = same && out[static_cast<std::size_t>(w * words + i)] == wanted;
      }
    }
    return same;
  }
  void Report(const std::string& variant, double bytes, double ceiling, const Launch& launch) {
    const Timing timing = TimeOnDevice(launch, {}, session_.clocks());
    Measurement line;
    line.variant = variant;
    line.params = params_;
    line.metric = "rate";
    line.value = bytes / timing.ms.median / 1e6;
    line.unit = "GB/s";
    line.floor = ceiling;
    line.x_floor = ceiling / line.value;
    line.samples = timing.ms.samples;
    line.noise = timing.ms.noise;
    line.max_rel_err = 0;
    line.clocks = timing.clocks;
    session_.Report(line);
  }
  void Rate(const std::string& variant, double bytes, const Launch& launch) {
    if (session_.check_only()) return;
    Report(variant, bytes, session_.CopyCeiling(), launch);
  }

  Session& session_;
  const Params& params_;
  std::int64_t bytes_;
  Words in_;
  Buffer<std::uint32_t> out_;
  Buffer<std::uint32_t> sink_;
};

constexpr int kMixes[][2] = {{1, 0}, {4, 1}, {2, 1}, {1, 1}, {1, 2}, {1, 6}, {0, 1}};
constexpr int kPowers[] = {1, 2, 4, 8, 16, 32};
constexpr int kSizes[] = {4, 16, 32, 48, 64, 96, 128, 256};

void Measure(Session& session, const Params& params) {
  Bench bench(session, params);
  for (const auto& mix : kMixes) bench.RunMix(mix[0], mix[1]);
  for (const int stride : kPowers) bench.RunStrided(stride);
  for (const int width : {1, 2, 4, 8, 16}) bench.RunWidth(width);
  bench.RunTranspose(Transposition::kNaive, "transpose-naive");
  bench.RunTranspose(Transposition::kShared, "transpose-shared");
  bench.RunTranspose(Transposition::kPadded, "transpose-padded");
  bench.RunTranspose(Transposition::kSwizzled, "transpose-swizzled");
  for (const int depth : {1, 2, 4, 8, 16}) bench.RunRing(false, depth);
  for (const int depth : {1, 2, 4, 8, 16}) bench.RunRing(true, depth);
  for (const int size : kSizes) bench.RunAgain(size);
  for (const int stride : kPowers) bench.RunShared(stride);
}

Lab Describe() {
  Lab lab;
  lab.name = "memory";
  lab.question = "what do width, stride, mix, depth and size of accesses make of the bandwidth?";
  for (const auto& mix : kMixes) {
    lab.variants.push_back("mix-" + std::to_string(mix[0]) + "r" + std::to_string(mix[1]) + "w");
  }
  for (const int power : kPowers) lab.variants.push_back("stride-" + std::to_string(power));
  for (const char* width : {"1", "2", "4", "8", "16"}) {
    lab.variants.push_back(std::string("width-") + width);
    lab.variants.push_back(std::string("cp-async-") + width);
    lab.variants.push_back(std::string("bulk-") + width);
  }
  for (const char* how : {"naive", "shared", "padded", "swizzled"}) {
    lab.variants.push_back(std::string("transpose-") + how);
  }
  for (const int size : kSizes) lab.variants.push_back("again-" + std::to_string(size) + "MB");
  for (const int power : kPowers) lab.variants.push_back("banks-" + std::to_string(power));
  lab.cases = {{{"megabytes", 1024}}};
  lab.quick_cases = {{{"megabytes", 4}}};
  lab.measure = Measure;
  return lab;
}

}  // namespace
}  // namespace sibyl::lab::memory

int main(int argc, char** argv) {
  return sibyl::lab::RunLab(sibyl::lab::memory::Describe(), argc, argv);
}
