// SPDX-License-Identifier: Apache-2.0
#include "audit/quotes/unfiled_quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "base/work.h"
#include "statement/quote.h"

namespace sibyl::audit {
namespace {

constexpr std::size_t kMinQuoteWords = 5;
constexpr std::size_t kMaxQuoteWords = 80;
constexpr std::size_t kQuotePassages = 10;

std::vector<std::string> WordsOfQuote(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text) {
    if (IsNameByte(c)) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(LowerCase(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(LowerCase(word));
  return words;
}

template <std::size_t N>
bool HasOneOf(std::string_view lower, const std::array<std::string_view, N>& words) {
  return std::ranges::any_of(words,
                             [&](std::string_view word) { return lower.find(word) != lower.npos; });
}

// "The README says", "the headers warn:". Release notes, papers and forums are not in a repository.
bool IsAttributed(std::string_view before) {
  const std::string lower = LowerCase(before);
  constexpr std::array<std::string_view, 13> kNouns = {
      "readme",    "docs",     "documentation", "manual", "header", "comment", "doc string",
      "docstring", "document", "page",          "source", "help",   "notes of"};
  constexpr std::array<std::string_view, 12> kVerbs = {"say",      "said",  "warn",     "state",
                                                       "read",     "quote", "write",    "explain",
                                                       "describe", "put",   "sentence", ":"};
  constexpr std::array<std::string_view, 12> kElsewhere = {
      "release notes", "blog",     "issue",     "forum", "paper",  "guide",
      "overflow",      "tutorial", "colleague", "talk",  "slides", "error"};
  return HasOneOf(lower, kNouns) && HasOneOf(lower, kVerbs) && !HasOneOf(lower, kElsewhere);
}

// The length of the longest common subsequence of words.
std::size_t CommonWords(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::size_t> row(b.size() + 1, 0);
  Work::Add(a.size() * b.size());
  for (const std::string& word : a) {
    std::size_t diagonal = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = word == b[j] ? diagonal + 1 : std::max(row[j], above);
      diagonal = above;
    }
  }
  return row.back();
}

struct Nearest {
  std::string sentence;
  std::string where;
  std::size_t common = 0;
};

// The sentence of the passages that has most of the words in order.
Nearest FindNearest(const std::vector<std::string>& words,
                    const std::vector<Witness::Found>& passages) {
  Nearest nearest;
  for (const Witness::Found& passage : passages) {
    for (const std::string_view sentence : statement::QuotedSentences(passage.text)) {
      const std::vector<std::string> theirs = WordsOfQuote(sentence);
      if (theirs.size() > 2 * kMaxQuoteWords) continue;
      const std::size_t common = CommonWords(words, theirs);
      // Both must be nearly the same, not one a part of the other.
      if (common * 10 < theirs.size() * 6 || common <= nearest.common) continue;
      nearest = {std::string(Trim(sentence)), passage.where, common};
    }
  }
  return nearest;
}

bool IsNegation(std::string_view word) {
  constexpr std::array<std::string_view, 6> kWords = {"not",    "never",   "no",
                                                      "cannot", "without", "non"};
  return IsOneOf(word, kWords);
}

// Whether the quotation is the sentence but for a "not": then it says the opposite, whoever is
// quoted.
bool IsTurnedAround(const std::vector<std::string>& quote, std::string_view sentence) {
  constexpr std::size_t kLeastWords = 7;
  std::vector<std::string> theirs = WordsOfQuote(sentence);
  std::vector<std::string> ours = quote;
  const auto plain = [](std::vector<std::string>& words) {
    std::size_t count = 0;
    for (std::string& word : words) {
      while (word.starts_with('_')) word.erase(0, 1);
      while (word.ends_with('_')) word.pop_back();
      count += IsNegation(word) ? 1 : 0;
      if (word == "cannot") word = "can";
    }
    std::erase_if(words, IsNegation);
    return count;
  };
  const std::size_t mine = plain(ours);
  const std::size_t other = plain(theirs);
  if (mine == other || ours.size() < kLeastWords || theirs.size() < ours.size()) return false;
  return std::search(theirs.begin(), theirs.end(), ours.begin(), ours.end()) != theirs.end();
}

// The first word of the quotation that does not go on as the sentence does.
std::size_t DiffersAt(std::string_view quote, std::string_view sentence) {
  const std::vector<std::string> theirs = WordsOfQuote(sentence);
  std::size_t place = 0;
  std::size_t last = 0;
  for (std::size_t at = 0; at < quote.size();) {
    std::size_t end = at;
    while (end < quote.size() && IsNameByte(quote[end])) ++end;
    if (end == at) {
      ++at;
      continue;
    }
    const std::string word = LowerCase(quote.substr(at, end - at));
    // Where the quotation begins in the sentence.
    while (last == 0 && at == 0 && place < theirs.size() && theirs[place] != word) ++place;
    if (place >= theirs.size() || theirs[place] != word) return at;
    ++place;
    last = at;
    at = end;
  }
  return last;
}

// Whether a search would find the sentence: ordinary words alone are everywhere.
bool IsTelling(const std::vector<std::string>& words) {
  constexpr std::size_t kLong = 4;
  constexpr std::ptrdiff_t kEnough = 3;
  return std::ranges::count_if(words, [](std::string_view word) { return word.size() >= kLong; }) >=
         kEnough;
}

std::string InOneLine(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const char shown = IsBlank(c) ? ' ' : c;
    if (shown == ' ' && (line.empty() || line.back() == ' ')) continue;
    line += shown;
  }
  return statement::Excerpt(line);
}

}  // namespace

std::optional<UnfiledQuote> JudgeUnfiledQuote(std::string_view quote, std::string_view before,
                                              const Witness& witness, const Topic& topic) {
  const std::vector<std::string> words = WordsOfQuote(quote);
  if (words.size() < kMinQuoteWords || words.size() > kMaxQuoteWords) return std::nullopt;
  const std::vector<Witness::Found> passages = witness.Search(quote, kQuotePassages);
  for (const Witness::Found& passage : passages) {
    if (!statement::CompareQuote(quote, passage.text).Holds()) continue;
    return UnfiledQuote{{.verdict = statement::Verdict::kSupported,
                         .message = "found",
                         .where = passage.where,
                         .reason = "a source has these words"}};
  }
  if (const auto place = witness.FindText(quote)) {
    return UnfiledQuote{{.verdict = statement::Verdict::kSupported,
                         .message = "found",
                         .where = witness.Show(*place),
                         .reason = "a source has these words"}};
  }
  const Nearest nearest = FindNearest(words, passages);
  const bool is_turned = IsTurnedAround(words, nearest.sentence);
  if (!is_turned && !IsAttributed(before)) return std::nullopt;
  if (is_turned || nearest.common * 10 >= words.size() * 7) {
    return UnfiledQuote{
        {.verdict = statement::Verdict::kContradicted,
         .message = fmt::format("the source says: \"{}\"", InOneLine(nearest.sentence)),
         .nearest = InOneLine(nearest.sentence),
         .where = nearest.where,
         .reason = "a sentence in a source has nearly the same words"},
        DiffersAt(quote, nearest.sentence)};
  }
  const bool names_source = std::ranges::find(topic.names_source, true) != topic.names_source.end();
  if (!names_source || !IsTelling(words)) return std::nullopt;
  statement::Judgement judgement{.verdict = statement::Verdict::kAbsent,
                                 .message = "no pinned source has this sentence",
                                 .reason = "it is attributed to a pinned source"};
  if (nearest.common * 2 >= words.size()) {
    judgement.nearest = InOneLine(nearest.sentence);
    judgement.where = nearest.where;
  }
  return UnfiledQuote{std::move(judgement)};
}

}  // namespace sibyl::audit
