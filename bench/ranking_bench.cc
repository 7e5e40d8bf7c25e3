// SPDX-License-Identifier: Apache-2.0
// How good ranking is: the labelled queries of tests/golden/ranking over the
// pinned sources of an oracle, beside plain BM25 in the same run.
//
//   ranking_bench ORACLE [QUERIES] [--misses] [--alone] [--deep] [--baseline FILE]
//
// The corpus is not in the repository. To make the oracle, pin the seven
// repositories at the commits that tests/golden/ranking/figures.txt names:
//
//   sibyl init ORACLE && cd ORACLE
//   sibyl source add https://github.com/ROCm/pytorch --ref COMMIT
//   … NVIDIA/cutlass, Kitware/CMake, NVIDIA/TransformerEngine, NVIDIA/apex,
//   NVIDIA/cuda-samples, NVIDIA/DeepLearningExamples
//
// Exit status 1 when the figures are others than the golden ones; SIBYL_UPDATE=1
// writes them. Not a test of ctest, for want of the corpus; without an oracle
// it says so and does nothing. `--baseline FILE` keeps the FTS5 database, which
// takes longer to build than everything else; `--alone` leaves it out, and the
// comparison too. `--deep` also asks for a hundred hits and says how many of the
// labelled places are among them.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/files/files.h"
#include "index/rank/searcher.h"
#include "oracle/context.h"
#include "oracle/oracle.h"
#include "oracle/source_index.h"
#include "ranking_fts5.h"
#include "ranking_measures.h"
#include "ranking_queries.h"

namespace sibyl::bench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOurs = "sibyl";
constexpr const char* kPlain = "bm25";
constexpr const char* kPlainWithContext = "bm25+context";

struct Arguments {
  std::optional<fs::path> oracle;
  fs::path queries = fs::path(SIBYL_SOURCE_DIR) / "tests/golden/ranking/queries.jsonl";
  std::optional<fs::path> baseline;
  bool shows_misses = false;
  bool is_alone = false;
  bool is_deep = false;
};

Arguments Parse(int count, char** values) {
  Arguments arguments;
  bool has_queries = false;
  for (int i = 1; i < count; ++i) {
    const std::string_view value = values[i];
    if (value == "--misses") {
      arguments.shows_misses = true;
    } else if (value == "--alone") {
      arguments.is_alone = true;
    } else if (value == "--deep") {
      arguments.is_deep = true;
    } else if (value == "--baseline" && i + 1 < count) {
      arguments.baseline = values[++i];
    } else if (!arguments.oracle) {
      arguments.oracle = value;
    } else if (!has_queries) {
      arguments.queries = value;
      has_queries = true;
    }
  }
  return arguments;
}

/// A pinned source, opened in every way that is wanted here.
struct Corpus {
  oracle::SourceIndexes indexes;
  std::map<std::string, evidence::Snapshot> snapshots;
  std::string name;  ///< One line for each pin.
};

Result<Corpus> OpenCorpus(const fs::path& oracle) {
  const SystemClock clock = SIBYL_TRY(SystemClock::FromEnvironment());
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(
      {.working_folder = fs::current_path(), .oracle = fs::absolute(oracle), .clock = clock}));
  Corpus corpus;
  corpus.indexes =
      SIBYL_TRY(oracle::OpenSourceIndexes(SIBYL_TRY(evidence::ReadLock(around)), around));
  for (const Finding& finding : corpus.indexes.findings) {
    if (finding.severity == Severity::kError) {
      return Error{.kind = ErrorKind::kUnavailable, .message = finding.message};
    }
  }
  for (const oracle::SourceIndex& source : corpus.indexes.sources) {
    corpus.snapshots.emplace(source.pin.name,
                             SIBYL_TRY(evidence::OpenSnapshot(source.pin, around)));
    corpus.name +=
        fmt::format("{} {}\n", source.pin.name,
                    source.pin.commit ? source.pin.commit->Hex() : evidence::ShortPin(source.pin));
  }
  return corpus;
}

// Looks up the blobs of the labelled paths.
Status FindLabels(const Corpus& corpus, std::vector<LabelledQuery>& queries) {
  for (LabelledQuery& query : queries) {
    for (Label& label : query.labels) {
      const auto snapshot = corpus.snapshots.find(label.place.source);
      const evidence::SnapshotFile* file =
          snapshot == corpus.snapshots.end() ? nullptr : snapshot->second.Find(label.place.path);
      if (file == nullptr) {
        return Error{.kind = ErrorKind::kNotFound,
                     .message = fmt::format("{}: {} has no {}", query.id, label.place.source,
                                            label.place.path),
                     .hint = "pin the sources at the commits of the golden figures"};
      }
      label.place.blob = file->blob;
    }
  }
  return {};
}

Result<PlainBm25> OpenBaseline(const Corpus& corpus, const fs::path& file) {
  PlainBm25 plain = SIBYL_TRY(PlainBm25::Open(file, corpus.name));
  if (plain.is_complete()) return plain;
  for (const auto& [name, snapshot] : corpus.snapshots) SIBYL_TRY(plain.Add(name, snapshot));
  SIBYL_TRY(plain.Finish(corpus.name));
  return plain;
}

