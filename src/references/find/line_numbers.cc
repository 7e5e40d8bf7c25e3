// SPDX-License-Identifier: Apache-2.0
#include "references/find/line_numbers.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/ascii.h"

namespace sibyl::references {
namespace {

constexpr std::size_t kMaxDigits = 7;
constexpr std::string_view kNoLineZero = "lines are counted from 1";
constexpr std::string_view kReversed = "the range ends before it starts";
constexpr std::size_t kMostDigits = 20;  // more are not a number of a line

struct Number {
  std::size_t value = 0;
  bool is_zero = false;
  std::size_t begin = 0;
  std::size_t end = 0;
};

bool StartsAt(std::string_view text, std::size_t at, std::string_view part) {
  return at <= text.size() && text.substr(at).starts_with(part);
}

std::size_t SkipSpaces(std::string_view text, std::size_t at) {
  while (ByteAt(text, at) == ' ' || ByteAt(text, at) == '\n') ++at;
  return at;
}

// "12" or "L12"; not "1.5", "12%", "12px". In words, zero and long numbers are
// something else; after a file they are mistakes.
std::optional<Number> ReadNumber(std::string_view text, std::size_t at, NumberStyle style) {
  if ((ByteAt(text, at) == 'L' || ByteAt(text, at) == 'l') && IsDigit(ByteAt(text, at + 1))) ++at;
  Number number{.begin = at, .end = at};
  for (; IsDigit(ByteAt(text, number.end)) && number.end - at <= kMostDigits; ++number.end) {
    if (number.end - at > kMaxDigits) continue;
    number.value = 10 * number.value + static_cast<std::size_t>(text[number.end] - '0');
  }
  const std::size_t digits = number.end - at;
  if (digits == 0 || digits > kMostDigits) return std::nullopt;
  number.is_zero = number.value == 0;
  if ((number.is_zero || digits > kMaxDigits) && style == NumberStyle::kWords) return std::nullopt;
  number.value = std::max<std::size_t>(number.value, 1);
  return number;
}

// Whether what follows a number makes it something other than a line.
bool IsOtherNumber(std::string_view text, std::size_t end, NumberStyle style) {
  for (const std::string_view counted : {" insertion", " deletion", " addition", " LOC"}) {
    if (StartsAt(text, end, counted)) return true;
  }
  const char next = ByteAt(text, end);
  if (next == '%' || next == '_' || (IsLetter(next) && next != 'C' && next != 'c')) return true;
  if (next == '.' && IsDigit(ByteAt(text, end + 1))) return true;
  if (style == NumberStyle::kWords) {
    // "3 times", "12:30", "50 %" are not told apart by more than this.
    const std::size_t word = SkipSpaces(text, end);
    if (ByteAt(text, word) == '%') return true;
    if (next == ':' && IsDigit(ByteAt(text, end + 1))) return true;
  }
  return false;
}

// "1234-40" is short for 1234-1240.
std::size_t CompleteLast(const Number& first, const Number& last) {
  if (last.value >= first.value) return last.value;
  std::size_t scale = 1;
  for (std::size_t i = last.begin; i < last.end; ++i) scale *= 10;
  const std::size_t completed = first.value / scale * scale + last.value;
  return completed >= first.value ? completed : 0;
}

// Columns of "#L10C5-L20C3".
std::size_t SkipColumn(std::string_view text, std::size_t at) {
  if (ByteAt(text, at) != 'C' || !IsDigit(ByteAt(text, at + 1))) return at;
  ++at;
  while (IsDigit(ByteAt(text, at))) ++at;
  return at;
}

std::size_t RangeDash(std::string_view text, std::size_t at, NumberStyle style) {
  if (const std::size_t dash = DashLength(text, at); dash > 0) {
    std::size_t end = at + dash;
    const bool is_wrapped = IsDigit(ByteAt(text, SkipSpaces(text, end)));
    if (style == NumberStyle::kWords || is_wrapped) end = SkipSpaces(text, end);
    return end;
  }
  if (style != NumberStyle::kWords) return at;
  const std::size_t word = SkipSpaces(text, at);
  if (word == at) return at;
  for (const std::string_view joint : {"to ", "through ", "till ", "until ", "bis "}) {
    if (StartsAt(text, word, joint)) return SkipSpaces(text, word + joint.size());
  }
  if (const std::size_t dash = DashLength(text, word); dash > 0) {
    return SkipSpaces(text, word + dash);
  }
  return at;
}

std::optional<ReadRange> ReadOne(std::string_view text, std::size_t& at, NumberStyle style) {
  ReadRange range;
  std::size_t begin = at;
  if (const std::size_t tilde = TildeLength(text, begin); tilde > 0) {
    range.is_approximate = true;
    begin += tilde;
  }
  const std::optional<Number> first = ReadNumber(text, begin, style);
  if (!first) return std::nullopt;
  range.lines = {first->value, first->value};
  if (first->is_zero) range.impossible = kNoLineZero;
  range.first_begin = first->begin;
  range.first_end = first->end;
  range.last_begin = range.last_end = first->end;
  std::size_t end = SkipColumn(text, first->end);
  const std::size_t after_dash = RangeDash(text, end, style);
  if (after_dash > end) {
    const std::size_t tilde = TildeLength(text, after_dash);
    const std::optional<Number> last = ReadNumber(text, after_dash + tilde, style);
    const std::size_t value = last ? CompleteLast(*first, *last) : 0;
    const bool is_reversed = value == 0 && style == NumberStyle::kColon;
    if (last && (value > 0 || is_reversed) && !IsOtherNumber(text, last->end, style)) {
      range.lines.last = std::max(value, first->value);
      if (is_reversed) range.impossible = kReversed;
      range.last_begin = last->begin;
      range.last_end = last->end;
      end = SkipColumn(text, last->end);
    }
  }
  if (IsOtherNumber(text, end, style)) return std::nullopt;
  at = end;
  return range;
}

// Where the next number of a list would be; `at` if there is no separator.
std::size_t AfterSeparator(std::string_view text, std::size_t at, NumberStyle style) {
  std::size_t next = at;
  if (ByteAt(text, next) == ',' || ByteAt(text, next) == '/' || ByteAt(text, next) == '+' ||
      (style == NumberStyle::kWords && ByteAt(text, next) == '&')) {
    ++next;
  } else if (StartsAt(text, next, "、")) {
    next += std::string_view("、").size();
  }
  const std::size_t spaced = SkipSpaces(text, next);
  for (const std::string_view joint : {"vs ", "vs. ", "and ", "und ", "& ", "or "}) {
    // "a.rs:12 and 34" is a list too, but "a.rs:12, and 34" begins another thought.
    const bool is_list = style == NumberStyle::kWords || next == at;
    if (is_list && spaced > at && StartsAt(text, spaced, joint)) {
      return SkipSpaces(text, spaced + joint.size());
    }
  }
  return next == at ? at : spaced;
}

// "a.rs:12, 34 tests": the second is a count. After a space only the end of a
// phrase may follow a number.
bool EndsPhrase(std::string_view text, std::size_t end) {
  const char next = ByteAt(text, end);
  if (next == ' ') {
    const char after = ByteAt(text, SkipSpaces(text, end));
    return StartsAt(text, end, " and ") || StartsAt(text, end, " vs") ||
           (!IsNameByte(after) && after != '*' && after != '%' && after != '$');
  }
  return !IsNameByte(next);
}

}  // namespace

std::size_t DashLength(std::string_view text, std::size_t at) {
  for (const std::string_view dash : {"–", "—", "−", "‑", "‐", "…", "..=", "...", "..", "-"}) {
    if (StartsAt(text, at, dash)) return dash.size();
  }
  return 0;
}

std::size_t TildeLength(std::string_view text, std::size_t at) {
  for (const std::string_view mark : {"~", "≈", "≃", "∼"}) {
    if (StartsAt(text, at, mark)) return mark.size();
  }
  return 0;
}

LineNumbers ReadLineNumbers(std::string_view text, std::size_t at, NumberStyle style) {
  LineNumbers numbers;
  std::size_t end = at;
  const std::optional<ReadRange> first = ReadOne(text, end, style);
  if (!first) return numbers;
  numbers.ranges.push_back(*first);
  numbers.end = end;
  // A column: a.rs:12:5.
  if (style == NumberStyle::kColon && ByteAt(text, end) == ':' && IsDigit(ByteAt(text, end + 1)) &&
      first->lines.first == first->lines.last) {
    std::size_t column = end + 1;
    while (IsDigit(ByteAt(text, column))) ++column;
    numbers.end = column;
    return numbers;
  }
  while (numbers.ranges.size() < kMaxRangesOfList) {
    std::size_t next = AfterSeparator(text, numbers.end, style);
    if (next == numbers.end) break;
    const bool is_spaced = ByteAt(text, next - 1) == ' ' || ByteAt(text, next - 1) == '\n';
    const std::optional<ReadRange> more = ReadOne(text, next, style);
    if (!more || more->impossible == kNoLineZero || (is_spaced && !EndsPhrase(text, next))) break;
    numbers.ranges.push_back(*more);
    numbers.end = next;
  }
  return numbers;
}

}  // namespace sibyl::references
