// SPDX-License-Identifier: Apache-2.0
#include "cards/card_text.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::cards {
namespace {

constexpr std::size_t kLongestValue = 120;

// A quoted text or a word, with nothing else; empty otherwise.
std::string_view ChoiceOf(std::string_view part) {
  part = Trim(part);
  if (part.size() >= 2 && (IsQuote(part[0]) || part[0] == '`') && part.back() == part[0]) {
    part = part.substr(1, part.size() - 2);
  }
  const bool is_word = std::all_of(part.begin(), part.end(), [](char c) {
    return IsNameByte(c) || c == '-' || c == '.' || c == '+';
  });
  return is_word ? part : std::string_view();
}

}  // namespace

std::string_view CardNameAt(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && (IsNameByte(text[end]) || (text[end] == '.' && end > at))) ++end;
  return text.substr(at, end - at);
}

std::string_view CardNameBefore(std::string_view text, std::size_t end) {
  while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '\t')) --end;
  std::size_t begin = end;
  while (begin > 0 && IsNameByte(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

CardValue CleanCardValue(std::string_view raw) {
  raw = Trim(raw);
  while (!raw.empty() && (raw.back() == ',' || raw.back() == ';' || raw.back() == '\\')) {
    raw = Trim(raw.substr(0, raw.size() - 1));
  }
  // bool fast = true> struct x
  if (const std::size_t angle = raw.find('>');
      angle != raw.npos && angle > 0 && raw.substr(0, angle).find_first_of("<-=") == raw.npos &&
      !IsQuote(raw[0])) {
    raw = Trim(raw.substr(0, angle));
  }
  CardValue value;
  while (raw.size() >= 2 && (IsQuote(raw[0]) || raw[0] == '`') && raw.back() == raw[0]) {
    value.is_text = value.is_text || IsQuote(raw[0]);
    raw = raw.substr(1, raw.size() - 2);
  }
  for (const char c : raw.substr(0, kLongestValue)) value.text += IsBlank(c) ? ' ' : c;
  return value;
}

std::string_view CardValueAt(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  char quote = 0;
  std::size_t end = at;
  for (; end < text.size() && end < at + kLongestCall; ++end) {
    const char c = text[end];
    if (quote != 0) {
      if (c == '\\') {
        ++end;
      } else if (c == quote || c == '\n') {
        quote = 0;
      }
      continue;
    }
    if (IsQuote(c)) {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      if (depth == 0) break;
      --depth;
    } else if (depth == 0 && (c == ',' || c == ';' || c == '\n' || c == '#' ||
                              text.substr(end).starts_with("//"))) {
      break;
    }
  }
  return text.substr(at, end - at);
}

std::size_t TypeColon(std::string_view line, std::size_t at) {
  constexpr std::size_t kLongestType = 200;
  const std::size_t first = at > kLongestType ? at - kLongestType : 0;
  std::size_t depth = 0;
  while (at-- > first) {
    const char c = line[at];
    if (c == ']' || c == ')' || c == '}' || c == '>') ++depth;
    if (c == '[' || c == '(' || c == '{' || c == '<') {
      if (depth == 0) return std::string_view::npos;
      --depth;
    }
    if (depth > 0) continue;
    if (c == ',' || c == '=' || c == ';') return std::string_view::npos;
    if (c == ':' && (at == 0 || line[at - 1] != ':') && line.substr(at, 2) != "::") return at;
  }
  return std::string_view::npos;
}

std::vector<std::string_view> CallArguments(std::string_view text, std::size_t open) {
  std::vector<std::string_view> arguments;
  std::size_t at = open + 1;
  while (at < text.size() && at < open + kLongestCall) {
    // Lines within a call are not ends.
    std::size_t depth = 0;
    char quote = 0;
    std::size_t end = at;
    for (; end < text.size() && end < open + kLongestCall; ++end) {
      const char c = text[end];
      if (quote != 0) {
        if (c == quote) quote = 0;
        continue;
      }
      if (IsQuote(c)) quote = c;
      if (c == '(' || c == '[' || c == '{') ++depth;
      if (c == ')' || c == ']' || c == '}') {
        if (depth == 0) break;
        --depth;
      }
      if (c == ',' && depth == 0) break;
    }
    if (end >= text.size() || end >= open + kLongestCall) return {};
    arguments.push_back(Trim(text.substr(at, end - at)));
    if (text[end] == ')') return arguments;
    at = end + 1;
  }
  return {};
}

std::vector<std::string> ChoicesIn(std::string_view around) {
  constexpr std::size_t kLongestAround = 1000;
  around = around.substr(0, kLongestAround);
  struct Form {
    std::string_view open;
    char close;
    char between;
  };
  constexpr std::array<Form, 6> kForms = {{{"choices=[", ']', ','},
                                           {"choices=(", ')', ','},
                                           {"Choice([", ']', ','},
                                           {"Literal[", ']', ','},
                                           {"<", '>', '|'},
                                           {"{", '}', ','}}};
  constexpr std::size_t kMost = 40;
  for (const Form& form : kForms) {
    const std::size_t at = around.find(form.open);
    if (at == std::string_view::npos) continue;
    const std::size_t begin = at + form.open.size();
    const std::size_t end = around.find(form.close, begin);
    if (end == std::string_view::npos) continue;
    std::vector<std::string> choices;
    bool is_list = true;
    for (std::size_t from = begin; from < end && choices.size() < kMost;) {
      const std::size_t to = std::min(around.find(form.between, from), end);
      const std::string_view choice = ChoiceOf(around.substr(from, to - from));
      is_list = is_list && (!choice.empty() || to == end);
      if (!choice.empty()) choices.emplace_back(choice);
      from = to + 1;
    }
    if (is_list && choices.size() > 1) return choices;
  }
  return {};
}

}  // namespace sibyl::cards
