// SPDX-License-Identifier: Apache-2.0
#include "draft/point/records.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "base/whole_word.h"

namespace sibyl::draft {
namespace {

constexpr std::size_t kFewestWords = 2;
constexpr std::size_t kStem = 4;
constexpr std::size_t kMostRecords = 2;

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

// "10-20x", "10× speedup", "throughput".
bool AsksHowFast(std::string_view text) {
  constexpr std::array<std::string_view, 12> kWords = {
      "performance", "throughput", "speedup", "bandwidth", "latency", "benchmark",
      "benchmarks",  "tflops",     "tflop",   "faster",    "speed",   "gflops"};
  const std::string lower = LowerCase(text);
  if (std::any_of(kWords.begin(), kWords.end(),
                  [&](std::string_view word) { return FindWholeWord(lower, word).has_value(); })) {
    return true;
  }
  constexpr std::string_view kTimes = "\u00d7";
  for (std::size_t at = 0; at + 1 < lower.size(); ++at) {
    const std::string_view rest = std::string_view(lower).substr(at + 1);
    const bool is_x = rest[0] == 'x' && (rest.size() == 1 || !IsWordByte(rest[1]));
    if (IsDigit(lower[at]) && (is_x || rest.starts_with(kTimes))) return true;
  }
  return false;
}

bool IsSpeed(std::string_view unit) {
  constexpr std::array<std::string_view, 5> kTimes = {"s", "ms", "us", "ns", "\u00b5s"};
  return unit.ends_with("/s") || IsOneOf(unit, kTimes);
}

}  // namespace

RecordWords::RecordWords(const Question& question) {
  for (const QuestionWord& word : question.words) {
    if (word.is_frame || word.is_everyday) continue;
    for (std::string& part : WordsIn(word.written)) words_.push_back(std::move(part));
  }
}

double RecordWords::ShareIn(std::string_view text, std::string_view identity) const {
  if (words_.size() < kFewestWords || CountIn(identity) == 0) return 0;
  return static_cast<double>(CountIn(text)) / static_cast<double>(words_.size());
}

std::size_t RecordWords::CountIn(std::string_view text) const {
  const std::vector<std::string> there = WordsIn(text);
  return static_cast<std::size_t>(
      std::count_if(words_.begin(), words_.end(), [&](const std::string& word) {
        return std::any_of(there.begin(), there.end(),
                           [&](const std::string& other) { return IsSameWord(word, other); });
      }));
}

std::vector<Record> RecordsOf(const PlanPoint& point, const std::vector<Record>& records) {
  const RecordWords own(point.subject.core);
  const RecordWords topic(point.subject.topic);
  const bool asks_speed = AsksHowFast(point.asked.text);
  struct Ranked {
    double score = 0;
    const Record* record = nullptr;
  };
  std::vector<Ranked> ranked;
  for (const Record& record : records) {
    double score = own.ShareIn(record.words, record.identity);
    if (score < kLeastOfRecord) {
      const bool is_speed = asks_speed && IsSpeed(record.unit);
      const auto named = own.CountIn(record.identity) + topic.CountIn(record.identity);
      score =
          is_speed && named > 0 ? 0.1 * static_cast<double>(std::min<std::size_t>(named, 5)) : 0;
    }
    if (score > 0) ranked.push_back({score, &record});
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Ranked& a, const Ranked& b) { return a.score > b.score; });
  std::vector<Record> best;
  for (const Ranked& one : ranked) {
    if (best.size() == kMostRecords || one.score < ranked.front().score) break;
    const bool is_known = std::any_of(best.begin(), best.end(), [&](const Record& other) {
      return other.series == one.record->series;
    });
    if (!is_known) best.push_back(*one.record);
  }
  return best;
}

}  // namespace sibyl::draft
