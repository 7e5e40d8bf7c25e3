// SPDX-License-Identifier: Apache-2.0
// How well search ranks, over files that every machine has after scripts/setup:
// the manuals and modules of CMake 3.25 (tests/golden/ranking/cmake). Runs the
// program itself. SIBYL_UPDATE=1 rewrites the figures; review the difference. The larger set, over
// seven repositories, is bench/ranking_bench.cc.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/json.h"
#include "base/process/subprocess.h"
#include "base/sha1.h"
#include "base/strings.h"
#include "bench/ranking_measures.h"
#include "bench/ranking_queries.h"

namespace sibyl::bench {
namespace {

namespace fs = std::filesystem;

const fs::path kCorpus = "/usr/share/cmake-3.25";

// Mean nDCG@10 below which ranking is broken, by kind of query. About 0.03 less
// than the figures beside the queries.
const std::map<std::string, double>& WorstGains() {
  static const auto* const kGains =
      new std::map<std::string, double>{{"symbol", 0.77}, {"keywords", 0.84},   {"question", 0.63},
                                        {"bullet", 0.74}, {"paraphrase", 0.68}, {"all", 0.74}};
  return *kGains;
}

git::ObjectId BlobIdOf(std::string_view text) {
  Sha1Stream hash;
  hash.Add("blob " + std::to_string(text.size()) + std::string(1, '\0'));
  hash.Add(text);
  return {.bytes = hash.Finish()};
}

// One JSON answer for each query, in their order.
std::vector<Json> SearchAll(const fs::path& queries) {
  const TemporaryFolder folder;
  const fs::path program(SIBYL_PROGRAM);
  const std::string script = "set -e; sibyl init -q oracle; cd oracle; sibyl source add -q " +
                             kCorpus.string() + " --name cmake; sibyl search --batch '" +
                             queries.string() + "'";
  const auto outcome =
      RunProgram({.program = "/bin/bash",
                  .arguments = {"-c", script},
                  .folder = folder.path(),
                  .environment = {{"PATH", program.parent_path().string() + ":/usr/bin:/bin"},
                                  {"HOME", folder.path().string()},
                                  {"LC_ALL", "C.UTF-8"}},
                  .inherits_environment = false,
                  .limits = {.time = std::chrono::minutes(4)}});
  EXPECT_TRUE(outcome.ok() && outcome->succeeded())
      << (outcome.ok() ? outcome->errors : outcome.error().message);
  std::vector<Json> answers;
  if (!outcome.ok()) return answers;
  for (const std::string_view line : SplitLines(outcome->output)) {
    if (!line.starts_with('{')) continue;  // what 'init' and 'source add' print
    Result<Json> answer = ParseJson(line);
    EXPECT_TRUE(answer.ok()) << line;
    if (answer.ok()) answers.push_back(*std::move(answer));
  }
  return answers;
}

std::vector<SourceLines> HitsOf(const Json& answer) {
  std::vector<SourceLines> hits;
  for (const Json& hit : answer["hits"]) {
    constexpr std::string_view kPrefix = "swh:1:cnt:";
    const auto citation = hit["citation"].get<std::string>();
    const auto blob = git::ObjectId::FromHex(std::string_view(citation).substr(kPrefix.size(), 40));
    EXPECT_TRUE(blob.has_value()) << citation;
    hits.push_back({.source = hit["source"].get<std::string>(),
                    .blob = blob.value_or(git::ObjectId()),
                    .path = hit["path"].get<std::string>(),
                    .first_line = hit["lines"][0].get<std::uint32_t>(),
                    .last_line = hit["lines"][1].get<std::uint32_t>()});
  }
  return hits;
}

TEST(RankingGolden, RanksTheManualsOfCMakeAsWellAsBefore) {
  const fs::path golden = fs::path(SIBYL_SOURCE_DIR) / "tests/golden/ranking/cmake";
  Result<std::vector<LabelledQuery>> queries = ReadLabelledQueries(golden / "queries.jsonl");
  ASSERT_TRUE(queries.ok()) << queries.error().message;
  for (LabelledQuery& query : *queries) {
    for (Label& label : query.labels) {
      const Result<std::string> text = ReadFile(kCorpus / label.place.path);
      if (!text.ok()) GTEST_SKIP() << "needs Debian 12's cmake-data: " << text.error().message;
      label.place.blob = BlobIdOf(*text);
    }
  }

  const std::vector<Json> answers = SearchAll(golden / "queries.jsonl");
  ASSERT_EQ(answers.size(), queries->size());
  MeasureTable table;
  std::map<std::string, Measures> sums;
  std::map<std::string, double> counts;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const LabelledQuery& query = (*queries)[i];
    const Measures measures = Judge(query, HitsOf(answers[i]));
    table.Add("sibyl", query, measures);
    for (const std::string& group : {query.kind, std::string("all")}) {
      sums[group] += measures;
      counts[group] += 1;
    }
  }
  for (const auto& [kind, worst] : WorstGains()) {
    EXPECT_GE((sums[kind] / counts[kind]).gain, worst) << kind << ":\n" << table.Format();
  }

  if (std::getenv("SIBYL_UPDATE") != nullptr) {
    ASSERT_TRUE(WriteFileAtomically(golden / "figures.txt", table.Format()).ok());
  }
  const Result<std::string> expected = ReadFile(golden / "figures.txt");
  ASSERT_TRUE(expected.ok()) << expected.error().message;
  EXPECT_EQ(table.Format(), *expected) << "SIBYL_UPDATE=1 ctest rewrites them";
}

}  // namespace
}  // namespace sibyl::bench
