// SPDX-License-Identifier: Apache-2.0
// C, C++ and CUDA, from what the outline saw.
#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/work.h"
#include "cards/card_text.h"
#include "cards/source_text.h"
#include "cards/spot/spot_sink.h"
#include "passages/c_header.h"

namespace sibyl::cards {
namespace {

using passages::BraceKind;
using passages::OutlineMark;
using passages::OutlineSpan;

constexpr std::size_t kLongestHead = 8000;
constexpr std::size_t kShownType = 40;   // lines; of a longer type only the head is quoted
constexpr std::size_t kShownMacro = 12;  // lines

std::string_view LastComponent(std::string_view label) {
  const std::size_t colon = label.rfind("::");
  return colon == std::string_view::npos ? label : label.substr(colon + 2);
}

bool HoldsIgnoringCase(std::string_view text, std::string_view lower) {
  const auto same = [](char a, char b) { return (IsUpper(a) ? a - 'A' + 'a' : a) == b; };
  return std::search(text.begin(), text.end(), lower.begin(), lower.end(), same) != text.end();
}

// The word in `head`, before a parenthesis if `is_function`; empty if it is not there.
std::string_view FindName(std::string_view head, std::string_view word, bool is_function) {
  for (std::size_t at = head.rfind(word); at != std::string_view::npos;
       at = at == 0 ? std::string_view::npos : head.rfind(word, at - 1)) {
    Work::Add(1);
    const std::size_t end = at + word.size();
    if (at > 0 && IsNameByte(head[at - 1])) continue;
    if (end < head.size() && IsNameByte(head[end])) continue;
    std::size_t after = end;
    while (after < head.size() && IsBlank(head[after])) ++after;
    const bool is_called = after < head.size() && (head[after] == '(' || head[after] == '<');
    if (is_function && !is_called) continue;
    return head.substr(at, word.size());
  }
  return {};
}

class CSpotter {
 public:
  CSpotter(const SpottedFile& file, SpotSink& sink)
      : file_(file), sink_(sink), text_(sink.text()) {}

  void Run() {
    for (const OutlineSpan& span : file_.notes.spans) Span(span);
    for (const OutlineMark& mark : file_.notes.marks) {
      switch (mark.kind) {
        case OutlineMark::Kind::kDeclaration:
          Declaration(mark);
          break;
        case OutlineMark::Kind::kEnumeration:
          Enumerators(mark);
          break;
        case OutlineMark::Kind::kDirective:
          Directive(mark);
          break;
        case OutlineMark::Kind::kAssignment:
          break;
      }
    }
  }

 private:
  std::size_t LineOf(std::size_t offset) { return sink_.LineAt(offset); }

  // Functions and types with a body.
  void Span(const OutlineSpan& span) {
    while (!classes_.empty() && span.first >= classes_.back()) classes_.pop_back();
    const bool is_in_class = !classes_.empty();
    if (span.holds_others) classes_.push_back(span.end);
    if (span.body <= span.head || span.body - span.head > kLongestHead) return;
    const bool is_short = span.end - span.first <= kShownType;
    const std::string_view word = LastComponent(span.label);
    constexpr std::array<std::string_view, 4> kUnnamed = {"enum", "struct", "class", "union"};
    if (is_short) type_at_end_[span.end - 1] = span.first;
    if (IsOneOf(word, kUnnamed)) return;
    if (word.empty() || !(IsNameStart(word[0]) || word[0] == '~')) return;
    const std::string_view head = text_.substr(span.head, span.body - span.head);
    const bool is_enum = !span.holds_others && IsEnumHead(head);
    const bool is_function = !span.holds_others && !is_enum;
    if (is_function && (word.find('(') != word.npos || word[0] == '~')) return;  // TEST(A, B)
    const std::string_view name = FindName(head, word, is_function);
    if (name.empty()) return;
    const std::size_t head_end = LineOf(span.body);
    if (is_function) {
      const bool is_method = is_in_class || IsQualified(name);
      sink_.Add(is_method ? CardKind::kMethod : CardKind::kFunction, name, {},
                {span.first, head_end});
    } else {
      sink_.Add(CardKind::kType, name, {}, {span.first, is_short ? span.end - 1 : head_end});
    }
  }

  static bool IsEnumHead(std::string_view head) {
    constexpr std::array<std::string_view, 2> kBefore = {"enum", "typedef enum"};
    for (const std::string_view before : kBefore) {
      if (head.starts_with(before) && head.size() > before.size() &&
          !IsNameByte(head[before.size()])) {
        return true;
      }
    }
    return false;
  }

