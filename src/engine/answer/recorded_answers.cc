// SPDX-License-Identifier: Apache-2.0
#include "engine/answer/recorded_answers.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "draft/point/records.h"
#include "evidence/citation.h"
#include "lab/run.h"
#include "oracle/cited_facts.h"
#include "oracle/lab_runs.h"

namespace sibyl::engine {
namespace {

constexpr std::size_t kMostFacts = 2;

Json Recorded(std::string_view kind, std::string text, const std::string& path,
              const evidence::Citation& citation) {
  return {{"kind", kind},    {"text", std::move(text)},
          {"heading", ""},   {"source", nullptr},
          {"path", path},    {"lines", nullptr},
          {"link", nullptr}, {"citation", evidence::FormatCitation(citation)}};
}

void AddMeasurement(const oracle::Context& context, const draft::RecordWords& asked,
                    Json& statements) {
  double best = 0;
  std::optional<Json> found;
  for (const oracle::RunFile& file : oracle::KeptRuns(context)) {
    if (!file.kept.ok() || !file.kept->is_measured_here) continue;
    const lab::Run& run = file.kept->run;
    for (const lab::Measurement& one : run.measurements) {
      if (!one.is_measured()) continue;
      const std::string words = lab::InWords(run, one);
      const double share = asked.ShareIn(words, one.lab + " " + one.variant);
      if (share < draft::kLeastOfRecord || share <= best) continue;
      best = share;
      found = Recorded("measurement", words, std::string(oracle::kLabsFolder) + "/" + file.id,
                       evidence::LabCitation{.run = file.id, .metric = lab::MetricKey(one)});
    }
  }
  if (found) statements.push_back(*std::move(found));
}

void AddFacts(const oracle::Context& context, const evidence::Lock& lock,
              const evidence::Surroundings& around, const draft::RecordWords& asked,
              Json& statements) {
  Result<oracle::CitedFacts> facts =
      oracle::CitedFacts::Open(lock, around, oracle::MadeHere(context));
  if (!facts.ok()) return;
  struct Ranked {
    double share = 0;
    evidence::FactCitation citation;
  };
  std::vector<Ranked> ranked;
  for (const auto& [citation, fact] : facts->book().All()) {
    const std::string words = inspect::FactInWords(citation, *fact);
    const double share = asked.ShareIn(words + " " + fact->path, fact->path);
    if (share >= draft::kLeastOfRecord) ranked.push_back({share, citation});
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Ranked& a, const Ranked& b) { return a.share > b.share; });
  if (ranked.size() > kMostFacts) ranked.resize(kMostFacts);
  for (const Ranked& one : ranked) {
    const Result<oracle::CitedFact> fact = facts->Resolve(one.citation);
    if (!fact.ok()) continue;
    statements.push_back(Recorded("fact", inspect::FactInWords(fact->citation, fact->fact),
                                  fact->fact.path, fact->citation));
  }
}

}  // namespace

void AddRecordedAnswers(const oracle::Context& context, const evidence::Lock& lock,
                        const evidence::Surroundings& around, const draft::Question& question,
                        Json& statements) {
  const draft::RecordWords asked(question);
  AddMeasurement(context, asked, statements);
  AddFacts(context, lock, around, asked, statements);
}

}  // namespace sibyl::engine