std::vector<SourceLines> SearchOurs(const index::Searcher& searcher, const LabelledQuery& query,
                                    std::size_t limit) {
  std::vector<SourceLines> hits;
  for (const index::Hit& hit :
       searcher.Search({.text = query.text, .context = query.context, .limit = limit})) {
    hits.push_back({.source = std::string(hit.source_view),
                    .blob = hit.blob,
                    .path = std::string(hit.path_view),
                    .first_line = hit.first_line,
                    .last_line = hit.last_line});
  }
  return hits;
}

// The grade of what a hit is labelled with, or a dot.
std::string GradeOf(const LabelledQuery& query, const SourceLines& hit) {
  int best = 0;
  for (const Label& label : query.labels) {
    if (label.place.Overlaps(hit)) best = std::max(best, label.grade);
  }
  return best == 0 ? "." : std::to_string(best);
}

void ShowMisses(const LabelledQuery& query, const std::vector<SourceLines>& hits,
                const Measures& measures) {
  if (measures.recall >= 1 && measures.reciprocal_rank >= 1) return;
  fmt::print("\n{} [{}{}] {}{}\n  recall {:.2f}  rr {:.2f}  ndcg {:.2f}\n", query.id, query.kind,
             query.is_held_out ? ", held out" : "", query.text,
             query.context.empty() ? "" : "  ~ " + query.context, measures.recall,
             measures.reciprocal_rank, measures.gain);
  for (const SourceLines& hit : hits) {
    fmt::print("    {} {}:{}:{}-{}\n", GradeOf(query, hit), hit.source, hit.path, hit.first_line,
               hit.last_line);
  }
  for (const Label& label : query.labels) {
    const bool is_found = std::any_of(hits.begin(), hits.end(), [&label](const SourceLines& hit) {
      return label.place.Overlaps(hit);
    });
    if (is_found) continue;
    fmt::print("  - {} {}:{}:{}-{}\n", label.grade, label.place.source, label.place.path,
               label.place.first_line, label.place.last_line);
  }
}

Status JudgePlain(const PlainBm25& plain, const LabelledQuery& query, MeasureTable& table) {
  table.Add(kPlain, query, Judge(query, SIBYL_TRY(plain.Search(query.text))));
  const std::string with_context = query.text + " " + query.context;
  table.Add(kPlainWithContext, query, Judge(query, SIBYL_TRY(plain.Search(with_context))));
  return {};
}

Result<std::string> Evaluate(const Arguments& arguments) {
  std::vector<LabelledQuery> queries = SIBYL_TRY(ReadLabelledQueries(arguments.queries));
  const Corpus corpus = SIBYL_TRY(OpenCorpus(*arguments.oracle));
  SIBYL_TRY(FindLabels(corpus, queries));
  MeasureTable table;
  const index::Searcher searcher(corpus.indexes.Borrow());
  for (const LabelledQuery& query : queries) {
    const std::vector<SourceLines> hits = SearchOurs(searcher, query, kJudgedHits);
    Measures measures = Judge(query, hits);
    if (arguments.is_deep) {
      measures.deep_recall = DeepRecall(query, SearchOurs(searcher, query, kDeepHits));
    }
    table.Add(kOurs, query, measures);
    if (arguments.shows_misses) ShowMisses(query, hits, measures);
  }
  if (!arguments.is_alone) {
    const fs::path file = arguments.baseline.value_or(
        fs::temp_directory_path() / fmt::format("ranking-baseline-{}.db", ::getpid()));
    const PlainBm25 plain = SIBYL_TRY(OpenBaseline(corpus, file));
    for (const LabelledQuery& query : queries) SIBYL_TRY(JudgePlain(plain, query, table));
    if (!arguments.baseline) fs::remove(file);
  }
  return corpus.name + "\n" + table.Format();
}

// Compares with the golden figures, or replaces them.
Result<bool> CompareFigures(const fs::path& golden, const std::string& figures) {
  const char* update = std::getenv("SIBYL_UPDATE");
  if (update != nullptr && std::string_view(update) == "1") {
    SIBYL_TRY(WriteFileAtomically(golden, figures));
    return true;
  }
  return SIBYL_TRY(ReadFile(golden)) == figures;
}

int Main(const Arguments& arguments) {
  if (!arguments.oracle) {
    fmt::print("skipped: give the folder of an oracle with the corpus pinned\n");
    return 0;
  }
  const Result<std::string> figures = Evaluate(arguments);
  if (!figures.ok()) {
    fmt::print(stderr, "ranking_bench: {}\n", figures.error().message);
    return 2;
  }
  fmt::print("\n{}", *figures);
  if (arguments.is_alone) return 0;
  const fs::path golden = arguments.queries.parent_path() / "figures.txt";
  const Result<bool> agrees = CompareFigures(golden, *figures);
  if (!agrees.ok() || !*agrees) {
    fmt::print(stderr, "\nthese are not the figures of {}; SIBYL_UPDATE=1 writes them\n",
               golden.string());
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace sibyl::bench

int main(int count, char** values) {
  return sibyl::bench::Main(sibyl::bench::Parse(count, values));
}