  bool IsQualified(std::string_view name) const {
    const std::size_t at = sink_.OffsetOf(name);
    return at > 1 && text_.substr(at - 2, 2) == "::";
  }

  void Declaration(const OutlineMark& mark) {
    std::string_view statement = text_.substr(mark.begin, mark.end - mark.begin);
    if (statement.size() > kLongestHead) return;
    const std::string_view bare = WithoutAccess(statement);
    SpotSink::Lines unit = {mark.first, 0};
    // The comment of the first member of a section is after its label.
    if (bare.size() < statement.size() && !bare.empty()) unit.first = LineOf(sink_.OffsetOf(bare));
    unit.last = LineOf(mark.end);
    statement = WithoutTemplate(bare);
    const std::size_t open = statement.find('(');
    const std::size_t equals = statement.find('=');
    // Classes have many aliases for their own use; those that others need are described.
    const bool is_described = !mark.is_in_class || unit.first < LineOf(mark.begin);
    if (statement.starts_with("typedef")) return is_described ? Typedef(statement, unit) : void();
    if (statement.starts_with("using ")) {
      return is_described ? Using(statement, equals, unit) : void();
    }
    constexpr std::array<std::string_view, 3> kNot = {"friend ", "extern template", "return "};
    for (const std::string_view word : kNot) {
      if (statement.starts_with(word)) return;
    }
    if (open != statement.npos && open < equals) {
      if (Function(statement, mark, unit)) return;
    }
    if (equals != statement.npos || statement.find('{') != statement.npos) {
      return Constant(statement, unit);
    }
    AfterBody(statement, mark, unit);
  }

  // "template <int n = 4> int f()" is "int f()".
  static std::string_view WithoutTemplate(std::string_view statement) {
    while (statement.starts_with("template")) {
      int depth = 0;
      int parens = 0;
      std::size_t at = std::min(statement.find('<'), statement.size());
      for (; at < statement.size(); ++at) {
        const char c = statement[at];
        if (c == '(') ++parens;
        if (c == ')') --parens;
        if (parens > 0) continue;
        if (c == '<') ++depth;
        if (c == '>' && statement[at - 1] != '-' && --depth == 0) break;
      }
      if (at >= statement.size()) return statement;
      statement = Trim(statement.substr(at + 1));
    }
    return statement;
  }

  // "public: int x" is "int x".
  static std::string_view WithoutAccess(std::string_view statement) {
    for (const std::string_view word : {"public:", "private:", "protected:"}) {
      if (statement.starts_with(word)) return Trim(statement.substr(word.size()));
    }
    return statement;
  }

  bool Function(std::string_view statement, const OutlineMark& mark, SpotSink::Lines unit) {
    const passages::BraceHeader header = passages::ReadBraceHeader(statement);
    if (header.kind != BraceKind::kFunction || header.name.empty()) return false;
    const bool is_macro = header.name.find('(') != std::string::npos;
    if (is_macro || header.name.find("DEFINE_") != std::string::npos) return Flag(statement, unit);
    const std::string_view word = LastComponent(header.name);
    if (!IsNameStart(word[0]) || word == "static_assert" || word.starts_with("operator")) {
      return true;
    }
    const std::string_view name = FindName(statement, word, true);
    if (name.empty()) return true;
    const std::size_t open =
        statement.find('(', static_cast<std::size_t>(name.data() + name.size() - statement.data()));
    const char first = open + 1 < statement.size() ? statement[open + 1] : ')';
    if (IsDigit(first) || first == '"' || first == '-') return true;  // "Foo bar(3)"
    if (Trim(statement.substr(0, static_cast<std::size_t>(name.data() - statement.data())))
            .empty()) {
      return true;  // a constructor, or a macro
    }
    sink_.Add(mark.is_in_class ? CardKind::kMethod : CardKind::kFunction, name, {}, unit);
    return true;
  }

  // DEFINE_bool(x, true, "…"), ABSL_FLAG(bool, x, true, "…")
  bool Flag(std::string_view statement, SpotSink::Lines unit) {
    const std::size_t open = statement.find('(');
    const std::string_view macro = Trim(statement.substr(0, open));
    const bool is_absl = macro == "ABSL_FLAG";
    if (!is_absl && macro.find("DEFINE_") == macro.npos) return true;
    const std::vector<std::string_view> arguments =
        CallArguments(text_, sink_.OffsetOf(statement) + open);
    const std::size_t at = is_absl ? 1 : 0;
    const bool is_flag = arguments.size() >= at + 3 && arguments.back().starts_with('"');
    if (is_flag && !arguments[at].empty() && IsNameStart(arguments[at][0])) {
      sink_.Add(CardKind::kOption, arguments[at], arguments[at + 1], unit);
    }
    return true;
  }

