// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/question/unknowable.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "index/grep/grep.h"
#include "index/rank/query_terms.h"
#include "index/words/term_forms.h"

namespace sibyl::draft {
namespace {

bool HasOneOf(std::string_view lower, const auto& phrases) {
  return std::any_of(phrases.begin(), phrases.end(), [&](std::string_view phrase) {
    return FindWholeWord(lower, phrase).has_value();
  });
}

constexpr std::array<std::string_view, 18> kTastes = {
    "your opinion", "in your view",    "do you think",    "do you prefer",   "do you recommend",
    "do you like",  "would you",       "worth learning",  "worth buying",    "worth upgrading",
    "worth paying", "worth the money", "worth the price", "worth switching", "favourite",
    "favorite",     "easier to learn", "good career"};

// After "should I" and the like.
constexpr std::array<std::string_view, 12> kChoicesOfLife = {
    "learn",     "buy",   "study",    "hire",       "invest",     "upgrade to",
    "switch to", "order", "purchase", "specialise", "specialize", "teach"};

// After "the best".
constexpr std::array<std::string_view, 16> kGoods = {
    "book",     "books",     "course",   "courses", "laptop", "gpu",       "gpus", "card",
    "language", "framework", "provider", "company", "cloud",  "community", "blog", "editor"};

constexpr std::array<std::string_view, 10> kDates = {
    "release date", "launch date", "come out",     "coming out",       "roadmap",
    "released",     "be launched", "be available", "when is the next", "announced"};

constexpr std::array<std::string_view, 5> kWinners = {"better", "superior", "nicer", "beat",
                                                      "beats"};

constexpr std::array<std::string_view, 26> kCompares = {
    "better",     "faster",      "slower",      "worse",     "best",       "recommend",
    "prefer",     "preferred",   "recommended", "advantage", "advantages", "outperform",
    "superior",   "outperforms", "recommends",  "prefers",   "compared",   "disadvantage",
    "instead",    "whereas",     "rather",      "unlike",    "speedup",    "faster.",
    "as fast as", "times"};

constexpr std::array<std::string_view, 12> kMonths = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};

bool IsTaste(std::string_view lower) {
  if (HasOneOf(lower, kTastes)) return true;
  for (const std::string_view opening :
       {"should i ", "should we ", "should one ", "shall i ", "do i have to ", "can i "}) {
    const std::size_t at = lower.find(opening);
    if (at == std::string_view::npos || opening == "can i ") continue;
    const std::string_view rest = lower.substr(at + opening.size());
    if (std::any_of(kChoicesOfLife.begin(), kChoicesOfLife.end(), [&](std::string_view verb) {
          return rest.starts_with(verb) &&
                 (rest.size() == verb.size() || !IsWordByte(rest[verb.size()]));
        })) {
      return true;
    }
  }
  // "The best book on", "the best cheap GPU for".
  constexpr std::size_t kNear = 3;  // words
  std::optional<std::size_t> best = FindWholeWord(lower, "best");
  if (!best) best = FindWholeWord(lower, "cheapest");
  if (!best) return false;
  std::string_view rest = lower.substr(*best);
  for (std::size_t i = 0; i < kNear; ++i) {
    const std::size_t blank = rest.find(' ');
    if (blank == std::string_view::npos) return false;
    rest.remove_prefix(blank + 1);
    const std::string_view word = rest.substr(0, rest.find_first_of(" ,;:?!."));
    if (std::find(kGoods.begin(), kGoods.end(), word) != kGoods.end()) return true;
  }
  return false;
}

// "is A better than B", "A or B: which is better".
std::vector<std::string> SidesOf(std::string_view lower) {
  const auto last_word = [](std::string_view text) {
    const std::size_t end = text.find_last_not_of(" ,:?");
    text = text.substr(0, end == std::string_view::npos ? 0 : end + 1);
    return std::string(text.substr(text.rfind(' ') + 1));
  };
  const auto first_word = [](std::string_view text) {
    text = Trim(text);
    for (const std::string_view article : {"the ", "a ", "an ", "using "}) {
      if (text.starts_with(article)) text.remove_prefix(article.size());
    }
    return std::string(text.substr(0, text.find_first_of(" ,;:?")));
  };
  for (const std::string_view middle : {" better than ", " superior to ", " beat ", " beats ",
                                        " vs. ", " vs ", " versus ", " or "}) {
    const std::size_t at = lower.find(middle);
    if (at == std::string_view::npos) continue;
    std::vector<std::string> sides = {last_word(lower.substr(0, at)),
                                      first_word(lower.substr(at + middle.size()))};
    if (!sides[0].empty() && !sides[1].empty()) return sides;
  }
  return {};
}

bool HasDate(std::string_view lower) {
  for (std::size_t at = 0; at + 4 <= lower.size(); ++at) {
    const bool is_year = lower.substr(at).starts_with("20") && IsDigit(lower[at + 2]) &&
                         IsDigit(lower[at + 3]) && (at == 0 || !IsWordByte(lower[at - 1])) &&
                         (at + 4 == lower.size() || !IsWordByte(lower[at + 4]));
    if (is_year) return true;
  }
  return HasOneOf(lower, kMonths);
}

bool Occurs(const index::Searcher& searcher, std::string_view lower) {
  return std::any_of(searcher.parts().begin(), searcher.parts().end(),
                     [&](const index::Searcher::Part& part) {
                       return part.part->segment.Find(lower).has_value();
                     });
}

bool OccursAsWritten(const index::Searcher& searcher, std::string_view text) {
  const Result<index::Matches> found =
      index::Grep(searcher, {.text = std::string(text),
                             .syntax = index::PatternSyntax::kLiteral,
                             .letter_case = index::LetterCase::kIgnored,
                             .max_lines = 1});
  return !found.ok() || found->line_count > 0;
}

// "CUDA 14" is not in "a CUDA 140 pages long".
bool OccursAsVersion(const index::Searcher& searcher, std::string_view text) {
  std::string pattern = "\\b";
  for (const char c : text) {
    if (!IsAlphanumeric(c) && c != ' ') pattern += '\\';
    pattern += c;
  }
  pattern += "\\b";
  const Result<index::Matches> found = index::Grep(
      searcher,
      {.text = std::move(pattern), .letter_case = index::LetterCase::kIgnored, .max_lines = 1});
  return !found.ok() || found->line_count > 0;
}

// "NVTE_FP8_PREFETCH", "cudaMallocTurbo", "sm_130": not a word that people write.
bool IsWrittenByPrograms(std::string_view word) {
  constexpr std::size_t kShortest = 5;
  if (word.size() < kShortest) return false;
  bool is_joined = false;
  for (std::size_t i = 1; i + 1 < word.size(); ++i) {
    is_joined = is_joined || word[i] == '_' || (IsUpper(word[i]) && IsLower(word[i - 1]));
  }
  return is_joined;
}

// What the person who asks has made himself.
bool IsOwnName(std::string_view word) {
  const std::string lower = LowerCase(word);
  return lower.starts_with("my") || lower.starts_with("foo") || lower.starts_with("your");
}

std::vector<std::string> ProgramNames(const Question& question) {
  std::vector<std::string> found;
  for (const std::string& name : question.names) {
    for (std::size_t at = 0; at < name.size();) {
      std::size_t end = at;
      while (end < name.size() && IsWordByte(name[end])) ++end;
      const std::string_view word = std::string_view(name).substr(at, end - at);
      at = std::max(end, at + 1);
      if (IsWrittenByPrograms(word) && !IsOwnName(word)) found.emplace_back(word);
    }
  }
  return found;
}

// "--auto-tensorcore": an option of several words.
std::vector<std::string> LongOptions(const Question& question) {
  std::vector<std::string> found;
  for (const std::string& name : question.names) {
    if (!name.starts_with("--")) continue;
    const std::string_view option = std::string_view(name).substr(2);
    if (option.find('-') != std::string_view::npos) found.emplace_back(option);
  }
  return found;
}

// "CUDA 15", "PyTorch 5.0": a product with a version. "GeForce 5090" is a model.
std::vector<std::string> Versions(std::string_view text) {
  constexpr std::size_t kMostDigits = 2;
  std::vector<std::string> found;
  for (std::size_t at = text.find(' '); at != std::string_view::npos; at = text.find(' ', at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && IsWordByte(text[begin - 1])) --begin;
    const std::string_view word = text.substr(begin, at - begin);
    std::size_t end = at + 1;
    while (end < text.size() && (IsDigit(text[end]) || text[end] == '.')) ++end;
    while (end > at + 1 && text[end - 1] == '.') --end;
    const std::string_view number = text.substr(at + 1, end - at - 1);
    const std::size_t whole = std::min(number.find('.'), number.size());
    const bool ends = end == text.size() || !IsWordByte(text[end]);
    if (word.size() < 3 || number.empty() || !ends || whole == 0 || whole > kMostDigits) continue;
    const auto highs = std::count_if(word.begin(), word.end(), IsUpper);
    // A capital at the beginning says nothing.
    const bool is_product = highs > 1 || (highs == 1 && begin > 0 && IsUpper(word[0]));
    if (is_product) found.emplace_back(text.substr(begin, end - begin));
  }
  return found;
}

}  // namespace

