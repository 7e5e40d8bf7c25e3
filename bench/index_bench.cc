// SPDX-License-Identifier: Apache-2.0
// The index against its peers, interleaved in one run:
//
//   SIBYL_BENCH_CORPUS=/srv/trees SIBYL_BENCH_GIT=/srv/a.git:/srv/b.git index_bench
//       [--rounds=3] [--scale=10] [--without-xapian] [--only=builds,packs,reuse,queries,patterns]
//
// SIBYL_BENCH_CORPUS is a folder of source trees, SIBYL_BENCH_GIT the same in
// git repositories (their HEADs are read). Peers: SQLite's FTS5, Xapian,
// codesearch and ripgrep, as far as they are installed. Works in
// SIBYL_BENCH_WORK, or in a folder that it makes and removes. Reports medians
// and ratios; bench/RESULTS.md keeps some.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <string_view>
#include <thread>

#include "base/files/temporary_folder.h"
#include "base/process/environment.h"
#include "index_builds.h"
#include "index_searches.h"

namespace sibyl::bench {
namespace {

struct Options {
  int rounds = 3;
  std::size_t scale = 0;
  bool builds_xapian = true;
  std::string only;  // names of what to measure, all if empty

  bool Measures(std::string_view name) const {
    return only.empty() ||
           ("," + only + ",").find("," + std::string(name) + ",") != std::string::npos;
  }
};

struct Results {
  BuildTables builds;
  Table micros;
  Table millis;
};

std::optional<Options> ParseOptions(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    const auto number = [&](std::string_view name, auto& value) {
      if (!argument.starts_with(name)) return false;
      const char* end = argument.data() + argument.size();
      return std::from_chars(argument.data() + name.size(), end, value).ptr == end && value > 0;
    };
    if (argument == "--without-xapian") {
      options.builds_xapian = false;
    } else if (constexpr std::string_view kOnly = "--only="; argument.starts_with(kOnly)) {
      options.only = argument.substr(kOnly.size());
    } else if (!number("--rounds=", options.rounds) && !number("--scale=", options.scale)) {
      return std::nullopt;
    }
  }
  return options;
}

std::vector<std::filesystem::path> Repositories() {
  std::vector<std::filesystem::path> repositories;
  std::string rest = EnvironmentVariable("SIBYL_BENCH_GIT").value_or("");
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    repositories.emplace_back(rest.substr(0, end));
    rest.erase(0, std::min(end + 1, rest.size()));
  }
  return repositories;
}

void Print(const std::string& title, const Table& table, const char* unit) {
  fmt::print("\n{}: median, p99\n", title);
  for (const auto& [name, series] : table) {
    fmt::print("  {:<56} {:>10.3f} {:>10.3f} {}\n", name, series.Median(), series.Quantile(0.99),
               unit);
  }
}

// "3.1 x" if both were measured.
void PrintRatio(const char* what, const Table& table, const std::string& over,
                const std::string& under) {
  const auto top = table.find(over);
  const auto bottom = table.find(under);
  if (top == table.end() || bottom == table.end()) return;
  fmt::print("  {:<56} {:>10.2f}\n", what, top->second.Median() / bottom->second.Median());
}

void PrintRatios(const Results& results) {
  const Table& wall = results.builds.wall_s;
  const Table& cpu = results.builds.cpu_s;
  fmt::print("\nratios of medians\n");
  PrintRatio("build: fts5 / sibyl", wall, "fts5", "sibyl");
  PrintRatio("build: cindex / sibyl", wall, "cindex", "sibyl");
  PrintRatio("build: xapian / sibyl", wall, "xapian", "sibyl");
  PrintRatio("build, processor time: fts5 / sibyl on one thread", cpu, "fts5", "sibyl, one thread");
  PrintRatio("build, processor time: cindex / sibyl on one thread", cpu, "cindex",
             "sibyl, one thread");
  PrintRatio("build from packs: sibyl / git cat-file", wall, "sibyl, from packs",
             "git cat-file --batch");
  PrintRatio("1 % changed: share of a build, wall", wall, "sibyl, 1 % changed",
             "sibyl, known blobs");
  PrintRatio("1 % changed: share of a build, processor time", cpu, "sibyl, 1 % changed",
             "sibyl, known blobs");
  PrintRatio("query: xapian / sibyl", results.micros, "xapian", "sibyl");
  PrintRatio("query: fts5 / sibyl", results.micros, "fts5", "sibyl");
  for (const std::string pattern : kPatterns) {
    PrintRatio(("csearch / sibyl: " + pattern).c_str(), results.millis, "csearch  " + pattern,
               "sibyl    " + pattern);
  }
  for (const auto& [name, series] : wall) {
    if (name.starts_with("sibyl, corpus x")) {
      PrintRatio((name + " / once").c_str(), wall, name, "sibyl");
    }
  }
}

