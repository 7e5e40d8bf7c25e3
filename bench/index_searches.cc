// SPDX-License-Identifier: Apache-2.0
#include "index_searches.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>

#include "base/files/file_descriptor.h"
#include "index/grep/grep.h"
#include "index/rank/searcher.h"
#include "peers.h"

namespace sibyl::bench {
namespace {

namespace fs = std::filesystem;

index::Index OpenIndex(const IndexCorpus& corpus) {
  Result<index::Index> index = index::Index::Open(corpus.manifest(), corpus.work, "corpus");
  if (!index.ok()) std::abort();
  return std::move(index).value();
}

// The kernel drops clean pages that no process has mapped.
void DropFromCache(const fs::path& path) {
  if (!fs::exists(path)) return;
  std::vector<fs::path> files = {path};
  if (fs::is_directory(path)) {
    files.clear();
    for (const auto& entry : fs::directory_iterator(path)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  for (const fs::path& file : files) {
    const FileDescriptor handle(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    ::fdatasync(handle.number());
    ::posix_fadvise(handle.number(), 0, 0, POSIX_FADV_DONTNEED);
  }
}

// Each in a process of its own that was started anew, not forked: nothing is
// ready but what is on disk, and no page waits to be copied.
void MeasureFirst(const std::string& name, const std::string& engine, const IndexCorpus& corpus,
                  const std::function<void()>& drop, Table& micros) {
  constexpr int kTimes = 9;
  for (int i = 0; i < kTimes; ++i) {
    int channel[2] = {};
    if (::pipe(channel) != 0) std::abort();
    drop();
    const std::string out = std::to_string(channel[1]);
    RunProgram({"/proc/self/exe", kFirstQuery, engine, corpus.work.string(), out});
    double took = 0;
    ::close(channel[1]);
    if (::read(channel[0], &took, sizeof(took)) == sizeof(took)) micros[name].Add(took);
    ::close(channel[0]);
  }
}

void MeasureOpening(const IndexCorpus& corpus, Table& micros) {
  const auto keep = [] {};
  MeasureFirst("sibyl, open and first, warm", "sibyl", corpus, keep, micros);
  MeasureFirst(
      "sibyl, open and first, cold", "sibyl", corpus, [&] { DropFromCache(corpus.work); }, micros);
  const fs::path xapian = corpus.work / "xapian";
  if (!fs::exists(xapian) || MakeXapian() == nullptr) return;
  MeasureFirst("xapian, open and first, warm", "xapian", corpus, keep, micros);
  MeasureFirst(
      "xapian, open and first, cold", "xapian", corpus, [&] { DropFromCache(xapian); }, micros);
}

}  // namespace

void OpenAndSearch(const std::string& engine, const IndexCorpus& corpus, int channel) {
  const double from = SecondsNow();
  if (engine == "sibyl") {
    const index::Index index = OpenIndex(corpus);
    (void)index::Searcher({&index}).Search({.text = kQueries[1]});
  } else {
    const std::unique_ptr<Peer> xapian = MakeXapian();
    xapian->Open(corpus.work);
    (void)xapian->Search(kQueries[1]);
  }
  const double took = 1e6 * (SecondsNow() - from);
  if (::write(channel, &took, sizeof(took)) != sizeof(took)) std::abort();
}

void MeasureQueries(const IndexCorpus& corpus, Table& micros) {
  MeasureOpening(corpus, micros);
  const auto measure = [&](const std::string& name, int times, const auto& search) {
    for (const char* query : kQueries) {
      search(query);
      for (int i = 0; i < times; ++i) {
        const double from = SecondsNow();
        search(query);
        const double took = 1e6 * (SecondsNow() - from);
        micros[name].Add(took);
        micros[fmt::format("  {}: {}", name, query)].Add(took);
      }
    }
  };
  const index::Index index = OpenIndex(corpus);
  const index::Searcher searcher({&index});
  measure("sibyl", 200, [&](const char* query) { (void)searcher.Search({.text = query}); });
  if (const std::unique_ptr<Peer> xapian = MakeXapian();
      xapian != nullptr && fs::exists(corpus.work / "xapian")) {
    xapian->Open(corpus.work);
    measure("xapian", 50, [&](const char* query) { (void)xapian->Search(query); });
  }
  const std::unique_ptr<Peer> fts5 = MakeFts5();
  fts5->Open(corpus.work);
  measure("fts5", 3, [&](const char* query) { (void)fts5->Search(query); });
}

void MeasurePatterns(const IndexCorpus& corpus, Table& millis) {
  const index::Index index = OpenIndex(corpus);
  const index::Searcher searcher({&index});
  for (const std::string pattern : kPatterns) {
    for (int i = 0; i < 20; ++i) {
      const double from = SecondsNow();
      (void)index::Grep(searcher, {.text = pattern}).ok();
      millis["sibyl    " + pattern].Add(1e3 * (SecondsNow() - from));
    }
    for (int i = 0; i < 5; ++i) {
      const ProcessCost csearch = RunProgram({"csearch", pattern});
      if (csearch.wall_s >= 0) millis["csearch  " + pattern].Add(1e3 * csearch.wall_s);
    }
    const ProcessCost rg = RunProgram(
        {"rg", "--no-ignore", "--hidden", "-a", "-n", "-e", pattern, corpus.folder.string()});
    if (rg.wall_s >= 0) millis["ripgrep  " + pattern].Add(1e3 * rg.wall_s);
  }
  // What starting the process costs csearch: a pattern that finds nothing.
  for (int i = 0; i < 5; ++i) {
    const ProcessCost nothing = RunProgram({"csearch", "qqzzxxjjkkqq"});
    if (nothing.wall_s >= 0) millis["csearch  (nothing)"].Add(1e3 * nothing.wall_s);
  }
}

}  // namespace sibyl::bench
