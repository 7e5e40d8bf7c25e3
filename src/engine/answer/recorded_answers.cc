// SPDX-License-Identifier: Apache-2.0
#include "engine/answer/recorded_answers.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "base/whole_word.h"
#include "evidence/citation.h"
#include "lab/run.h"
#include "oracle/cited_facts.h"
#include "oracle/lab_runs.h"

namespace sibyl::engine {
namespace {

constexpr double kLeastShare = 0.75;
constexpr std::size_t kFewestWords = 2;
constexpr std::size_t kMostFacts = 2;
constexpr std::size_t kStem = 4;

// "architectures" and "arch" begin alike.
bool IsSameWord(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const std::size_t least = std::min(a.size(), b.size());
  return least >= kStem && a.substr(0, least) == b.substr(0, least);
}

std::vector<std::string> WordsIn(std::string_view text) {
  std::vector<std::string> words;
  const std::string lower = LowerCase(text);
  for (std::size_t at = 0; at < lower.size();) {
    std::size_t end = at;
    while (end < lower.size() && IsWordByte(lower[end]) && lower[end] != '_') ++end;
    if (end > at) words.push_back(lower.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return words;
}

class AskedWords {
 public:
  explicit AskedWords(const draft::Question& question) {
    for (const draft::QuestionWord& word : question.words) {
      if (word.is_frame || word.is_everyday) continue;
      for (std::string& part : WordsIn(word.written)) words_.push_back(std::move(part));
    }
  }

  /// The share of the words that the text has; 0 if it does not have one of `identity`.
  double ShareIn(std::string_view text, std::string_view identity) const {
    if (words_.size() < kFewestWords || Count(identity) == 0) return 0;
    return static_cast<double>(Count(text)) / static_cast<double>(words_.size());
  }

 private:
  std::size_t Count(std::string_view text) const {
    const std::vector<std::string> there = WordsIn(text);
    return static_cast<std::size_t>(
        std::count_if(words_.begin(), words_.end(), [&](const std::string& word) {
          return std::any_of(there.begin(), there.end(),
                             [&](const std::string& other) { return IsSameWord(word, other); });
        }));
  }

  std::vector<std::string> words_;
};

Json Recorded(std::string_view kind, std::string text, const std::string& path,
              const evidence::Citation& citation) {
  return {{"kind", kind},    {"text", std::move(text)},
          {"heading", ""},   {"source", nullptr},
          {"path", path},    {"lines", nullptr},
          {"link", nullptr}, {"citation", evidence::FormatCitation(citation)}};
}

void AddMeasurement(const oracle::Context& context, const AskedWords& asked, Json& statements) {
  double best = 0;
  std::optional<Json> found;
  for (const oracle::RunFile& file : oracle::KeptRuns(context)) {
    if (!file.kept.ok() || !file.kept->is_measured_here) continue;
    const lab::Run& run = file.kept->run;
    for (const lab::Measurement& one : run.measurements) {
      if (!one.is_measured()) continue;
      const std::string words = lab::InWords(run, one);
      const double share = asked.ShareIn(words, one.lab + " " + one.variant);
      if (share < kLeastShare || share <= best) continue;
      best = share;
      found = Recorded("measurement", words, std::string(oracle::kLabsFolder) + "/" + file.id,
                       evidence::LabCitation{.run = file.id, .metric = lab::MetricKey(one)});
    }
  }
  if (found) statements.push_back(*std::move(found));
}

void AddFacts(const oracle::Context& context, const evidence::Lock& lock,
              const evidence::Surroundings& around, const AskedWords& asked, Json& statements) {
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
    if (share >= kLeastShare) ranked.push_back({share, citation});
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
  const AskedWords asked(question);
  AddMeasurement(context, asked, statements);
  AddFacts(context, lock, around, asked, statements);
}

}  // namespace sibyl::engine
