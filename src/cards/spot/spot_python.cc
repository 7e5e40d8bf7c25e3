// SPDX-License-Identifier: Apache-2.0
// Python, from what the outline saw.
#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/work.h"
#include "cards/docstring.h"
#include "cards/spot/spot_sink.h"

namespace sibyl::cards {
namespace {

using passages::OutlineMark;
using passages::OutlineSpan;

constexpr std::size_t kShownValue = 12;  // lines

std::string_view NameOf(std::string_view code) {
  std::size_t end = 0;
  while (end < code.size() && IsNameByte(code[end])) ++end;
  return code.substr(0, end);
}

class PythonSpotter {
 public:
  PythonSpotter(const SpottedFile& file, SpotSink& sink)
      : file_(file), sink_(sink), text_(sink.text()) {}

  void Run() {
    for (const OutlineSpan& span : file_.notes.spans) Span(span);
    for (const OutlineMark& mark : file_.notes.marks) Mark(mark);
  }

 private:
  void Span(const OutlineSpan& span) {
    const std::string_view label = span.label;
    const std::size_t dot = label.rfind('.');
    const std::string_view word = dot == label.npos ? label : label.substr(dot + 1);
    if (word.empty() || word.starts_with("__")) return;
    const std::string_view line =
        text_.substr(span.head, sink_.lines().end(sink_.LineAt(span.head)) - span.head);
    const std::size_t at = line.find(word);
    if (at == line.npos) return;
    const std::size_t stop = sink_.lines().end(span.end - 1);
    const std::size_t head_end = EndOfPythonHead(text_.substr(0, stop), span.head);
    std::size_t last = sink_.LineAt(head_end > span.head ? head_end - 1 : span.head);
    const std::string_view docs = DocstringAt(text_.substr(0, stop), head_end);
    if (!docs.empty()) last = sink_.LineAt(sink_.OffsetOf(docs) + docs.size() - 1);
    CardKind kind = dot == label.npos ? CardKind::kFunction : CardKind::kMethod;
    if (span.holds_others) kind = CardKind::kType;
    sink_.Add(kind, line.substr(at, word.size()), {}, {span.first, last});
  }

  void Mark(const OutlineMark& mark) {
    const std::string_view code = text_.substr(mark.begin, mark.end - mark.begin);
    if (code.starts_with("add_docstr(")) return Documented(mark);
    const std::string_view name = NameOf(code);
    if (name.size() < 2 || IsDigit(name[0]) || name.starts_with("__")) return;
    std::string_view rest = Trim(code.substr(name.size()));
    const bool is_typed = rest.starts_with(':') && !rest.starts_with(":=");
    if (!is_typed && !(rest.starts_with('=') && !rest.starts_with("=="))) return;
    constexpr std::array<std::string_view, 5> kWords = {"else", "try", "finally", "lambda",
                                                        "except"};
    if (IsOneOf(name, kWords)) return;
    std::string_view value;
    if (is_typed) {
      const std::size_t equals = rest.find('=');
      if (equals == rest.npos && !mark.is_in_class) return;
      if (equals != rest.npos) value = Trim(rest.substr(equals + 1));
    } else {
      value = Trim(rest.substr(1));
    }
    if (!is_typed && !mark.is_in_class && !IsConstant(name, value)) return;
    if (const std::size_t comment = value.find("  #"); comment != value.npos) {
      value = Trim(value.substr(0, comment));
    }
    sink_.Add(CardKind::kAssignment, name, value, UnitOf(mark, value));
  }

  // Names in capitals, and plain values.
  static bool IsConstant(std::string_view name, std::string_view value) {
    if (std::none_of(name.begin(), name.end(), IsLower)) return true;
    constexpr std::array<std::string_view, 3> kPlain = {"True", "False", "None"};
    return !value.empty() &&
           (IsDigit(value[0]) || value[0] == '"' || value[0] == '\'' || IsOneOf(value, kPlain));
  }

