// SPDX-License-Identifier: Apache-2.0
// Reading all texts of repositories out of their packs, beside `git cat-file
// --batch` over the same blobs; and splitting them into passages.
//
//   SIBYL_BENCH_GIT=/srv/cutlass.git:/srv/CMake.git evidence_read_bench
//
// Each path is a repository; its HEAD is read.
#include <benchmark/benchmark.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/process/environment.h"
#include "base/process/subprocess.h"
#include "evidence/look_up.h"
#include "evidence/snapshot.h"
#include "git/repository.h"
#include "passages/language.h"
#include "passages/passage.h"

namespace {

using namespace sibyl::evidence;  // NOLINT: a benchmark is one file
using namespace sibyl::git;       // NOLINT
using namespace sibyl::passages;  // NOLINT

struct Corpus {
  std::vector<std::string> folders;
  std::vector<Snapshot> snapshots;
};

const Corpus& TheCorpus() {
  static const Corpus corpus = [] {
    Corpus made;
    std::string rest = sibyl::EnvironmentVariable("SIBYL_BENCH_GIT").value_or("");
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      const std::string folder = rest.substr(0, end);
      rest.erase(0, std::min(end + 1, rest.size()));
      const auto repository = Repository::Open(folder);
      if (!repository.ok()) continue;
      const auto commit = repository->ResolveCommit("HEAD");
      if (!commit.ok()) continue;
      ObjectReader reader(*repository->objects());
      const auto tree = TreeOf(reader, *commit);
      if (!tree) continue;
      auto snapshot = Snapshot::List(repository->objects(), *tree, {});
      if (!snapshot.ok()) continue;
      made.folders.push_back(folder);
      made.snapshots.push_back(std::move(snapshot).value());
    }
    return made;
  }();
  return corpus;
}

bool SkipWithoutCorpus(benchmark::State& state) {
  if (!TheCorpus().snapshots.empty()) return false;
  state.SkipWithError("SIBYL_BENCH_GIT names no repository");
  return true;
}

template <typename Visit>
void ScanAll(benchmark::State& state, const Visit& visit) {
  if (SkipWithoutCorpus(state)) return;
  std::uint64_t bytes = 0;
  for (auto _ : state) {
    bytes = 0;
    for (const Snapshot& snapshot : TheCorpus().snapshots) {
      bytes +=
          snapshot.Scan({.threads = static_cast<std::size_t>(state.range(0))}, visit).text_bytes;
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
}

void ReadTexts(benchmark::State& state) {
  ScanAll(state, [](const ScannedFile& file) { benchmark::DoNotOptimize(file.text.data()); });
}
BENCHMARK(ReadTexts)->Arg(1)->Arg(2)->UseRealTime()->MeasureProcessCPUTime()->Unit(
    benchmark::kMillisecond);

void ReadAndSplitTexts(benchmark::State& state) {
  std::atomic<std::size_t> passages{0};
  ScanAll(state, [&passages](const ScannedFile& file) {
    const TextTraits traits = Classify(file.path, file.text);
    passages += SplitPassages(traits.language, file.text).size();
  });
}
BENCHMARK(ReadAndSplitTexts)
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

// The peer: one process for each repository, given the same blobs in the order
// of their paths, its output thrown away.
void GitCatFile(benchmark::State& state) {
  if (SkipWithoutCorpus(state)) return;
  std::vector<std::string> lists;
  for (const Snapshot& snapshot : TheCorpus().snapshots) {
    const ScanReport report = snapshot.Scan({}, [](const ScannedFile&) {});
    std::string list;
    for (std::size_t i = 0; i < report.skips.size(); ++i) {
      const SkipReason reason = report.skips[i];
      if (reason == SkipReason::kNone || reason == SkipReason::kBinary) {
        list += snapshot.files()[i].blob.Hex() + "\n";
      }
    }
    lists.push_back(std::move(list));
  }
  for (auto _ : state) {
    for (std::size_t i = 0; i < lists.size(); ++i) {
      const sibyl::Command command{.program = "sh",
                                   .arguments = {"-c", "exec git cat-file --batch >/dev/null"},
                                   .input = lists[i],
                                   .folder = TheCorpus().folders[i]};
      const auto outcome = sibyl::RunProgram(command);
      if (!outcome.ok() || !outcome->succeeded()) state.SkipWithError("git failed");
    }
  }
}
BENCHMARK(GitCatFile)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
