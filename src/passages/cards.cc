// SPDX-License-Identifier: Apache-2.0
#include "passages/cards.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::passages {
namespace {

constexpr std::size_t kMostCards = 2000;
constexpr std::size_t kLongestCall = 2000;  // bytes
constexpr std::size_t kLongestValue = 120;

bool IsQuote(char c) { return c == '"' || c == '\''; }

// A name at `at`: a word, perhaps with points and colons.
std::string_view NameAt(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && (IsNameByte(text[end]) || (text[end] == '.' && end > at))) ++end;
  return text.substr(at, end - at);
}

// The name that ends before `end`, blanks apart.
std::string_view NameBefore(std::string_view text, std::size_t end) {
  while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '\t')) --end;
  std::size_t begin = end;
  while (begin > 0 && IsNameByte(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

struct Value {
  std::string text;
  bool is_text = false;
};

Value CleanValue(std::string_view raw) {
  raw = Trim(raw);
  while (!raw.empty() && (raw.back() == ',' || raw.back() == ';' || raw.back() == '\\')) {
    raw = Trim(raw.substr(0, raw.size() - 1));
  }
  Value value;
  while (raw.size() >= 2 && (IsQuote(raw[0]) || raw[0] == '`') && raw.back() == raw[0]) {
    value.is_text = value.is_text || IsQuote(raw[0]);
    raw = raw.substr(1, raw.size() - 2);
  }
  for (const char c : raw.substr(0, kLongestValue)) value.text += IsBlank(c) ? ' ' : c;
  return value;
}

// From `at` to the comma, semicolon, closing bracket, comment or line end that
// ends a value.
std::string_view ValueAt(std::string_view text, std::size_t at) {
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

// The colon of "name: type" before the sign at `at`; npos if there is none.
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

// The arguments of the call whose parenthesis is at `open`; nothing if it is
// not closed.
std::vector<std::string_view> Arguments(std::string_view text, std::size_t open) {
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

class CardReader {
 public:
  explicit CardReader(std::string_view text) : text_view_(text) {}

  std::vector<Card> Take() {
    for (std::size_t at = 0; at < text_view_.size() && cards_.size() < kMostCards;) {
      const std::size_t end = std::min(text_view_.find('\n', at), text_view_.size());
      Line(at, end);
      at = end + 1;
    }
    return std::move(cards_);
  }

 private:
  void Add(CardKind kind, std::string_view name, std::string_view raw, std::size_t offset) {
    while (name.starts_with('-')) name.remove_prefix(1);
    if (name.size() < 2 || IsDigit(name[0])) return;
    Value value = CleanValue(raw);
    if (value.text.empty() && !value.is_text) return;
    cards_.push_back({.kind = kind,
                      .name = std::string(name),
                      .value = std::move(value.text),
                      .is_text = value.is_text,
                      .offset = offset});
  }

  void Line(std::size_t begin, std::size_t end) {
    const std::string_view line = text_view_.substr(begin, end - begin);
    const std::string_view trimmed = Trim(line);
    if (trimmed.empty()) return;
    Documentation(line, begin);
    if (Macro(trimmed, begin)) return;
    if (Calls(line, begin)) return;
    Assignment(line, begin);
  }

  bool Macro(std::string_view trimmed, std::size_t offset) {
    constexpr std::string_view kDefine = "#define ";
    if (!trimmed.starts_with(kDefine)) return false;
    const std::string_view rest = Trim(trimmed.substr(kDefine.size()));
    const std::string_view name = NameAt(rest, 0);
    if (name.size() < rest.size() && rest[name.size()] == '(') return true;
    Add(CardKind::kMacro, name, ValueAt(rest, name.size()), offset);
    return true;
  }

  bool Calls(std::string_view line, std::size_t begin) {
    bool found = false;
    for (std::size_t open = line.find('('); open != std::string_view::npos;
         open = line.find('(', open + 1)) {
      const std::string_view function = NameBefore(line, open);
      if (!function.empty()) found = Call(function, line, begin, open) || found;
    }
    for (std::size_t at = line.find("${"); at != std::string_view::npos;
         at = line.find("${", at + 2)) {
      const std::string_view name = NameAt(line, at + 2);
      const std::size_t mark = at + 2 + name.size();
      const std::string_view sign = line.substr(mark, 2);
      if (sign != ":-" && sign != ":=") continue;
      const std::size_t close = line.find('}', mark);
      if (close == std::string_view::npos) break;
      Add(CardKind::kEnvironment, name, line.substr(mark + 2, close - mark - 2), begin + at + 2);
      found = true;
    }
    return found;
  }

  bool Call(std::string_view function, std::string_view line, std::size_t begin, std::size_t open) {
    const std::string lower = LowerCase(function);
    if (lower == "option" || lower == "cmake_dependent_option" || lower == "set") {
      return CMake(lower, begin + open);
    }
    const bool is_environment = lower == "getenv" || lower == "env" ||
                                lower.ends_with("environ.get") || lower == "get" ||
                                lower == "setdefault" || lower.starts_with("getenv");
    const bool is_option = lower.ends_with("add_argument") || lower.ends_with("option") ||
                           lower.starts_with("define_") || lower.ends_with("_param") ||
                           lower == "field";
    if (!is_environment && !is_option) return false;
    const std::vector<std::string_view> arguments = Arguments(text_view_, begin + open);
    if (arguments.empty()) return false;
    if (lower == "field") return Field(line, begin, arguments);
    std::string_view name;
    for (const std::string_view argument : arguments) {
      if (argument.size() > 2 && IsQuote(argument[0]) && argument.find(' ') == argument.npos) {
        name = argument.substr(1, argument.size() - 2);
        if (!name.starts_with('-') || name.starts_with("--")) break;  // not its short form
      }
    }
    if (lower.starts_with("define_")) name = arguments[0];
    if (name.empty()) return false;
    for (const std::string_view argument : arguments) {
      const std::size_t equals = argument.find('=');
      if (equals == argument.npos || Trim(argument.substr(0, equals)) != "default") continue;
      Add(CardKind::kOption, name, argument.substr(equals + 1), begin + open);
      return true;
    }
    const bool is_positional =
        is_environment || lower.starts_with("define_") || lower.ends_with("_param");
    if (!is_positional || arguments.size() < 2) return false;
    const std::size_t value = lower.starts_with("define_") ? 1 : arguments.size() - 1;
    Add(is_environment ? CardKind::kEnvironment : CardKind::kOption, name, arguments[value],
        begin + open);
    return true;
  }

  // name: int = Field(4, ge=0)
  bool Field(std::string_view line, std::size_t begin,
             const std::vector<std::string_view>& arguments) {
    const std::string_view trimmed = Trim(line);
    const std::string_view name = NameAt(trimmed, 0);
    if (name.empty() || arguments[0].empty()) return false;
    std::string_view value = arguments[0];
    for (const std::string_view argument : arguments) {
      if (argument.starts_with("default=")) value = argument.substr(8);
    }
    if (value.find('=') != value.npos) return false;
    Add(CardKind::kAssignment, name, value, begin);
    return true;
  }

  // option(NAME "doc" ON), set(NAME value …)
  bool CMake(const std::string& command, std::size_t open) {
    std::size_t close = open;
    char quote = 0;
    for (; close < text_view_.size() && close < open + kLongestCall; ++close) {
      const char c = text_view_[close];
      if (c == '"') quote = quote == 0 ? '"' : 0;
      if (c == ')' && quote == 0) break;
    }
    if (close >= text_view_.size() || text_view_[close] != ')') return false;
    std::vector<std::string_view> words;
    for (std::size_t at = open + 1; at < close;) {
      if (IsBlank(text_view_[at])) {
        ++at;
        continue;
      }
      std::size_t end = at + 1;
      if (text_view_[at] == '"') {
        end = std::min(text_view_.find('"', at + 1), close - 1) + 1;
      } else {
        while (end < close && !IsBlank(text_view_[end])) ++end;
      }
      words.push_back(text_view_.substr(at, end - at));
      at = end;
    }
    if (words.size() < 2) return false;
    if (command == "set") {
      Add(CardKind::kAssignment, words[0], words[1], open);
    } else if (words.size() >= 3) {
      Add(CardKind::kOption, words[0], words[2], open);
    } else {
      Add(CardKind::kOption, words[0], "OFF", open);  // CMake's own default
    }
    return true;
  }

  // Also several on one line: f(a=1, b=2).
  void Assignment(std::string_view line, std::size_t begin) {
    bool found = false;
    for (std::size_t at = line.find('='); at != std::string_view::npos;
         at = line.find('=', at + 1)) {
      const char before = at > 0 ? line[at - 1] : '\0';
      const char after = at + 1 < line.size() ? line[at + 1] : '\0';
      if (after == '=') {
        ++at;
        continue;
      }
      if (std::string_view("!<>+-*/%&|^=:").find(before) != std::string_view::npos &&
          before != '\0') {
        if (before != ':') continue;
      }
      std::string_view name = NameBefore(line, before == ':' ? at - 1 : at);
      // "name: type = value"
      if (before != ':') {
        if (const std::size_t colon = TypeColon(line, at); colon != std::string_view::npos) {
          if (const std::string_view typed = NameBefore(line, colon); !typed.empty()) name = typed;
        }
      }
      if (name.empty()) continue;
      Add(CardKind::kAssignment, name, ValueAt(text_view_, begin + at + 1), begin + at);
      found = true;
    }
    if (found) return;
    // int x{4};
    if (const std::size_t brace = line.find('{'); brace != std::string_view::npos) {
      const std::size_t close = line.find('}', brace);
      if (close != std::string_view::npos && line.find(';', close) != std::string_view::npos) {
        Add(CardKind::kAssignment, NameBefore(line, brace),
            line.substr(brace + 1, close - brace - 1), begin + brace);
      }
      return;
    }
    Entry(line, begin);
  }

  // key: value
  void Entry(std::string_view line, std::size_t begin) {
    std::string_view trimmed = Trim(line);
    while (trimmed.starts_with("- ")) trimmed = Trim(trimmed.substr(2));
    const std::size_t colon = trimmed.find(": ");
    if (colon == std::string_view::npos || colon == 0) return;
    std::string_view key = trimmed.substr(0, colon);
    if (IsQuote(key[0]) && key.size() > 2) key = key.substr(1, key.size() - 2);
    const bool is_key = std::all_of(key.begin(), key.end(),
                                    [](char c) { return IsNameByte(c) || c == '-' || c == '.'; });
    if (!is_key) return;
    Add(CardKind::kEntry, key, ValueAt(trimmed, colon + 2), begin);
  }

  // "`4` is the default", "`intervals` (default)", "The default `intervals` mode"
  bool ValueBefore(std::string_view line, const std::string& lower, std::size_t begin) {
    constexpr std::array<std::string_view, 5> kForms = {
        "` is the default", "` (default", "` (the default", "`` (default", "`` (the default"};
    for (const std::string_view form : kForms) {
      const std::size_t at = lower.find(form);
      if (at == std::string::npos || at == 0) continue;
      if (form.ends_with("(default") && at + form.size() < line.size() &&
          line[at + form.size()] != ')') {
        continue;
      }
      const std::size_t open = line.rfind('`', at - 1);
      if (open == std::string_view::npos) continue;
      const std::string_view value = line.substr(open + 1, at - open - 1);
      if (const std::size_t equals = value.find('='); equals != value.npos) {
        Add(CardKind::kDocumentation, value.substr(0, equals), value.substr(equals + 1),
            begin + open);
      } else {
        Add(CardKind::kDocumentation, NameInText(line, open, begin), value, begin + open);
      }
      return true;
    }
    return false;
  }

  // "(default: 4)", "defaults to 4", "default is 4", "default value of 4".
  void Documentation(std::string_view line, std::size_t begin) {
    const std::string lower = LowerCase(line);
    if (lower.find("default") == std::string::npos || ValueBefore(line, lower, begin)) return;
    constexpr std::array<std::string_view, 7> kForms = {
        "default: ",       "default is ",       "defaults to ", "default value is ",
        "default value: ", "default value of ", "default "};
    for (const std::string_view form : kForms) {
      const std::size_t at = lower.find(form);
      if (at == std::string::npos) continue;
      std::size_t value = at + form.size();
      while (value < line.size() && (line[value] == ' ' || line[value] == '*')) ++value;
      std::size_t end = value;
      if (value < line.size() && line[value] == '`') {
        end = line.find_first_not_of('`', value);
        end = end == line.npos ? line.size() : std::min(line.find('`', end), line.size());
        value = std::min(line.find_first_not_of('`', value), line.size());
      } else {
        while (end < line.size() && (IsNameByte(line[end]) || line[end] == '.' ||
                                     line[end] == '-' || IsQuote(line[end]))) {
          ++end;
        }
        while (end > value && line[end - 1] == '.') --end;
      }
      const std::string_view raw = line.substr(value, end - value);
      const bool is_value = form != "default " || IsLiteral(raw);
      if (raw.empty() || !is_value) continue;
      Add(CardKind::kDocumentation, NameInText(line, at, begin), raw, begin + at);
      return;
    }
  }

  static bool IsLiteral(std::string_view raw) {
    const std::string lower = LowerCase(raw);
    return IsDigit(raw.empty() ? 'x' : raw[0]) || lower == "true" || lower == "false" ||
           lower == "on" || lower == "off";
  }

  // What the default is of: the first name of the line in code font, the flag,
  // or the name above.
  std::string_view NameInText(std::string_view line, std::size_t before, std::size_t begin) const {
    const std::string_view part = line.substr(0, before);
    if (const std::size_t tick = part.find('`'); tick != std::string_view::npos) {
      const std::size_t from = std::min(part.find_first_not_of('`', tick), part.size());
      const std::size_t flag = std::min(part.find_first_not_of('-', from), part.size());
      const std::string_view name = NameAt(part, flag);
      if (name.size() > 1) return name;
    }
    if (const std::size_t flag = part.find("--"); flag != std::string_view::npos) {
      std::size_t end = flag + 2;
      while (end < part.size() && (IsNameByte(part[end]) || part[end] == '-')) ++end;
      if (end > flag + 2) return part.substr(flag + 2, end - flag - 2);
    }
    const std::size_t first = part.find_first_not_of(" \t*#/-|");
    if (first != std::string_view::npos) {
      const std::string_view name = NameAt(part, first);
      const std::size_t end = first + name.size();
      const bool is_defined = !name.ends_with('.') && end < part.size() &&
                              (part[end] == ':' || part.substr(end).starts_with(" ("));
      if (is_defined && name.size() > 1) return name;
    }
    // "capturable (bool, optional): …" some lines above
    std::size_t end = begin;
    for (int lines = 0; lines < 6 && end > 0; ++lines) {
      const std::size_t from = end < 2 ? 0 : text_view_.rfind('\n', end - 2) + 1;
      const std::string_view above = Trim(text_view_.substr(from, end - from));
      const std::string_view name = NameAt(above, 0);
      if (name.size() > 1 && above.substr(name.size()).starts_with(" (")) return name;
      end = from;
    }
    // A description goes on below its name.
    for (auto card = cards_.rbegin(); card != cards_.rend(); ++card) {
      if (begin - card->offset < kLongestCall / 4) return card->name;
    }
    return {};
  }

  std::string_view text_view_;
  std::vector<Card> cards_;
};

}  // namespace

std::vector<Card> ReadCards(std::string_view text) { return CardReader(text).Take(); }

}  // namespace sibyl::passages