  // With the lines of an open bracket, and with a docstring below it.
  SpotSink::Lines UnitOf(const OutlineMark& mark, std::string_view value) {
    const std::size_t line = sink_.LineAt(mark.begin);
    SpotSink::Lines unit = {mark.first, line};
    const bool is_open = value.ends_with('(') || value.ends_with('[') || value.ends_with('{') ||
                         value.ends_with(',');
    const std::size_t most = std::min(line + kShownValue, sink_.lines().count() - 1);
    if (is_open) {
      const std::size_t indent = mark.begin - sink_.lines().begin(line);
      for (std::size_t i = line + 1; i <= most; ++i) {
        const std::string_view text = sink_.lines().text(i);
        const std::size_t here = std::min(text.find_first_not_of(" \t"), text.size());
        unit.last = i;
        if (here <= indent && !Trim(text).empty()) break;
      }
    }
    const std::string_view docs = DocstringAt(text_, sink_.lines().end(unit.last) - 1);
    if (!docs.empty() && docs.size() < kLongestDocs) {
      unit.last = sink_.LineAt(sink_.OffsetOf(docs) + docs.size() - 1);
    }
    return unit;
  }

  // add_docstr(torch.abs, r"""…""")
  void Documented(const OutlineMark& mark) {
    const std::size_t open = text_.find('(', mark.begin) + 1;
    const std::size_t comma = text_.find(',', open);
    if (comma == text_.npos || comma - open > kMaxCardNameBytes) return;
    const std::string_view name = Trim(text_.substr(open, comma - open));
    if (name.empty() || name.find_first_of(" \n(") != name.npos) return;
    const std::string_view docs = DocstringAt(text_, comma + 1);
    if (docs.empty()) return;
    const std::size_t dot = name.rfind('.');
    sink_.Add(CardKind::kFunction, name.substr(dot == name.npos ? 0 : dot + 1), {},
              {mark.first, sink_.LineAt(sink_.OffsetOf(docs) + docs.size() - 1)});
  }

  static constexpr std::size_t kLongestDocs = 2000;

  const SpottedFile& file_;
  SpotSink& sink_;
  std::string_view text_;
};

}  // namespace

std::size_t EndOfPythonHead(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 20'000;
  const std::size_t most = std::min(text.size(), at + kLongest);
  std::size_t depth = 0;
  for (std::size_t i = at; i < most; ++i) {
    const char c = text[i];
    if (c == '#') {
      i = std::min(text.find('\n', i), most);
    } else if (c == '"' || c == '\'') {
      const std::size_t close = text.find(c, i + 1);
      if (close == text.npos) break;
      i = close;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      depth -= depth > 0 ? 1 : 0;
    } else if (c == ':' && depth == 0) {
      return i + 1;
    } else if (c == '\n' && depth == 0) {
      return i;
    }
  }
  return std::min(text.size(), std::min(text.find('\n', at), text.size()));
}

std::string_view DocstringAt(std::string_view text, std::size_t at) {
  while (at < text.size() && (IsBlank(text[at]) || text[at] == '#')) {
    at = text[at] == '#' ? std::min(text.find('\n', at), text.size()) : at + 1;
  }
  std::size_t begin = at;
  while (begin < text.size() && begin < at + 2 && IsLetter(text[begin])) ++begin;  // r"", rf""
  const std::string_view quote = text.substr(std::min(begin, text.size()), 3);
  if (quote != "\"\"\"" && quote != "'''") return {};
  constexpr std::size_t kLongest = 100'000;
  const std::size_t close =
      text.substr(0, std::min(text.size(), begin + kLongest)).find(quote, begin + 3);
  if (close == text.npos) return {};
  return text.substr(at, close + 3 - at);
}

void SpotPython(const SpottedFile& file, SpotSink& sink) { PythonSpotter(file, sink).Run(); }

}  // namespace sibyl::cards
