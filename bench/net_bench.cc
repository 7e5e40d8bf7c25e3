// SPDX-License-Identifier: Apache-2.0
// A thousand pages from nginx on loopback, without a pause between requests:
// the polite visitor with eight threads beside the curl program with as many
// connections. Wanted are the wire's speed and less than 200 MB.
#include <benchmark/benchmark.h>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "base/process/subprocess.h"
#include "net/test_nginx.h"
#include "net/visitor.h"

namespace {

using namespace sibyl;  // NOLINT: one program

constexpr int kPages = 1000;
constexpr int kAtOnce = 8;
constexpr std::size_t kPageBytes = 60'000;

const net::TestNginx& Nginx() {
  static const net::TestNginx kNginx({.server = ""});
  static const bool kHasPages = [] {
    for (int i = 0; i < kPages; ++i) {
      kNginx.AddPage("p" + std::to_string(i) + ".html", std::string(kPageBytes, 'x'));
    }
    return true;
  }();
  benchmark::DoNotOptimize(kHasPages);
  return kNginx;
}

std::string PageUrl(int i) { return Nginx().url("/p" + std::to_string(i) + ".html"); }

// The most memory that this process has had.
double PeakMegabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    long kilobytes = 0;
    if (std::sscanf(line.c_str(), "VmHWM: %ld", &kilobytes) == 1) {
      return static_cast<double>(kilobytes) / 1000.0;
    }
  }
  return 0;
}

void Report(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * kPages);
  state.SetBytesProcessed(state.iterations() * kPages * static_cast<std::int64_t>(kPageBytes));
}

void BM_Visitor(benchmark::State& state) {
  const FixedClock clock(Time(std::chrono::seconds(1'790'000'000)));
  Nginx();
  for (auto _ : state) {
    net::Client client({.clock = clock, .allow = {Nginx().host()}});
    net::Visitor visitor(client, {.interval = std::chrono::milliseconds(0), .at_once = kAtOnce});
    std::atomic<int> next = 0;
    std::atomic<int> good = 0;
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < kAtOnce; ++i) {
        threads.emplace_back([&] {
          for (int page = next++; page < kPages; page = next++) {
            const auto response = visitor.Visit({.url = *net::ParseUrl(PageUrl(page))});
            if (response.ok() && response->body.size() == kPageBytes) ++good;
          }
        });
      }
    }
    if (good != kPages) state.SkipWithError("a page is missing");
  }
  Report(state);
  state.counters["peak_mb"] = PeakMegabytes();
}
BENCHMARK(BM_Visitor)->UseRealTime()->Unit(benchmark::kMillisecond);

void BM_CurlProgram(benchmark::State& state) {
  std::string config;
  for (int i = 0; i < kPages; ++i) {
    config += "url = \"" + PageUrl(i) + "\"\noutput = \"/dev/null\"\n";
  }
  for (auto _ : state) {
    const auto outcome =
        RunProgram({.program = "curl",
                    .arguments = {"--silent", "--fail", "--compressed", "--parallel",
                                  "--parallel-max", std::to_string(kAtOnce), "--config", "-"},
                    .input = config});
    if (!outcome.ok() || !outcome->succeeded()) state.SkipWithError("curl failed");
  }
  Report(state);
}
BENCHMARK(BM_CurlProgram)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