AskedJudgement ReadJudgement(std::string_view question) {
  const std::string lower = LowerCase(question);
  AskedJudgement asked;
  asked.is_taste = IsTaste(lower);
  const bool asks_when =
      FindWholeWord(lower, "when") || FindWholeWord(lower, "date") || Contains(lower, "roadmap");
  asked.wants_date = asks_when && HasOneOf(lower, kDates);
  asked.wants_winner = HasOneOf(lower, kWinners) || Contains(lower, "which is best") ||
                       Contains(lower, "which one is best");
  if (asked.wants_winner) {
    asked.sides = SidesOf(lower);
    // "a better way to": what is best in one thing is technical.
    asked.wants_winner = !asked.sides.empty();
  }
  return asked;
}

bool Decides(const AskedJudgement& asked, std::string_view lower) {
  if (asked.is_taste) return false;
  if (asked.wants_date && !HasDate(lower)) return false;
  if (!asked.wants_winner) return true;
  const bool has_both = std::all_of(asked.sides.begin(), asked.sides.end(),
                                    [&](const std::string& side) { return Contains(lower, side); });
  return has_both && HasOneOf(lower, kCompares);
}

std::vector<std::string> NamesOfNothing(const Question& question,
                                        const std::vector<const index::Searcher*>& places) {
  std::vector<std::string> missing;
  // The text of an error has names of the program that failed.
  if (question.want == Want::kError) return missing;
  bool has_any = false;
  for (const index::Searcher* place : places) has_any = has_any || !place->parts().empty();
  if (!has_any) return missing;
  const auto add_if_missing = [&](const std::string& name, const auto& occurs) {
    if (std::none_of(places.begin(), places.end(),
                     [&](const index::Searcher* place) { return occurs(*place); })) {
      missing.push_back(name);
    }
  };
  for (const std::string& name : ProgramNames(question)) {
    std::string lower;
    index::AppendLower(name, lower);
    add_if_missing(name, [&](const index::Searcher& place) {
      return Occurs(place, lower) || OccursAsWritten(place, name);
    });
  }
  for (const std::string& name : LongOptions(question)) {
    add_if_missing("--" + name,
                   [&](const index::Searcher& place) { return OccursAsWritten(place, name); });
  }
  for (const std::string& version : Versions(question.text)) {
    add_if_missing(version,
                   [&](const index::Searcher& place) { return OccursAsVersion(place, version); });
  }
  return missing;
}

}  // namespace sibyl::draft