  void Typedef(std::string_view statement, SpotSink::Lines unit) {
    std::string_view name;
    if (const std::size_t pointer = statement.find("(*"); pointer != statement.npos) {
      const std::size_t end = std::min(statement.find(')', pointer), statement.size());
      name = LastName(statement.substr(pointer, end - pointer));
    } else {
      name = LastName(statement.substr(0, statement.find('[')));
    }
    if (!name.empty() && name != "typedef") sink_.Add(CardKind::kType, name, {}, unit);
  }

  void Using(std::string_view statement, std::size_t equals, SpotSink::Lines unit) {
    if (equals == statement.npos) return;
    const std::string_view name = LastName(statement.substr(0, equals));
    if (!name.empty() && name != "using") {
      sink_.Add(CardKind::kType, name, statement.substr(equals + 1), unit);
    }
  }

  // "static constexpr int kDepth = 4", "int depth{4}"
  void Constant(std::string_view statement, SpotSink::Lines unit) {
    const std::size_t sign = std::min(statement.find('='), statement.find('{'));
    if (sign == statement.npos || sign + 1 >= statement.size()) return;
    if (statement[sign] == '=' && statement[sign + 1] == '=') return;
    std::string_view left = Trim(statement.substr(0, sign));
    left = left.substr(0, left.find('['));
    const std::string_view name = LastName(left);
    if (name.empty() || !left.ends_with(name) || name.size() == left.size()) return;
    if (name == "operator" || IsDigit(name[0])) return;
    std::string_view value = Trim(statement.substr(sign + 1));
    if (statement[sign] == '{') value = Trim(value.substr(0, value.find('}')));
    if (value.empty() || value == "delete" || value == "default") return;
    // A long initialiser is a table, and its first lines say little.
    unit.last = std::min(unit.last, unit.first + kShownMacro);
    sink_.Add(CardKind::kAssignment, name, value, unit);
  }

  // "typedef struct { … } Name;": the name is a separate statement here.
  void AfterBody(std::string_view statement, const OutlineMark& mark, SpotSink::Lines unit) {
    if (statement.empty() || LastName(statement) != statement || IsDigit(statement[0])) return;
    std::size_t before = mark.begin;
    while (before > 0 && IsBlank(text_[before - 1])) --before;
    if (before == 0 || text_[before - 1] != '}') return;
    const std::size_t close = LineOf(before - 1);
    const auto body = type_at_end_.find(close);
    sink_.Add(CardKind::kType, statement, {},
              {body == type_at_end_.end() ? close : body->second, unit.last});
  }

  void Directive(const OutlineMark& mark) {
    std::string_view rest = Trim(text_.substr(mark.begin, mark.end - mark.begin));
    const SpotSink::Lines unit = {mark.first,
                                  LineOf(mark.end > mark.begin ? mark.end - 1 : mark.begin)};
    if (rest.starts_with("error")) {
      rest = Trim(rest.substr(5));
      if (rest.starts_with('"') && rest.ends_with('"') && rest.size() > 2) {
        rest = rest.substr(1, rest.size() - 2);
      }
      if (rest.size() > 3)
        sink_.Add(CardKind::kErrorText, rest.substr(0, rest.find('\n')), {}, unit);
      return;
    }
    rest = Trim(rest.substr(std::min<std::size_t>(6, rest.size())));
    std::size_t length = 0;
    while (length < rest.size() && IsNameByte(rest[length])) ++length;
    const std::string_view name = rest.substr(0, length);
    if (name.size() < 2) return;
    std::string_view value = rest.substr(length);
    if (value.starts_with('(')) {
      value = {};
    } else {
      value = Trim(value);
      const std::size_t comment = std::min(value.find("//"), value.find("/*"));
      value = Trim(value.substr(0, comment));
      if (value.empty() && IsGuard(name)) return;
      // "#define f PREFIX(f)" only spells what is defined elsewhere.
      if (value.find(name) != value.npos) return;
    }
    if (value.find('\n') != value.npos) value = {};
    const bool is_error = !value.empty() && HoldsIgnoringCase(name, "error") &&
                          (IsDigit(value[0]) || value[0] == '-' || value[0] == '(');
    sink_.Add(is_error ? CardKind::kErrorCode : CardKind::kMacro, name, value,
              {unit.first, std::min(unit.last, unit.first + kShownMacro)});
  }

