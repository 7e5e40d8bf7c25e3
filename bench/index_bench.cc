// SPDX-License-Identifier: Apache-2.0
// The index against its peers, interleaved in one run:
//
//   index_bench CORPUS WORK [ROUNDS] [--without-xapian-build]
//
// CORPUS is a folder of source trees, WORK an empty folder on the same disk.
// Reports medians and ratios; bench/RESULTS.md keeps those of quiet machines.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "folder_source.h"
#include "index/grep.h"
#include "index/index_builder.h"
#include "index/searcher.h"
#include "measure.h"
#include "peers.h"

namespace sibyl::bench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kQueries[] = {"TORCH_CUDA_ARCH_LIST",
                                    "how does cmake detect cupti",
                                    "cudaGraph capture replay",
                                    "WMMA fragment load_matrix_sync",
                                    "fused adam optimizer kernel multi tensor",
                                    "delayed scaling fp8 amax history",
                                    "gencode arch sm_90 ptx fallback",
                                    "grad scaler inf check unscale",
                                    "shared memory bank conflict swizzle",
                                    "nccl allreduce bucket gradient overlap",
                                    "find_library CUDA_cupti_LIBRARY",
                                    "checkpoint resume training state dict"};
constexpr const char* kPatterns[] = {"cudaGraphLaunch", "mma\\.sync\\.aligned\\.m16n8k16",
                                     "TORCH_CHECK\\(.*is_cuda", "__launch_bounds__\\(\\s*\\d+"};

struct Setup {
  fs::path corpus;
  fs::path work;
  int rounds = 3;
  bool builds_xapian = true;
};

fs::path Manifest(const Setup& setup) { return setup.work / "manifest.json"; }

void BuildOurs(const Setup& setup, std::size_t threads) {
  FolderSource source(setup.corpus);
  const Result<index::BuildReport> report =
      index::BuildIndex(source, {.segment_folder = setup.work,
                                 .manifest = Manifest(setup),
                                 .fingerprint = "bench",
                                 .previous = {},
                                 .limits = {.threads = threads}});
  if (!report.ok()) std::abort();
}

std::uint64_t FolderBytes(const fs::path& folder, std::string_view extension) {
  std::uint64_t bytes = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().string().ends_with(extension)) {
      bytes += entry.file_size();
    }
  }
  return bytes;
}

void DeleteSegments(const Setup& setup) {
  for (const fs::directory_entry& entry : fs::directory_iterator(setup.work)) {
    if (entry.path().extension() == ".segment") fs::remove(entry.path());
  }
}

using Table = std::map<std::string, Series>;

void MeasureBuilds(const Setup& setup, Table& wall, Table& cpu, Table& memory) {
  const auto add = [&](const std::string& name, const ProcessCost& cost) {
    if (cost.wall_s < 0) return;
    wall[name].Add(cost.wall_s);
    cpu[name].Add(cost.cpu_s);
    memory[name].Add(cost.peak_mb);
  };
  for (const std::size_t threads : {std::size_t{1}, std::size_t{0}}) {
    DeleteSegments(setup);
    add(threads == 1 ? "sibyl, one thread" : "sibyl, all threads",
        RunInChild([&] { BuildOurs(setup, threads); }));
  }
  add("fts5", RunInChild([&] {
        FolderSource source(setup.corpus);
        MakeFts5()->Build(source, setup.work);
      }));
  if (setup.builds_xapian) {
    add("xapian", RunInChild([&] {
          FolderSource source(setup.corpus);
          MakeXapian()->Build(source, setup.work);
        }));
  }
  ::setenv("CSEARCHINDEX", (setup.work / "csearchindex").c_str(), 1);
  add("cindex", RunProgram({"cindex", "-reset", setup.corpus.string()}));
}

void MeasureQueries(const Setup& setup, Table& micros) {
  const double begin = SecondsNow();
  const Result<index::Index> index = index::Index::Open(Manifest(setup), setup.work, "corpus");
  if (!index.ok()) std::abort();
  const index::Searcher searcher({&*index});
  (void)searcher.Search({.text = kQueries[1]});
  micros["sibyl open + first"].Add(1e6 * (SecondsNow() - begin));
  const auto measure = [&](const std::string& name, int times, const auto& search) {
    for (const char* query : kQueries) {
      for (int i = 0; i < times; ++i) {
        const double from = SecondsNow();
        search(query);
        micros[name].Add(1e6 * (SecondsNow() - from));
      }
    }
  };
  measure("sibyl", 200, [&](const char* query) { (void)searcher.Search({.text = query}); });
  const std::unique_ptr<Peer> xapian = MakeXapian();
  if (fs::exists(setup.work / "xapian")) {
    const double from = SecondsNow();
    xapian->Open(setup.work);
    (void)xapian->Search(kQueries[1]);
    micros["xapian open + first"].Add(1e6 * (SecondsNow() - from));
    measure("xapian", 50, [&](const char* query) { (void)xapian->Search(query); });
  }
  const std::unique_ptr<Peer> fts5 = MakeFts5();
  fts5->Open(setup.work);
  measure("fts5", 5, [&](const char* query) { (void)fts5->Search(query); });
}