void PrintMachine() {
  double load[1] = {};
  if (::getloadavg(load, 1) != 1) load[0] = -1;
  fmt::print("{:%F %T} UTC, {} processors, load average {:.1f}\n", fmt::gmtime(std::time(nullptr)),
             std::thread::hardware_concurrency(), load[0]);
}

int Run(const IndexCorpus& corpus, const Options& options) {
  Results results;
  PrintMachine();
  bool is_right = true;
  for (int round = 0; round < options.rounds; ++round) {
    fmt::print(stderr, "round {} of {}\n", round + 1, options.rounds);
    if (options.Measures("builds")) MeasureBuilds(corpus, results.builds);
    if (options.Measures("packs")) MeasurePackBuilds(corpus, results.builds);
    if (options.Measures("reuse")) MeasureReuse(corpus, results.builds);
    if (round == 0) is_right = CheckResults(corpus);
    if (options.Measures("queries")) MeasureQueries(corpus, results.micros);
    if (options.Measures("patterns")) MeasurePatterns(corpus, results.millis);
    PrintMachine();
  }
  if (options.scale > 0) MeasureScale(corpus, options.scale, results.builds);
  const IndexSizes sizes = MeasureSizes(corpus);
  const auto share = [&](std::uint64_t bytes) {
    return static_cast<double>(bytes) / static_cast<double>(sizes.text);
  };
  fmt::print("text {:.1f} MB; index {:.3f} of it, packed text {:.3f}\n",
             static_cast<double>(sizes.text) / 1e6, share(sizes.index), share(sizes.packed_text));
  fmt::print("results: {}\n", is_right ? "as they should be" : "WRONG, see above");
  Print("build, wall", results.builds.wall_s, "s");
  Print("build, processor time", results.builds.cpu_s, "s");
  Print("build, peak memory", results.builds.peak_mb, "MB");
  Print("ranked search, ten best", results.micros, "us");
  Print("exact search", results.millis, "ms");
  PrintRatios(results);
  return is_right ? 0 : 1;
}

int Main(int count, char** arguments) {
  if (count == 5 && std::string_view(arguments[1]) == kFirstQuery) {
    OpenAndSearch(arguments[2], {.work = arguments[3]}, std::stoi(arguments[4]));
    return 0;
  }
  const std::optional<Options> options = ParseOptions(count, arguments);
  if (!options) {
    fmt::print(stderr,
               "usage: index_bench [--rounds=3] [--scale=10] [--without-xapian]\n"
               "    [--only=builds,packs,reuse,queries,patterns]\n");
    return 2;
  }
  const std::optional<std::string> folder = EnvironmentVariable("SIBYL_BENCH_CORPUS");
  if (!folder) {
    fmt::print(
        "index_bench: skipped; set SIBYL_BENCH_CORPUS to a folder of source trees, such as clones "
        "of pytorch, cutlass and CMake, and SIBYL_BENCH_GIT to their repositories\n");
    return 0;
  }
  std::optional<TemporaryFolder> temporary;
  const std::optional<std::string> given = EnvironmentVariable("SIBYL_BENCH_WORK");
  if (!given) temporary.emplace();
  IndexCorpus corpus{.folder = *folder,
                     .repositories = Repositories(),
                     .work = given ? std::filesystem::path(*given) : temporary->path(),
                     .builds_xapian = options->builds_xapian};
  std::filesystem::create_directories(corpus.work);
  const std::string csearch_index = (corpus.work / "csearchindex").string();
  // NOLINTNEXTLINE(concurrency-mt-unsafe): no thread has been started yet
  ::setenv("CSEARCHINDEX", csearch_index.c_str(), 1);
  return Run(corpus, *options);
}

}  // namespace
}  // namespace sibyl::bench

int main(int count, char** arguments) { return sibyl::bench::Main(count, arguments); }
