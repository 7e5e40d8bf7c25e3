// SPDX-License-Identifier: Apache-2.0
#include "audit/quotes/unfiled_quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "base/whole_word.h"
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

struct Place {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// The words of a text in lower case, and where they are.
void ReadWords(std::string_view text, std::vector<std::string>& words, std::vector<Place>& places) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && IsNameByte(text[end])) ++end;
    if (end > at) {
      words.push_back(LowerCase(text.substr(at, end - at)));
      places.push_back({at, end});
    }
    at = std::max(end, at + 1);
  }
}

// Where a quotation fits best into a text, and how many words must be changed, added or left out.
struct Fit {
  std::size_t changes = 0;
  std::size_t first = 0;  // words of the text
  std::size_t last = 0;   // behind the last one
};

Fit FitInto(const std::vector<std::string>& quote, const std::vector<std::string>& text) {
  struct Cell {
    std::size_t changes = 0;
    std::size_t first = 0;
  };
  std::vector<Cell> row(text.size() + 1);
  for (std::size_t j = 0; j <= text.size(); ++j) row[j].first = j;
  Work::Add(quote.size() * text.size());
  for (std::size_t i = 0; i < quote.size(); ++i) {
    Cell diagonal = row[0];
    row[0] = {.changes = i + 1, .first = 0};
    for (std::size_t j = 1; j <= text.size(); ++j) {
      Cell best = diagonal;
      best.changes += quote[i] == text[j - 1] ? 0 : 1;
      diagonal = row[j];
      if (diagonal.changes + 1 < best.changes) best = {diagonal.changes + 1, diagonal.first};
      if (row[j - 1].changes + 1 < best.changes) best = {row[j - 1].changes + 1, row[j - 1].first};
      row[j] = best;
    }
  }
  Fit fit{.changes = quote.size()};
  for (std::size_t j = 0; j <= text.size(); ++j) {
    // Of equal ones the longer: the last word may be the one that was changed.
    if (row[j].changes <= fit.changes) fit = {row[j].changes, row[j].first, j};
  }
  return fit;
}

// The longest run of words that a quotation and its place in a text share.
std::vector<std::string> LongestRun(const std::vector<std::string>& quote,
                                    const std::vector<std::string>& text, const Fit& fit) {
  std::size_t most = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < quote.size(); ++i) {
    for (std::size_t j = fit.first; j < fit.last; ++j) {
      std::size_t length = 0;
      while (i + length < quote.size() && j + length < fit.last &&
             quote[i + length] == text[j + length]) {
        ++length;
      }
      if (length > most) {
        most = length;
        first = i;
      }
    }
  }
  const auto begin = quote.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(most)};
}

// Words that only some sentences have.
bool IsRare(const std::vector<std::string>& words) {
  constexpr std::size_t kLong = 5;
  constexpr std::ptrdiff_t kEnough = 2;
  constexpr std::array<std::string_view, 22> kCommon = {
      "about",  "after",   "before",  "could",     "default", "these",  "their", "there",
      "those",  "where",   "which",   "while",     "would",   "should", "other", "using",
      "values", "because", "however", "following", "example", "either"};
  return std::ranges::count_if(words, [&](std::string_view word) {
           const bool has_digit = std::ranges::any_of(word, IsDigit) && IsLetter(word[0]);
           return has_digit || (word.size() >= kLong && !IsOneOf(word, kCommon));
         }) >= kEnough;
}

// A message that a program puts together has other words where its format has a mark.
bool HasPlaceholder(std::string_view text) {
  return text.find_first_of("{}%<>$+") != text.npos || text.find("\\n") != text.npos;
}

struct Altered {
  std::string sentence;  // of the source
  std::string where;
  std::size_t changes = 0;
};

// The place of the passages that has nearly all words of the quotation in their order. So many
// words in a row are no accident, whether or not the text says whom it quotes.
std::optional<Altered> FindAltered(const std::vector<std::string>& quote,
                                   const std::vector<Witness::Found>& passages) {
  constexpr std::size_t kLeastWords = 6;
  constexpr std::size_t kLeastRun = 4;
  constexpr std::size_t kMostWords = 4000;
  std::optional<Altered> best;
  if (quote.size() < kLeastWords) return best;
  for (const Witness::Found& passage : passages) {
    std::vector<std::string> words;
    std::vector<Place> places;
    ReadWords(passage.text, words, places);
    if (words.size() > kMostWords) continue;
    const Fit fit = FitInto(quote, words);
    if (fit.changes * 3 > quote.size() || fit.first >= fit.last) continue;
    if (best && best->changes <= fit.changes) continue;
    const std::vector<std::string> run = LongestRun(quote, words, fit);
    const std::size_t begin = places[fit.first].begin;
    const std::string_view text =
        std::string_view(passage.text).substr(begin, places[fit.last - 1].end - begin);
    if (run.size() < kLeastRun || !IsRare(run) || HasPlaceholder(text)) continue;
    best = Altered{std::string(text), passage.where, fit.changes};
  }
  return best;
}

