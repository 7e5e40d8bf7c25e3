// SPDX-License-Identifier: Apache-2.0
// Definitions in Python, found by the outline.
#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "cards/named_definition.h"
#include "passages/outline.h"

namespace sibyl::cards {
namespace {

std::string_view LeadingName(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && IsWordByte(text[end])) ++end;
  return text.substr(0, end);
}

// The text between the parenthesis at `open` and its partner; nothing if it is
// not closed. Strings and comments are skipped.
std::optional<std::string_view> InParentheses(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
    } else if (c == '"' || c == '\'') {
      const std::size_t close = text.find(c, i + 1);
      if (close == text.npos) return std::nullopt;
      i = close;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      if (--depth == 0) return text.substr(open + 1, i - open - 1);
    }
  }
  return std::nullopt;
}

std::vector<std::string_view> SplitArguments(std::string_view list) {
  std::vector<std::string_view> pieces;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const char c = list[i];
    if (c == '"' || c == '\'') {
      const std::size_t close = list.find(c, i + 1);
      if (close == list.npos) break;
      i = close;
    } else if (c == '#') {
      i = std::min(list.find('\n', i), list.size());
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      pieces.push_back(list.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  pieces.push_back(list.substr(begin));
  return pieces;
}

// An argument without the comments in front of it.
std::string_view Bare(std::string_view piece) {
  piece = Trim(piece);
  while (piece.starts_with('#')) {
    const std::size_t end = piece.find('\n');
    piece = end == piece.npos ? std::string_view{} : Trim(piece.substr(end));
  }
  return piece;
}

class PythonDefinitionReader {
 public:
  PythonDefinitionReader(std::string_view text, std::string_view name)
      : text_(text), name_(name), lines_(text), spans_(passages::OutlinePython(lines_)) {}

  std::vector<Definition> Run() {
    for (std::size_t i = 0; i < spans_.size() && found_.size() < kMaxNamedDefinitions; ++i) {
      const std::string_view label = spans_[i].label;
      const std::size_t dot = label.rfind('.');
      if (label.substr(dot == label.npos ? 0 : dot + 1) != name_) continue;
      Definition definition = {.begin = lines_.begin(spans_[i].first),
                               .end = lines_.end(spans_[i].end - 1)};
      if (dot != label.npos) definition.owner = std::string(label.substr(0, dot));
      if (spans_[i].holds_others) {
        ReadClass(i, definition);
      } else {
        definition.kind = DefinitionKind::kFunction;
        ReadSignature(i, definition);
      }
      definition.line = HeadLine(i) + 1;
      found_.push_back(std::move(definition));
    }
    return std::move(found_);
  }

 private:
  // The line with "def" or "class", below the decorators.
  std::size_t HeadLine(std::size_t span) const {
    for (std::size_t line = spans_[span].first; line < spans_[span].end; ++line) {
      const std::string_view code = Trim(lines_.text(line));
      if (code.starts_with("def ") || code.starts_with("class ") || code.starts_with("async ") ||
          code.starts_with("cdef ") || code.starts_with("cpdef ")) {
        return line;
      }
    }
    return spans_[span].first;
  }

  // The head in parentheses: parameters or bases.
  std::optional<std::string_view> Head(std::size_t span) const {
    const std::size_t begin = lines_.begin(HeadLine(span));
    const std::size_t end = lines_.end(spans_[span].end - 1);
    const std::string_view text = text_.substr(begin, std::min(end - begin, kMaxDefinitionBytes));
    const std::size_t open = text.find_first_of("(:");
    if (open == text.npos || text[open] != '(') return std::nullopt;
    return InParentheses(text, open);
  }

  void ReadSignature(std::size_t span, Definition& definition) const {
    const std::optional<std::string_view> head = Head(span);
    if (!head) {
      definition.has_open_parameters = true;
      return;
    }
    for (std::string_view piece : SplitArguments(*head)) {
      piece = Bare(piece);
      if (piece.starts_with("**")) definition.has_open_parameters = true;
      while (piece.starts_with('*')) piece.remove_prefix(1);
      const std::string_view name = LeadingName(Trim(piece));
      if (name.empty() || name == "self" || name == "cls") continue;
      definition.members.push_back({.kind = MemberKind::kParameter, .name = std::string(name)});
    }
  }

  void ReadClass(std::size_t span, Definition& definition) const {
    bool has_constructor = false;
    if (const std::optional<std::string_view> head = Head(span)) {
      for (std::string_view base : SplitArguments(*head)) {
        base = Bare(base);
        if (base.find('=') != base.npos || base.empty()) continue;  // metaclass=…
        definition.bases.emplace_back(Trim(base.substr(0, base.find_first_of("[(\n"))));
      }
    }
    const std::string prefix = spans_[span].label + ".";
    std::size_t inside = span + 1;
    for (; inside < spans_.size() && spans_[inside].first < spans_[span].end; ++inside) {
      const std::string_view label = spans_[inside].label;
      if (!label.starts_with(prefix)) continue;
      const std::string_view name = label.substr(prefix.size());
      if (name.find('.') != name.npos) continue;
      definition.members.push_back({.kind = MemberKind::kMethod, .name = std::string(name)});
      if (name == "__getattr__" || name == "__getattribute__") definition.has_open_members = true;
      if (name == "__init__" || name == "__new__") {
        has_constructor = true;
        ReadSignature(inside, definition);
      }
    }
    ReadFields(span, !has_constructor, definition);
  }

  // "x: int = 4" and "X = 4" in the body, "self.x = …" in the methods.
  void ReadFields(std::size_t span, bool are_parameters, Definition& definition) const {
    const std::size_t head = HeadLine(span);
    std::size_t indent = 0;
    bool in_state = false;
    for (std::size_t line = head + 1; line < spans_[span].end; ++line) {
      const std::string_view whole = lines_.text(line);
      const std::string_view code = Trim(whole);
      if (code.empty() || code.starts_with('#')) continue;
      const std::size_t here = whole.find_first_not_of(" \t");
      if (indent == 0) indent = here;
      if (code.starts_with("def ")) {
        // What is kept of an object when it is copied or written has no new members.
        in_state = code.find("state__(") != code.npos || code.find("__deepcopy__(") != code.npos ||
                   code.find("__reduce") != code.npos;
      }
      if (code.find("setattr(") != code.npos || (code.find("__dict__") != code.npos && !in_state) ||
          code.find("globals()") != code.npos) {
        definition.has_open_members = true;
      }
      const bool is_self = code.starts_with("self.");
      const std::string_view name = LeadingName(is_self ? code.substr(5) : code);
      const std::string_view rest = Trim(code.substr(name.size() + (is_self ? 5 : 0)));
      const bool is_field =
          rest.starts_with(':') || (rest.starts_with('=') && !rest.starts_with("=="));
      if (name.empty() || !is_field || (!is_self && here != indent)) continue;
      if (!is_self && (name == "else" || name == "try" || name == "finally")) continue;
      const bool is_parameter = are_parameters && !is_self && rest.starts_with(':');
      definition.members.push_back(
          {.kind = is_parameter ? MemberKind::kParameter : MemberKind::kField,
           .name = std::string(name)});
    }
  }

  std::string_view text_;
  std::string_view name_;
  passages::LineTable lines_;
  std::vector<passages::OutlineSpan> spans_;
  std::vector<Definition> found_;
};

}  // namespace

std::vector<Definition> ReadPythonDefinitionsOf(std::string_view name, std::string_view text) {
  if (!FindWholeWord(text, name)) return {};
  return PythonDefinitionReader(text, name).Run();
}

}  // namespace sibyl::cards
