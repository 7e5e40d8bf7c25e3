// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/terms.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "base/strings.h"
#include "base/whole_word.h"
#include "index/rank/query_terms.h"

namespace sibyl::draft {
namespace {

constexpr std::string_view kPlanWordTable =
#include "draft/words/plan.txt.inc"
    ;

// Words that plans use for any subject. They are not distinctive, so they count
// for little.
const std::unordered_set<std::string_view>& PlanWords() {
  static const auto words = [] {
    std::unordered_set<std::string_view> read;
    for (const std::string_view line : SplitLines(kPlanWordTable)) {
      if (line.starts_with('#')) continue;
      for (std::size_t at = 0; at < line.size();) {
        const std::size_t end = std::min(line.find(' ', at), line.size());
        if (end > at) read.insert(line.substr(at, end - at));
        at = end + 1;
      }
    }
    return read;
  }();
  return words;
}

bool IsDigits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

constexpr double kPlanWordFactor = 0.25;
constexpr double kBracketFactor = 0.5;
constexpr double kContextShare = 0.25;

bool IsTermByte(char c) {
  return IsWordByte(c) || c == '.' || c == ':' || c == '-' || c == '/' || c == '=';
}

bool LooksLikeName(std::string_view word) {
  if (word.size() < 3 || static_cast<unsigned char>(word[0]) >= 0x80) return false;
  if (word[0] == '-') return word.size() > 2;
  bool has_lower = false;
  bool hump = false;
  bool joined = false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    const bool upper = c >= 'A' && c <= 'Z';
    hump = hump || (upper && has_lower && word[i - 1] != '-' && word[i - 1] != '/');
    has_lower = has_lower || (c >= 'a' && c <= 'z');
    const bool inside = i > 0 && i + 1 < word.size();
    joined = joined || (inside && (c == '_' || c == '.' || c == ':' || c == '='));
  }
  return hump || joined;
}

}  // namespace

bool IsPlanWord(std::string_view lower) { return PlanWords().contains(lower); }

double ShareOf(const std::vector<WeightedTerm>& terms, const TermSet& text) {
  double all = 0;
  double found = 0;
  for (const WeightedTerm& term : terms) {
    all += term.weight;
    if (text.contains(term.stem)) found += term.weight;
  }
  return all > 0 ? found / all : 0;
}

std::size_t CountTelling(const std::vector<WeightedTerm>& terms, double rarity,
                         const TermSet& text) {
  return static_cast<std::size_t>(std::count_if(
      terms.begin(), terms.end(),
      [&](const WeightedTerm& term) { return term.rarity >= rarity && text.contains(term.stem); }));
}

std::size_t CountTelling(const std::vector<WeightedTerm>& terms, double rarity) {
  return static_cast<std::size_t>(std::count_if(
      terms.begin(), terms.end(), [&](const WeightedTerm& term) { return term.rarity >= rarity; }));
}

double Support(const PointTerms& terms, const TermSet& text) {
  const double point = ShareOf(terms.point, text);
  if (terms.context.empty()) return point;
  return (1 - kContextShare) * point + kContextShare * ShareOf(terms.context, text);
}

TermReader::TermReader(const index::Searcher& searcher) : searcher_(&searcher) {
  for (const index::Searcher::Part& part : searcher.parts()) {
    passages_ += static_cast<double>(part.part->segment.passage_count());
  }
}

const std::vector<std::string>& TermReader::Forms(std::string_view word) {
  const auto [at, is_new] = seen_.try_emplace(std::string(word));
  if (!is_new) return at->second;
  std::vector<std::string> stems;
  std::string lower;
  const std::span<const std::string_view> parts = forms_.Parts(word);
  std::vector<std::string> pieces(parts.begin(), parts.end());
  pieces.emplace_back(word);
  for (const std::string& piece : pieces) {
    lower.clear();
    index::AppendLower(piece, lower);
    std::string stem(forms_.Stem(lower));
    if (std::find(stems.begin(), stems.end(), stem) == stems.end()) stems.push_back(stem);
  }
  at->second = std::move(stems);
  return at->second;
}

