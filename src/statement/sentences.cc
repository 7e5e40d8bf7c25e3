// SPDX-License-Identifier: Apache-2.0
#include "statement/sentences.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::statement {
namespace {

// Words after which a full stop never ends a sentence.
constexpr std::array<std::string_view, 8> kAbbreviations = {"e.g",    "i.e",  "vs", "cf",
                                                            "approx", "resp", "mr", "dr"};
// Words after which it does not, unless what follows can only be a new sentence.
constexpr std::array<std::string_view, 4> kEndings = {"etc", "al", "incl", "st"};
// Words after which it does not before a number: "fig. 3".
constexpr std::array<std::string_view, 6> kNumbered = {"fig", "sec", "no", "vol", "eq", "ch"};

// Words that begin a sentence and are hardly ever a name.
constexpr std::array<std::string_view, 44> kStarters = {
    "the",   "it",   "its",  "this",  "that",    "these", "those", "they",    "a",
    "an",    "all",  "each", "every", "no",      "none",  "never", "always",  "and",
    "but",   "so",   "then", "if",    "when",    "while", "since", "because", "in",
    "on",    "at",   "by",   "with",  "without", "for",   "from",  "to",      "as",
    "there", "here", "you",  "we",    "only",    "both",  "also",  "however"};

template <std::size_t N>
bool IsAmong(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool IsClosing(char c) { return c == ')' || c == '"' || c == '\'' || c == ']' || c == '*'; }

class EndFinder {
 public:
  explicit EndFinder(const Gathered& gathered)
      : gathered_(gathered),
        text_(gathered.whole.text),
        is_list_of_places_(StartsWithIgnoringCase(Trim(text_), "see also")) {}

  std::vector<StatementEnd> Find() {
    for (std::size_t at = 0; at < text_.size(); ++at) {
      while (mark_ < gathered_.marks.size() && gathered_.marks[mark_].at <= at) {
        // "… is 4[^1] The next": a mark where a full stop was forgotten.
        const std::size_t place = gathered_.marks[mark_++].at;
        if (place > begin_ && StartsAnew(place)) {
          End(place, false);
          continue;
        }
        has_mark_ = true;
        last_mark_ = place;
      }
      while (cut_ < gathered_.cuts.size() && gathered_.cuts[cut_] <= at) {
        End(gathered_.cuts[cut_++], false);
      }
      if (IsInCode(at)) continue;
      at = std::max(at, LastInQuotation(at));
      const std::size_t wide = WideStopAt(at);
      if (wide > 0) {
        End(at + wide, false);
      } else if (const std::size_t end = SentenceEndAt(at); end > 0) {
        End(end, false);
      } else if (has_mark_ && !is_list_of_places_ && IsClauseBreakAt(at)) {
        End(text_[at] == ';' ? at + 1 : at, true);
      }
    }
    End(text_.size(), false);
    return std::move(ends_);
  }

 private:
  void End(std::size_t at, bool is_clause) {
    if (!ends_.empty() && at <= ends_.back().at && at != text_.size()) return;
    // A mark right after the end still belongs to what it ends.
    ends_.push_back({.at = at, .is_clause = is_clause});
    begin_ = at;
    has_mark_ = false;
    while (mark_ < gathered_.marks.size() && gathered_.marks[mark_].at <= at) ++mark_;
  }

  bool IsInCode(std::size_t at) {
    const std::vector<TextRun>& runs = gathered_.whole.runs;
    while (run_ < runs.size() && runs[run_].end <= at) ++run_;
    return run_ < runs.size() && runs[run_].begin <= at && runs[run_].is_code;
  }

  bool IsCodeFrom(std::size_t at) const { return IsCodeAt(gathered_.whole, at); }

  bool HasMarkAt(std::size_t at) const {
    const auto found = std::lower_bound(
        gathered_.marks.begin(), gathered_.marks.end(), at,
        [](const Gathered::Mark& mark, std::size_t place) { return mark.at < place; });
    return found != gathered_.marks.end() && found->at == at;
  }

  std::string WordAt(std::size_t at) const {
    constexpr std::size_t kLongest = 24;
    std::size_t end = at;
    while (end < text_.size() && end - at < kLongest && IsLetter(text_[end])) ++end;
    return LowerCase(text_.substr(at, end - at));
  }

  // A capital word that begins a sentence, after a blank.
  bool StartsAnew(std::size_t at) const {
    if (at >= text_.size() || !IsBlank(text_[at])) return false;
    while (at < text_.size() && IsBlank(text_[at])) ++at;
    return at < text_.size() && IsUpper(text_[at]) && IsAmong(kStarters, WordAt(at));
  }

  // The last byte inside the quotation that opens here, so that its sentences
  // are not taken for the text's; zero if none does. A quotation has no mark.
  std::size_t LastInQuotation(std::size_t at) const {
    constexpr std::size_t kLongest = 400;
    if (text_[at] != '"' || (at > 0 && !IsBlank(text_[at - 1]) && text_[at - 1] != '(')) return 0;
    const std::size_t close = text_.substr(0, at + kLongest).find('"', at + 1);
    if (close == std::string_view::npos || close < at + 2 || IsBlank(text_[close - 1])) return 0;
    const bool is_closed = close + 1 == text_.size() || !IsAlphanumeric(text_[close + 1]);
    const auto mark = std::lower_bound(
        gathered_.marks.begin(), gathered_.marks.end(), at,
        [](const Gathered::Mark& one, std::size_t place) { return one.at < place; });
    const bool has_mark = mark != gathered_.marks.end() && mark->at < close;
    return is_closed && !has_mark ? close - 1 : 0;
  }

  // The full stops of Chinese and Japanese need no blank.
  std::size_t WideStopAt(std::size_t at) const {
    for (const std::string_view stop : {"。", "｡"}) {
      if (text_.substr(at, stop.size()) == stop) return stop.size();
    }
    return 0;
  }

  // The end of the sentence whose last mark is text[dot]; zero if it goes on.
  std::size_t SentenceEndAt(std::size_t dot) const {
    const char c = text_[dot];
    if (c != '.' && c != '!' && c != '?') return 0;
    std::size_t end = dot + 1;
    while (end < text_.size() && IsClosing(text_[end])) ++end;
    if (end >= text_.size() || !IsBlank(text_[end])) return 0;
    std::size_t next = end;
    while (next < text_.size() && IsBlank(text_[next])) ++next;
    if (next >= text_.size()) return 0;
    // A mark between them, or a name in code font, begins a sentence, too.
    const bool is_marked = HasMarkAt(end);
    const bool is_lower = text_[next] >= 'a' && text_[next] <= 'z';
    if (is_lower && !is_marked && !IsCodeFrom(next)) return 0;
    if (c != '.') return end;
    return IsAbbreviation(dot, next) && !is_marked ? 0 : end;
  }

  // Whether the full stop belongs to the word before it.
  bool IsAbbreviation(std::size_t dot, std::size_t next) const {
    constexpr std::size_t kLongest = 24;
    std::size_t begin = dot;
    while (begin > 0 && dot - begin < kLongest && !IsBlank(text_[begin - 1]) &&
           text_[begin - 1] != '(') {
      --begin;
    }
    const std::string word = LowerCase(text_.substr(begin, dot - begin));
    if (IsAmong(kAbbreviations, word)) return true;
    const bool is_new = IsUpper(text_[next]) && IsAmong(kStarters, WordAt(next));
    if (IsAmong(kNumbered, word)) return IsDigit(text_[next]);
    if (IsAmong(kEndings, word)) return !is_new;
    if (word.size() == 1 && !IsDigit(word[0])) return !is_new;  // an initial
    const bool is_number = begin == 0 && std::all_of(word.begin(), word.end(), IsDigit);
    return is_number && !word.empty();
  }

  // A semicolon, or a dash between blanks.
  bool IsClauseBreakAt(std::size_t at) const {
    if (text_[at] == ';') return at + 1 < text_.size() && IsBlank(text_[at + 1]);
    if (at == 0 || !IsBlank(text_[at - 1])) {
      // "…[^1]— and": the mark is not in the text.
      if (last_mark_ != at) return false;
    }
    for (const std::string_view dash : {"—", "–", "--", "-", "―"}) {
      if (!text_.substr(at).starts_with(dash)) continue;
      const std::size_t end = at + dash.size();
      return end < text_.size() && (IsBlank(text_[end]) || dash == "—");
    }
    return false;
  }

  const Gathered& gathered_;
  std::string_view text_;
  bool is_list_of_places_;  // "See also: a[^1]; b[^2]"
  std::vector<StatementEnd> ends_;
  std::size_t begin_ = 0;  // of the statement at hand
  std::size_t mark_ = 0;
  std::size_t cut_ = 0;
  std::size_t run_ = 0;
  std::size_t last_mark_ = 0;
  bool has_mark_ = false;
};

}  // namespace

std::vector<StatementEnd> FindStatementEnds(const Gathered& gathered) {
  return EndFinder(gathered).Find();
}

}  // namespace sibyl::statement
