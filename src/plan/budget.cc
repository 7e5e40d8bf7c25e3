// SPDX-License-Identifier: Apache-2.0
#include "plan/budget.h"

#include <algorithm>

#include "plan/scan.h"

namespace sibyl::plan {
namespace {

// Where a note about completion or failure starts, including its bracket or
// dash.
std::size_t FindOutcomeNote(std::string_view text) {
  for (const std::string_view word : {"completed", "failed"}) {
    for (std::size_t at = FindWord(text, word); at != kNowhere; at = FindWord(text, word, at + 1)) {
      std::size_t begin = at;
      while (begin > 0 && (IsSpace(text[begin - 1]) || text[begin - 1] == '*')) --begin;
      while (begin > 0 && static_cast<unsigned char>(text[begin - 1]) >= 0x80) --begin;
      while (begin > 0 && IsSpace(text[begin - 1])) --begin;
      if (begin > 0 && (text[begin - 1] == '(' || text[begin - 1] == '[')) return begin - 1;
      if (begin > 0 && text[begin - 1] == '-') return begin - 1;
      const std::string_view rest = TrimLeft(text.substr(at + word.size()));
      if (!rest.empty() && (IsDigit(rest[0]) || rest[0] == ':')) return begin;
    }
  }
  return kNowhere;
}

struct Budget {
  std::size_t value = 0;
  std::size_t begin = 0;  ///< Of the number, "~" included.
  std::size_t end = 0;    ///< Behind "lines".
};

bool IsNumberByte(char c) { return IsDigit(c) || c == ',' || c == '.'; }

// The number that ends just before `end`, spaces and "+" between allowed.
std::optional<Budget> NumberBefore(std::string_view text, std::size_t end) {
  while (end > 0 && (IsSpace(text[end - 1]) || text[end - 1] == '+' || text[end - 1] == '-')) --end;
  std::size_t begin = end;
  const bool thousands =
      begin > 1 && (text[begin - 1] == 'k' || text[begin - 1] == 'K') && IsDigit(text[begin - 2]);
  if (thousands) --begin;
  const std::size_t digits_end = begin;
  while (begin > 0 && IsNumberByte(text[begin - 1])) --begin;
  while (begin < digits_end && !IsDigit(text[begin])) ++begin;
  const std::optional<Number> number = TakeNumber(text.substr(begin, digits_end - begin));
  if (!number || begin == digits_end) return std::nullopt;
  if (begin + number->length != digits_end && !thousands) return std::nullopt;
  if (begin > 0 && (IsNameByte(text[begin - 1]) || text[begin - 1] == '#')) return std::nullopt;
  std::size_t value = number->value;
  if (thousands) {
    value *= 1000;
    const std::string_view rest = text.substr(begin + number->length);
    if (rest.size() > 1 && rest[0] == '.' && IsDigit(rest[1])) {
      value += static_cast<std::size_t>(rest[1] - '0') * 100;
    }
  }
  if (begin > 0 && text[begin - 1] == '~') --begin;
  return Budget{.value = value, .begin = begin, .end = 0};
}

std::optional<Budget> LocateBudget(std::string_view text) {
  for (std::size_t at = FindWord(text, "lines"); at != kNowhere;
       at = FindWord(text, "lines", at + 1)) {
    std::optional<Budget> budget = NumberBefore(text, at);
    if (!budget || budget->value == 0) continue;
    budget->end = at + std::string_view("lines").size();
    // "300-400 lines": the number found is the upper end; the title ends
    // before the lower one.
    std::size_t begin = budget->begin;
    while (begin > 0 &&
           (text[begin - 1] == '-' || static_cast<unsigned char>(text[begin - 1]) >= 0x80)) {
      --begin;
    }
    if (begin < budget->begin && begin > 0 && IsDigit(text[begin - 1])) {
      while (begin > 0 && IsNumberByte(text[begin - 1])) --begin;
      if (begin > 0 && text[begin - 1] == '~') --begin;
      budget->begin = begin;
    }
    return budget;
  }
  return std::nullopt;
}

bool IsDateAt(std::string_view text, std::size_t at) {
  static constexpr std::string_view kForm = "dddd-dd-dd";
  if (at + kForm.size() > text.size()) return false;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    if (kForm[i] == 'd' ? !IsDigit(text[at + i]) : text[at + i] != '-') return false;
  }
  return at == 0 || !IsDigit(text[at - 1]);
}

// "2025-11-13 21:49 PST": digits and their signs, then perhaps a zone.
std::string TakeMoment(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size()) {
    const char c = text[end];
    const bool in_moment = IsDigit(c) || c == '/' || c == ':' || c == '.' ||
                           (c == '-' && end + 1 < text.size() && IsDigit(text[end + 1])) ||
                           (c == 'T' && end > 0 && IsDigit(text[end - 1])) ||
                           (c == ' ' && end + 2 < text.size() && IsDigit(text[end + 1]) &&
                            (text[end + 2] == ':' || IsDigit(text[end + 2])));
    if (!in_moment) break;
    ++end;
  }
  if (end < text.size() && text[end] == 'Z') ++end;
  std::size_t zone = end + 1;
  while (zone < text.size() && zone < end + 5 && text[zone] >= 'A' && text[zone] <= 'Z') ++zone;
  const bool has_time = text.substr(0, end).find(':') != kNowhere;
  if (has_time && end < text.size() && text[end] == ' ' && zone > end + 2 &&
      (zone == text.size() || !IsNameByte(text[zone]))) {
    end = zone;
  }
  std::string_view moment = text.substr(0, end);
  while (!moment.empty() && (moment.back() == '.' || moment.back() == ':')) moment.remove_suffix(1);
  return std::string(moment);
}