  static bool IsGuard(std::string_view name) {
    constexpr std::array<std::string_view, 8> kEnds = {"_H",   "_H_",   "_H__",     "_HPP",
                                                       "_CUH", "_HPP_", "INCLUDED", "_CUH_"};
    return std::any_of(kEnds.begin(), kEnds.end(),
                       [&](std::string_view end) { return name.ends_with(end); });
  }

  // One enumerator after the other, with the comment above it and on its line.
  void Enumerators(const OutlineMark& mark) {
    const std::string_view body = text_.substr(mark.begin, mark.end - mark.begin);
    const bool is_error_enum = IsErrorEnum(mark.begin);
    std::size_t comment = body.npos;  // where the comment above starts
    for (std::size_t at = 0; at < body.size();) {
      const char c = body[at];
      if (c == '/' && at + 1 < body.size() && (body[at + 1] == '/' || body[at + 1] == '*')) {
        if (comment == body.npos) comment = at;
        at = EndOfComment(body, at);
      } else if (c == '#') {
        at = std::min(body.find('\n', at), body.size());
        comment = body.npos;
      } else if (IsNameStart(c)) {
        at = Enumerator(body, at, comment, is_error_enum);
        comment = body.npos;
      } else {
        ++at;
      }
    }
  }

  static std::size_t EndOfComment(std::string_view text, std::size_t at) {
    if (text[at + 1] == '/') return std::min(text.find('\n', at), text.size());
    const std::size_t close = text.find("*/", at + 2);
    return close == text.npos ? text.size() : close + 2;
  }

  std::size_t Enumerator(std::string_view body, std::size_t at, std::size_t comment,
                         bool is_error_enum) {
    std::size_t end = at;
    while (end < body.size() && IsNameByte(body[end])) ++end;
    const std::string_view name = body.substr(at, end - at);
    int depth = 0;
    std::size_t stop = end;
    for (; stop < body.size(); ++stop) {
      const char c = body[stop];
      if (c == '(' || c == '{' || c == '[') ++depth;
      if (c == ')' || c == '}' || c == ']') --depth;
      if (c == ',' && depth <= 0) break;
      if (c == '/' && stop + 1 < body.size() && (body[stop + 1] == '/' || body[stop + 1] == '*')) {
        if (depth <= 0) break;
        stop = EndOfComment(body, stop) - 1;
      }
    }
    const std::string_view assigned = Trim(body.substr(end, stop - end));
    const std::string_view value =
        assigned.starts_with('=') ? Trim(assigned.substr(1)) : std::string_view();
    const std::size_t offset = sink_.OffsetOf(name);
    const std::size_t line = LineOf(offset);
    // A comment on the line belongs to the name before it.
    std::size_t after = stop < body.size() && body[stop] == ',' ? stop + 1 : stop;
    while (after < body.size() && (body[after] == ' ' || body[after] == '\t')) ++after;
    std::size_t last = line;
    std::size_t next = stop < body.size() && body[stop] == ',' ? stop + 1 : stop;
    if (after + 1 < body.size() && body[after] == '/' &&
        (body[after + 1] == '/' || body[after + 1] == '*')) {
      next = EndOfComment(body, after);
      last = sink_.lines().LineAtFrom(line, offset + (next - at) - 1);
    }
    const std::size_t first =
        comment == body.npos ? line : sink_.LineAt(sink_.OffsetOf(body.substr(comment, 1)));
    const bool is_error =
        is_error_enum || name.find("ERROR") != name.npos || name.find("Error") != name.npos;
    sink_.Add(is_error ? CardKind::kErrorCode : CardKind::kEnumerator, name, value,
              {first, std::max(line, last)});
    return std::max(next, end);
  }

  // Of the enum whose brace is before `body`: by its name before or after it.
  bool IsErrorEnum(std::size_t body) const {
    constexpr std::size_t kReach = 100;
    const std::size_t from = body > kReach ? body - kReach : 0;
    std::string_view head = text_.substr(from, body - from);
    const std::size_t start = head.rfind("enum");
    if (start == head.npos) return false;
    head = head.substr(start);
    return HoldsIgnoringCase(head, "error") || HoldsIgnoringCase(head, "result") ||
           HoldsIgnoringCase(head, "status");
  }

  const SpottedFile& file_;
  SpotSink& sink_;
  std::string_view text_;
  std::vector<std::size_t> classes_;                          // where the classes around a span end
  std::unordered_map<std::size_t, std::size_t> type_at_end_;  // last line to first
};

}  // namespace

void SpotC(const SpottedFile& file, SpotSink& sink) { CSpotter(file, sink).Run(); }

}  // namespace sibyl::cards