void TermReader::Read(std::string_view text, TermSet& terms) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && IsWordByte(text[end])) ++end;
    if (end > at && end - at <= index::kMaxWordBytes) {
      for (const std::string& stem : Forms(text.substr(at, end - at))) terms.insert(stem);
    }
    at = std::max(end, at + 1);
  }
}

double TermReader::Rarity(const std::string& stem) const {
  double found = 0;
  for (const index::Searcher::Part& part : searcher_->parts()) {
    if (const auto postings = part.part->segment.Find(stem)) found += postings->passage_count;
  }
  // A word that no source has counts like the rarest one: an invented name in a
  // plan must not outweigh everything else.
  constexpr double kMost = 9;
  return std::min(kMost, std::log(1 + passages_ / (1 + found)));
}

double TermReader::TellingWeight() const {
  constexpr double kTelling = 3.6;      // a word in one passage of 36
  constexpr double kOfTheRarest = 0.6;  // in a few files no word can be that rare
  return std::min(kTelling, kOfTheRarest * std::log(1 + passages_ / 2));
}

std::vector<WeightedTerm> TermReader::Weigh(std::string_view text, double factor) {
  std::vector<WeightedTerm> terms;
  int depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && IsWordByte(text[end])) ++end;
    if (end == at) {
      depth += text[at] == '(' ? 1 : text[at] == ')' && depth > 0 ? -1 : 0;
      ++at;
      continue;
    }
    const std::string_view word = text.substr(at, std::min(end - at, index::kMaxWordBytes));
    at = end;
    const std::string lower = LowerCase(word);
    if (index::IsStopWord(lower) || word.size() < 2 || IsDigits(word)) continue;
    if (static_cast<unsigned char>(word[0]) >= 0x80) continue;
    // The whole name: its parts are words of other names too.
    const std::string stem = Forms(word).back();
    if (std::any_of(terms.begin(), terms.end(), [&](const auto& t) { return t.stem == stem; })) {
      continue;
    }
    const double rarity = Rarity(stem);
    double weight = factor * rarity;
    if (IsPlanWord(lower)) weight *= kPlanWordFactor;
    if (depth > 0) weight *= kBracketFactor;
    if (weight > 0) {
      terms.push_back(
          {.stem = stem, .written = std::string(word), .weight = weight, .rarity = rarity});
    }
  }
  return terms;
}

PointTerms TermReader::TermsOf(std::string_view point, const std::vector<std::string>& context) {
  PointTerms terms{.point = Weigh(point, 1)};
  double factor = 1;
  for (const std::string& text : context) {
    for (WeightedTerm& term : Weigh(text, factor)) {
      const auto same = [&](const WeightedTerm& other) { return other.stem == term.stem; };
      for (WeightedTerm& own : terms.point) own.is_subject = own.is_subject || same(own);
      if (std::none_of(terms.point.begin(), terms.point.end(), same) &&
          std::none_of(terms.context.begin(), terms.context.end(), same)) {
        terms.context.push_back(std::move(term));
      }
    }
    factor /= 2;
  }
  return terms;
}

std::vector<std::string> SymbolsIn(std::string_view text) {
  std::vector<std::string> symbols;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && IsTermByte(text[end])) ++end;
    std::string_view word = text.substr(at, end - at);
    while (!word.empty() && (word.back() == '.' || word.back() == ':' || word.back() == '-' ||
                             word.back() == '/' || word.back() == '=')) {
      word.remove_suffix(1);
    }
    if (LooksLikeName(word) && std::find(symbols.begin(), symbols.end(), word) == symbols.end()) {
      symbols.emplace_back(word);
    }
    at = std::max(end, at + 1);
  }
  return symbols;
}

std::string_view WithoutBrackets(std::string_view text) {
  const std::string_view head = Trim(text.substr(0, text.find('(')));
  return head.size() < 3 ? Trim(text) : head;
}

}  // namespace sibyl::draft