// The same among the passages that have a part of the quotation as it is, which a search for all of
// its words may rank low.
std::optional<Altered> FindByParts(std::string_view quote, const std::vector<std::string>& words,
                                   const Witness& witness) {
  constexpr std::size_t kMostParts = 24;
  std::vector<std::string> same;
  std::vector<Place> places;
  ReadWords(quote, same, places);
  std::set<std::string> seen;
  std::size_t tried = 0;
  std::size_t last = 0;
  // Long parts tell more; three words may be in one line of a source where four are not.
  for (const std::size_t length : {words.size() - words.size() / 3, words.size() / 2,
                                   std::size_t{5}, std::size_t{4}, std::size_t{3}}) {
    if (length < 3 || (last != 0 && length >= last)) continue;
    last = length;
    std::vector<Witness::Found> passages;
    for (std::size_t first = 0; first + length <= words.size() && tried < kMostParts; ++first) {
      const auto begin = words.begin() + static_cast<std::ptrdiff_t>(first);
      if (!IsRare({begin, begin + static_cast<std::ptrdiff_t>(length)})) continue;
      ++tried;
      const std::size_t from = places[first].begin;
      const std::size_t to = places[first + length - 1].end;
      const auto found = witness.FindText(quote.substr(from, to - from));
      if (!found || !seen.insert(witness.Show(*found)).second) continue;
      std::size_t line = 0;
      passages.push_back({.where = witness.Show(*found), .text = witness.PassageOf(*found, line)});
    }
    if (auto altered = FindAltered(words, passages)) return altered;
  }
  return std::nullopt;
}

// What a repository does not have.
bool IsFromElsewhere(std::string_view before) {
  constexpr std::array<std::string_view, 12> kElsewhere = {
      "release notes", "blog",      "issue", "forum",  "paper", "overflow",
      "tutorial",      "colleague", "talk",  "slides", "we",    "our"};
  const std::string lower = LowerCase(before);
  return std::ranges::any_of(
      kElsewhere, [&](std::string_view word) { return FindWholeWord(lower, word).has_value(); });
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

// A long sentence from a few words before the one that differs.
std::string FromDifference(std::string_view quote, std::string_view sentence) {
  constexpr std::size_t kBefore = 5;
  constexpr std::size_t kLong = 12;
  std::vector<std::string> ours;
  std::vector<std::string> theirs;
  std::vector<Place> places;
  std::vector<Place> their_places;
  ReadWords(quote, ours, places);
  ReadWords(sentence, theirs, their_places);
  std::size_t same = 0;
  while (same < std::min(ours.size(), theirs.size()) && ours[same] == theirs[same]) ++same;
  if (theirs.size() <= kLong || same <= kBefore || same >= theirs.size()) {
    return std::string(sentence);
  }
  return "…" + std::string(sentence.substr(their_places[same - kBefore].begin));
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
                                              QuoteForm form, const Witness& witness,
                                              const Topic& topic) {
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
  if (form == QuoteForm::kMarks && !is_turned && !IsFromElsewhere(before)) {
    std::optional<Altered> altered = FindAltered(words, passages);
    if (!altered) altered = FindByParts(quote, words, witness);
    if (altered) {
      if (altered->changes == 0) {
        return UnfiledQuote{{.verdict = statement::Verdict::kSupported,
                             .message = "found",
                             .where = altered->where,
                             .reason = "a source has these words"}};
      }
      return UnfiledQuote{
          {.verdict = statement::Verdict::kContradicted,
           .message = fmt::format("the source says: \"{}\"",
                                  InOneLine(FromDifference(quote, altered->sentence))),
           .nearest = InOneLine(altered->sentence),
           .where = altered->where,
           .reason = "a source has these words in a row, but for a few"},
          DiffersAt(quote, altered->sentence)};
    }
  }
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
