// SPDX-License-Identifier: Apache-2.0
#include "plan/labels.h"

#include <algorithm>
#include <cstddef>

#include "plan/scan.h"

namespace sibyl::plan {
namespace {

// Removes "[✓]" and decoration in front of a label: "[x] ✅ **PART 1**".
std::string_view SkipMark(std::string_view text) {
  text = SkipDecoration(text);
  if (text.starts_with('[')) {
    const std::size_t close = text.substr(0, 12).find(']');
    if (close != std::string_view::npos) text = SkipDecoration(text.substr(close + 1));
  }
  return text;
}

// Emphasis that ends here, as in "**PART 1:** title"; the title's own emphasis
// is followed by its first letter.
std::string_view SkipClosingEmphasis(std::string_view text) {
  std::size_t width = 0;
  while (width < text.size() && (text[width] == '*' || text[width] == '_' || text[width] == '`')) {
    ++width;
  }
  const bool closes = width == text.size() || IsSpace(text[width]) || text[width] == ':';
  return width > 0 && closes ? text.substr(width) : text;
}

// Removes what separates a label from its title: a colon, dot, bracket or a
// dash followed by a space ("Section 3: -gencode" keeps its dash).
std::string_view SkipSeparator(std::string_view text, bool* separated) {
  *separated = false;
  for (;;) {
    text = SkipClosingEmphasis(TrimLeft(text));
    const std::size_t dash = DashLength(text);
    if (!text.empty() && (text[0] == ':' || text[0] == '.' || text[0] == ')' || text[0] == '|')) {
      text.remove_prefix(1);
    } else if (dash > 0 && (text.size() == dash || IsSpace(text[dash]))) {
      text.remove_prefix(dash);
    } else {
      return TrimLeft(text);
    }
    *separated = true;
  }
}

// "IV" and the like; single letters other than I, V and X are no numeral.
int RomanValue(std::string_view text) {
  const auto value = [](char c) { return c == 'I' ? 1 : c == 'V' ? 5 : c == 'X' ? 10 : 0; };
  int total = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int here = value(text[i]);
    if (here == 0) return 0;
    total += i + 1 < text.size() && value(text[i + 1]) > here ? -here : here;
  }
  return total;
}

struct PartNumber {
  int first = 0;
  std::optional<int> through;
  std::size_t length = 0;
};

std::optional<int> TakeRangeEnd(std::string_view text, std::size_t* length) {
  std::string_view rest = TrimLeft(text);
  std::size_t dash = DashLength(rest);
  if (dash == 0 && StartsWithWord(rest, "to")) dash = 2;
  if (dash == 0 && StartsWithWord(rest, "through")) dash = 7;
  if (dash == 0) return std::nullopt;
  rest = TrimLeft(rest.substr(dash));
  const std::optional<Number> last = TakeNumber(rest);
  if (!last || (last->length < rest.size() && IsNameByte(rest[last->length]))) return std::nullopt;
  *length = text.size() - rest.size() + last->length;
  return static_cast<int>(last->value);
}

std::optional<PartNumber> TakePartNumber(std::string_view text, bool plural) {
  PartNumber result;
  if (const std::optional<Number> number = TakeNumber(text)) {
    result.first = static_cast<int>(number->value);
    result.length = number->length;
    std::string_view rest = text.substr(result.length);
    if (rest.size() > 1 && rest[0] == '.' && IsDigit(rest[1])) return std::nullopt;  // "PART 1.2"
    if (!rest.empty() && IsLetter(rest[0]) && (rest.size() == 1 || !IsNameByte(rest[1]))) {
      ++result.length;  // "PART 7b"
    } else if (!rest.empty() && IsNameByte(rest[0])) {
      return std::nullopt;
    }
    if (plural) {
      std::size_t length = 0;
      result.through = TakeRangeEnd(rest, &length);
      if (result.through) result.length += length;
    }
    return result;
  }
  std::size_t letters = 0;
  while (letters < text.size() && text[letters] >= 'A' && text[letters] <= 'Z') ++letters;
  const std::string_view rest = TrimLeft(text.substr(std::min(letters, text.size())));
  const bool ends = letters > 0 && !rest.empty() && (rest[0] == ':' || DashLength(rest) > 0);
  if (!ends || letters > 5) return std::nullopt;
  result.first = RomanValue(text.substr(0, letters));
  if (result.first == 0 && letters == 1) result.first = text[0] - 'A' + 1;
  if (result.first == 0) return std::nullopt;
  result.length = letters;
  return result;
}

std::optional<NumberedLabel> ReadNumbered(std::string_view content, std::string_view word) {
  std::string_view text = SkipDecoration(content);
  if (!StartsWithIgnoringCase(text, word)) return std::nullopt;
  text.remove_prefix(word.size());
  const std::string_view digits = TrimLeft(text);
  const std::optional<Number> number = TakeNumber(digits);
  if (!number || number->value > 9999) return std::nullopt;
  std::string_view rest = digits.substr(number->length);
  if (!rest.empty() && rest[0] == '.' && rest.size() > 1 && IsDigit(rest[1])) {
    rest.remove_prefix(2);  // "Step 1.5"
    while (!rest.empty() && IsDigit(rest[0])) rest.remove_prefix(1);
  }
  if (!rest.empty() && IsLetter(rest[0]) && (rest.size() == 1 || !IsNameByte(rest[1]))) {
    rest.remove_prefix(1);  // "Step 2b"
  } else if (!rest.empty() && IsNameByte(rest[0])) {
    return std::nullopt;
  }
  bool separated = false;
  NumberedLabel label{.number = static_cast<int>(number->value), .title = {}};
  label.title = SkipSeparator(rest, &separated);
  return label;
}

}  // namespace

