// SPDX-License-Identifier: Apache-2.0
// How fast artifacts are looked into: the libraries of the CUDA toolkit named by
// SIBYL_BENCH_CUDA (default /usr/local/cuda/lib64), beside `readelf -SW` and
// `strings` over the largest of them, and cuobjdump where it is installed.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files/mapped_file.h"
#include "base/hash.h"
#include "base/process/environment.h"
#include "base/process/subprocess.h"
#include "inspect/inspect.h"

namespace {

namespace fs = std::filesystem;
using namespace sibyl;  // NOLINT: a benchmark is one file

fs::path ToolkitFolder() {
  return EnvironmentVariable("SIBYL_BENCH_CUDA").value_or("/usr/local/cuda/lib64");
}

fs::path LargestLibrary() {
  fs::path largest;
  std::uintmax_t bytes = 0;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(ToolkitFolder(), error)) {
    if (entry.is_symlink() || !entry.is_regular_file() || entry.file_size() <= bytes) continue;
    bytes = entry.file_size();
    largest = entry.path();
  }
  return largest;
}

void List(benchmark::State& state, inspect::CodeDepth depth) {
  const Result<MappedFile> file = MappedFile::Open(LargestLibrary());
  if (!file.ok()) {
    state.SkipWithError("no toolkit; name its libraries in SIBYL_BENCH_CUDA");
    return;
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        inspect::ReadDeviceCode(file->bytes(), {.depth = depth, .threads = 2, .is_mapped = true}));
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(file->bytes().size()) * state.iterations());
}

void Hash(benchmark::State& state) {
  const Result<MappedFile> file = MappedFile::Open(LargestLibrary());
  if (!file.ok()) {
    state.SkipWithError("no toolkit");
    return;
  }
  for (auto _ : state) benchmark::DoNotOptimize(Sha256(file->bytes()));
  state.SetBytesProcessed(static_cast<std::int64_t>(file->bytes().size()) * state.iterations());
}

void WholeToolkit(benchmark::State& state) {
  for (auto _ : state) {
    const auto inspected = inspect::Inspect({ToolkitFolder()}, {.threads = 2});
    if (!inspected.ok()) state.SkipWithError("no toolkit");
    benchmark::DoNotOptimize(inspected.ok());
  }
}

void Program(benchmark::State& state, const std::string& program,
             std::vector<std::string> arguments) {
  if (!FindProgram(program)) {
    state.SkipWithError((program + " is not installed").c_str());
    return;
  }
  arguments.push_back(LargestLibrary().string());
  for (auto _ : state) {
    const auto outcome = RunProgram({.program = program,
                                     .arguments = arguments,
                                     .limits = {.output_bytes = std::size_t{1} << 30}});
    benchmark::DoNotOptimize(outcome.ok());
  }
}

BENCHMARK_CAPTURE(List, sections, inspect::CodeDepth::kSections)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(List, scan, inspect::CodeDepth::kScan)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(List, content, inspect::CodeDepth::kContent)->Unit(benchmark::kMillisecond);
BENCHMARK(Hash)->Unit(benchmark::kMillisecond);
BENCHMARK(WholeToolkit)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(Program, cuobjdump_list_elf, "cuobjdump", {"--list-elf"})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(Program, readelf_sections, "readelf", {"-SW"})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(Program, strings, "strings", {"-n", "12"})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