void MeasurePatterns(const Setup& setup, Table& millis) {
  const Result<index::Index> index = index::Index::Open(Manifest(setup), setup.work, "corpus");
  if (!index.ok()) std::abort();
  const index::Searcher searcher({&*index});
  for (const char* pattern : kPatterns) {
    for (int i = 0; i < 20; ++i) {
      const double from = SecondsNow();
      (void)index::Grep(searcher, {.text = pattern}).ok();
      millis[std::string("sibyl    ") + pattern].Add(1e3 * (SecondsNow() - from));
    }
    for (int i = 0; i < 5; ++i) {
      const ProcessCost csearch = RunProgram({"csearch", pattern});
      millis[std::string("csearch  ") + pattern].Add(1e3 * csearch.wall_s);
    }
    const ProcessCost rg = RunProgram(
        {"rg", "--no-ignore", "--hidden", "-a", "-n", "-e", pattern, setup.corpus.string()});
    millis[std::string("ripgrep  ") + pattern].Add(1e3 * rg.wall_s);
  }
}

/// One file in a hundred has another text.
class ChangedSource : public FolderSource {
 public:
  explicit ChangedSource(const fs::path& folder) : FolderSource(folder) {}

  const index::DocumentKey& key(std::size_t item) const override {
    if (item % 100 != 0) return FolderSource::key(item);
    changed_ = FolderSource::key(item);
    changed_.blob.bytes[19] = static_cast<std::uint8_t>(changed_.blob.bytes[19] ^ 1);
    return changed_;
  }
  Result<index::Loaded> Load(std::size_t item, index::Document& document) override {
    Result<index::Loaded> loaded = FolderSource::Load(item, document);
    if (item % 100 == 0) document.text += "\nchanged\n";
    return loaded;
  }

 private:
  static thread_local index::DocumentKey changed_;
};

thread_local index::DocumentKey ChangedSource::changed_;

void MeasureReuse(const Setup& setup, Table& wall) {
  const auto build = [&](index::DocumentSource& source, const fs::path& previous) {
    const double from = SecondsNow();
    const Result<index::BuildReport> report =
        index::BuildIndex(source, {.segment_folder = setup.work,
                                   .manifest = setup.work / "reuse.json",
                                   .fingerprint = "bench",
                                   .previous = previous,
                                   .limits = {}});
    if (!report.ok()) std::abort();
    return SecondsNow() - from;
  };
  DeleteSegments(setup);
  FolderSource source(setup.corpus);
  source.ComputeBlobIds();
  wall["index of known blobs"].Add(build(source, {}));
  ChangedSource changed(setup.corpus);
  changed.ComputeBlobIds();
  wall["again, 1 % of files changed"].Add(build(changed, setup.work / "reuse.json"));
}

void Print(const std::string& title, const Table& table, const char* unit) {
  fmt::print("\n{} ({}): median, p99\n", title, unit);
  for (const auto& [name, series] : table) {
    fmt::print("  {:<50} {:>12.3f} {:>12.3f}\n", name, series.Median(), series.Quantile(0.99));
  }
}

void PrintRatios(Table& wall, Table& micros) {
  const double build = wall["sibyl, all threads"].Median();
  fmt::print("\nratios to sibyl, medians\n");
  fmt::print("  build: fts5 {:.1f}, cindex {:.1f}, xapian {:.1f}\n", wall["fts5"].Median() / build,
             wall["cindex"].Median() / build, wall["xapian"].Median() / build);
  const double query = micros["sibyl"].Median();
  fmt::print("  query: fts5 {:.0f}, xapian {:.1f}\n", micros["fts5"].Median() / query,
             micros["xapian"].Median() / query);
  fmt::print("  reuse: {:.1f} % of a build\n", 100 * wall["again, 1 % of files changed"].Median() /
                                                   wall["index of known blobs"].Median());
}

int Main(const Setup& setup) {
  fs::create_directories(setup.work);
  Table wall;
  Table cpu;
  Table memory;
  Table micros;
  Table millis;
  for (int round = 0; round < setup.rounds; ++round) {
    fmt::print(stderr, "round {} of {}\n", round + 1, setup.rounds);
    MeasureBuilds(setup, wall, cpu, memory);
    if (round == 0) {
      const auto text = static_cast<double>(FolderBytes(setup.corpus, ""));
      fmt::print("text {:.1f} MB; segment with text {:.3f} of it; fts5 {:.3f}\n", text / 1e6,
                 static_cast<double>(FolderBytes(setup.work, ".segment")) / text,
                 static_cast<double>(FolderBytes(setup.work, "fts5.db")) / text);
    }
    MeasureQueries(setup, micros);
    MeasurePatterns(setup, millis);
    MeasureReuse(setup, wall);
  }
  Print("build, wall", wall, "s");
  Print("build, processor time", cpu, "s");
  Print("build, peak memory", memory, "MB");
  Print("ranked search, 12 queries pooled", micros, "us");
  Print("exact search", millis, "ms");
  PrintRatios(wall, micros);
  return 0;
}

}  // namespace
}  // namespace sibyl::bench

int main(int count, char** arguments) {
  if (count < 3) {
    fmt::print(stderr, "usage: index_bench CORPUS WORK [ROUNDS] [--without-xapian-build]\n");
    return 2;
  }
  sibyl::bench::Setup setup{.corpus = arguments[1], .work = arguments[2]};
  for (int i = 3; i < count; ++i) {
    if (std::strcmp(arguments[i], "--without-xapian-build") == 0) {
      setup.builds_xapian = false;
    } else {
      setup.rounds = std::atoi(arguments[i]);
    }
  }
  return sibyl::bench::Main(setup);
}