std::optional<PartLabel> ReadPartLabel(std::string_view content) {
  std::string_view text = SkipMark(content);
  if (!StartsWithIgnoringCase(text, "part")) return std::nullopt;
  text.remove_prefix(4);
  const bool plural = text.starts_with('s') || text.starts_with('S');
  if (plural) text.remove_prefix(1);
  const std::size_t before = text.size();
  while (!text.empty() && (IsSpace(text[0]) || text[0] == '#' || text[0] == '-')) {
    text.remove_prefix(1);
  }
  if (text.size() == before) return std::nullopt;
  const std::optional<PartNumber> number = TakePartNumber(text, plural);
  if (!number) return std::nullopt;
  PartLabel label{.number = number->first, .through = number->through, .title = {}};
  label.title = SkipSeparator(text.substr(number->length), &label.separated);
  const std::string_view first = SkipDecoration(label.title);
  label.report = !label.separated &&
                 (StartsWithWord(first, "complete") || StartsWithWord(first, "completed") ||
                  StartsWithWord(first, "failed") || StartsWithWord(first, "done") ||
                  StartsWithWord(first, "results") || StartsWithWord(first, "summary"));
  return label;
}

bool PartHeadingAt(std::string_view line) {
  const std::string_view text = TrimLeft(line);
  if (!text.starts_with('#')) return false;
  return ReadPartLabel(text.substr(std::min(text.find_first_not_of('#'), text.size()))).has_value();
}

std::optional<NumberedLabel> ReadStepLabel(std::string_view content) {
  return ReadNumbered(content, "step");
}

std::optional<NumberedLabel> ReadSectionLabel(std::string_view content) {
  std::string_view text = SkipDecoration(content);
  for (const std::string_view verb : {"write", "create", "draft", "add"}) {
    if (StartsWithWord(text, verb)) {
      text = SkipDecoration(text.substr(verb.size()));
      break;
    }
  }
  return ReadNumbered(text, "section");
}

std::optional<FieldLabel> ReadFieldLabel(std::string_view content) {
  FieldLabel field;
  if (content.starts_with("**") || content.starts_with("__")) {
    const std::size_t close = content.find(content.substr(0, 2), 2);
    if (close == std::string_view::npos || close == 2) return std::nullopt;
    field.bold = true;
    field.label = Trim(content.substr(2, close - 2));
    field.text = Trim(content.substr(close + 2));
    if (field.label.ends_with(':')) {
      field.colon = true;
      field.label = Trim(field.label.substr(0, field.label.size() - 1));
    } else if (field.text.starts_with(':')) {
      field.colon = true;
      field.text = Trim(field.text.substr(1));
    } else if (field.text.starts_with('(')) {
      // "**Research Queries** (any engine):" has a remark before its colon.
      const std::size_t end = field.text.find(')');
      const std::string_view rest =
          end == std::string_view::npos ? std::string_view() : Trim(field.text.substr(end + 1));
      if (rest.starts_with(':')) {
        field.colon = true;
        field.text = Trim(rest.substr(1));
      }
    }
    return field;
  }
  constexpr std::size_t kLongestPlainLabel = 40;
  const std::size_t colon = content.substr(0, kLongestPlainLabel).find(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  if (colon + 1 < content.size() && !IsSpace(content[colon + 1])) return std::nullopt;
  field.colon = true;
  field.label = Trim(content.substr(0, colon));
  field.text = Trim(content.substr(colon + 1));
  return field;
}

}  // namespace sibyl::plan