// Brackets left empty, dashes and spaces at the end of a title cut short.
std::string_view TrimTitle(std::string_view text) {
  for (;;) {
    text = Trim(text);
    if (text.empty()) return text;
    const char last = text.back();
    if (last == '-' || last == '(' || last == '[' || last == ',' || last == ':') {
      text.remove_suffix(1);
    } else if (text.ends_with("–") || text.ends_with("—")) {
      text.remove_suffix(3);
    } else {
      return text;
    }
  }
}

}  // namespace

std::optional<std::size_t> FindLineBudget(std::string_view text) {
  const std::optional<Budget> budget = LocateBudget(text.substr(0, FindOutcomeNote(text)));
  if (!budget) return std::nullopt;
  return budget->value;
}

std::string FindCompletion(std::string_view text) {
  for (std::size_t at = FindIgnoringCase(text, "complete"); at != kNowhere;
       at = FindIgnoringCase(text, "complete", at + 1)) {
    std::string_view rest = text.substr(at + std::string_view("complete").size());
    if (rest.starts_with('d') || rest.starts_with('D')) rest.remove_prefix(1);
    // Between the word and the date: emphasis, a colon, a check mark, "on", "(".
    rest = SkipDecoration(rest);
    while (!rest.empty() &&
           (rest[0] == ':' || rest[0] == '(' || rest[0] == '-' || rest[0] == '*')) {
      rest = SkipDecoration(rest.substr(1));
    }
    if (StartsWithWord(rest, "on")) rest = TrimLeft(rest.substr(2));
    if (!rest.empty() && IsDigit(rest[0])) {
      std::string moment = TakeMoment(rest);
      if (moment.size() >= 6) return moment;
    }
  }
  return {};
}

std::string FindDate(std::string_view text) {
  for (std::size_t at = 0; at + 10 <= text.size(); ++at) {
    if (IsDigit(text[at]) && IsDateAt(text, at)) return std::string(text.substr(at, 10));
  }
  return {};
}

BareTitle SplitTitle(std::string_view text) {
  BareTitle bare;
  const std::size_t note = FindOutcomeNote(text);
  std::string_view kept = text.substr(0, note);
  if (const std::optional<Budget> budget = LocateBudget(kept)) {
    bare.line_budget = budget->value;
    std::size_t end = budget->end;
    while (end < kept.size() && kept[end] != ')' && kept[end] != ']' &&
           DashLength(kept.substr(end)) == 0) {
      ++end;
    }
    const std::size_t open = kept.substr(0, budget->begin).find_last_of("([");
    const bool bracketed =
        open != kNowhere && kept.substr(open, budget->begin - open).find_first_of(")]") == kNowhere;
    std::string_view after = kept.substr(std::min(end, kept.size()));
    if (after.starts_with(')') || after.starts_with(']')) after.remove_prefix(1);
    bare.title = CleanText(TrimTitle(kept.substr(0, bracketed ? open : budget->begin)));
    after = Trim(after);
    if (after.starts_with(':')) after = Trim(after.substr(1));
    if (const std::size_t dash = DashLength(after); dash > 0) after = Trim(after.substr(dash));
    bare.description = CleanText(after);
    return bare;
  }
  bare.title = CleanText(TrimTitle(kept));
  // "(Completed 2025-01-31) Create a.md": the note is at the front.
  if (bare.title.empty() && note != kNowhere) {
    const std::size_t close = text.find(')', note);
    if (close != kNowhere) bare.title = CleanText(TrimTitle(text.substr(close + 1)));
  }
  return bare;
}

}  // namespace sibyl::plan
