// SPDX-License-Identifier: Apache-2.0
// Functions and classes of Python, by indentation.
#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/stop_bytes.h"
#include "base/strings.h"
#include "passages/outline.h"

namespace sibyl::passages {
namespace {

/// Follows brackets and triple-quoted strings from line to line: inside them
/// indentation means nothing.
class PythonState {
 public:
  explicit PythonState(std::string_view text) : text_view_(text), code_(text), string_(text) {}

  bool InsideStatement() const { return quote_ != '\0' || depth_ > 0; }

  /// The next line: bytes [begin, end), without its end mark.
  void Read(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (quote_ != '\0') {
        i = EndOfString(i, end);
        continue;
      }
      i = code_.Next(i);
      if (i >= end) break;
      switch (text_view_[i]) {
        case '#':
          return;
        case '(':
        case '[':
        case '{':
          ++depth_;
          break;
        case ')':
        case ']':
        case '}':
          depth_ = depth_ > 0 ? depth_ - 1 : 0;
          break;
        case '"':
        case '\'':
          i = StartString(i);
          break;
        default:
          break;
      }
    }
    // A string in single quotes ends with its line, whatever it says.
    if (!triple_) quote_ = '\0';
  }

 private:
  bool IsTriple(std::size_t i) const {
    return text_view_.substr(i, 3) == (quote_ == '"' ? "\"\"\"" : "'''");
  }

  std::size_t StartString(std::size_t i) {
    quote_ = text_view_[i];
    triple_ = IsTriple(i);
    return triple_ ? i + 2 : i;
  }

  // Its last letter, or the end of the line.
  std::size_t EndOfString(std::size_t i, std::size_t end) {
    for (i = string_.Next(i); i < end; i = string_.Next(i + 1)) {
      if (text_view_[i] == '\\') {
        ++i;
      } else if (text_view_[i] == quote_) {
        if (!triple_) break;
        if (IsTriple(i)) {
          i += 2;
          break;
        }
      }
    }
    if (i >= end) return end;
    quote_ = '\0';
    return i;
  }

  std::string_view text_view_;
  StopBytes<'#', '(', ')', '[', ']', '{', '}', '"', '\''> code_;
  StopBytes<'\\', '"', '\''> string_;
  char quote_ = '\0';
  bool triple_ = false;
  int depth_ = 0;
};

struct Open {
  std::size_t indent;
  std::size_t span;  // into the outline
  bool is_class;
};

bool IsPythonNameByte(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '_' ||
         static_cast<unsigned char>(letter) >= 0x80;
}

struct Start {
  std::string_view name;
  bool is_class = false;
};

Start DefinitionStart(std::string_view code) {
  Start start;
  if (code.starts_with("async ")) code = Trim(code.substr(6));
  if (code.starts_with("cpdef ") || code.starts_with("cdef ")) {
    code = code.substr(code.find(' ') + 1);
    const std::size_t paren = code.find('(');
    if (paren == std::string_view::npos || !code.ends_with(':')) return start;
    std::size_t begin = paren;
    while (begin > 0 && IsPythonNameByte(code[begin - 1])) --begin;
    start.name = code.substr(begin, paren - begin);
    return start;
  }
  if (code.starts_with("class ")) {
    start.is_class = true;
    code = Trim(code.substr(6));
  } else if (code.starts_with("def ")) {
    code = Trim(code.substr(4));
  } else {
    return start;
  }
  const auto end = std::find_if_not(code.begin(), code.end(), IsPythonNameByte);
  start.name = code.substr(0, static_cast<std::size_t>(end - code.begin()));
  return start;
}

class PythonOutline {
 public:
  PythonOutline(const LineTable& lines, std::vector<OutlineMark>* marks)
      : lines_(lines), state_(lines.whole()), marks_(marks) {}

  std::vector<OutlineSpan> Run() {
    for (std::size_t i = 0; i < lines_.count(); ++i) {
      const std::string_view line = lines_.text(i);
      if (state_.InsideStatement()) {
        last_code_ = i;
      } else {
        ReadStart(i, line);
      }
      state_.Read(lines_.begin(i), lines_.begin(i) + line.size());
    }
    Close(0, last_code_ + 1);
    return std::move(spans_);
  }

 private:
  void ReadStart(std::size_t number, std::string_view line) {
    std::size_t indent = 0;
    while (indent < line.size() && (line[indent] == ' ' || line[indent] == '\t')) ++indent;
    const std::string_view code = line.substr(indent);
    if (code.empty() || code.front() == '#') {
      if (!code.empty()) return NoteLead(number, indent);
      lead_.reset();
      return;
    }
    Close(indent, last_code_ + 1);
    last_code_ = number;
    if (code.front() == '@') return NoteLead(number, indent);
    const bool may_define = code.front() == 'd' || code.front() == 'c' || code.front() == 'a';
    const Start start = may_define ? DefinitionStart(Trim(code)) : Start{};
    // A function inside a function is part of it.
    const bool inside_function = !open_.empty() && !open_.back().is_class;
    if (!start.name.empty() && !inside_function) {
      const std::size_t first = lead_ && lead_->second == indent ? lead_->first : number;
      const std::string parent = open_.empty() ? "" : spans_[open_.back().span].label + ".";
      open_.push_back({indent, spans_.size(), start.is_class});
      spans_.push_back({first, number + 1, parent + std::string(start.name), start.is_class,
                        lines_.begin(number) + indent, 0});
    } else if (marks_ != nullptr && !inside_function && IsPythonNameByte(code.front())) {
      const std::size_t first = lead_ && lead_->second == indent ? lead_->first : number;
      const std::size_t begin = lines_.begin(number) + indent;
      marks_->push_back({.kind = OutlineMark::Kind::kAssignment,
                         .is_in_class = !open_.empty(),
                         .begin = static_cast<std::uint32_t>(begin),
                         .end = static_cast<std::uint32_t>(begin + code.size()),
                         .first = static_cast<std::uint32_t>(first)});
    }
    lead_.reset();
  }

  // Comments and decorators right above a definition belong to it.
  void NoteLead(std::size_t number, std::size_t indent) {
    if (!lead_ || lead_->second != indent) lead_ = std::pair(number, indent);
  }

  void Close(std::size_t indent, std::size_t end) {
    while (!open_.empty() && open_.back().indent >= indent) {
      OutlineSpan& span = spans_[open_.back().span];
      span.end = std::max(span.end, end);
      open_.pop_back();
    }
  }

  const LineTable& lines_;
  PythonState state_;
  std::vector<Open> open_;
  std::vector<OutlineSpan> spans_;
  std::size_t last_code_ = 0;
  std::optional<std::pair<std::size_t, std::size_t>> lead_;  // line, indent
  std::vector<OutlineMark>* marks_;                          // may be null
};

}  // namespace

std::vector<OutlineSpan> OutlinePython(const LineTable& lines, std::vector<OutlineMark>* marks) {
  return PythonOutline(lines, marks).Run();
}

}  // namespace sibyl::passages
