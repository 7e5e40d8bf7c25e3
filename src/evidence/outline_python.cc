// SPDX-License-Identifier: Apache-2.0
// Functions and classes of Python, by indentation.
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "evidence/outline.h"

namespace sibyl::evidence {
namespace {

constexpr std::array<bool, 256> MakeStops() {
  std::array<bool, 256> stops{};
  for (const char letter : {'#', '(', ')', '[', ']', '{', '}', '"', '\''}) {
    stops[static_cast<unsigned char>(letter)] = true;
  }
  return stops;
}
constexpr std::array<bool, 256> kStops = MakeStops();

/// Follows brackets and triple-quoted strings from line to line: inside them
/// indentation means nothing.
class PythonState {
 public:
  bool InsideStatement() const { return quote_ != '\0' || depth_ > 0; }

  void Read(std::string_view line) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (quote_ != '\0') {
        i = EndOfString(line, i);
        continue;
      }
      if (!kStops[static_cast<unsigned char>(line[i])]) continue;
      switch (line[i]) {
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
          i = StartString(line, i);
          break;
        default:
          break;
      }
    }
    // A string in single quotes ends with its line, whatever it says.
    if (!triple_) quote_ = '\0';
  }

 private:
  std::size_t StartString(std::string_view line, std::size_t i) {
    quote_ = line[i];
    triple_ = line.substr(i).starts_with(quote_ == '"' ? "\"\"\"" : "'''");
    return triple_ ? i + 2 : i;
  }

  std::size_t EndOfString(std::string_view line, std::size_t i) {
    for (; i < line.size(); ++i) {
      if (line[i] == '\\') {
        ++i;
      } else if (line[i] == quote_) {
        if (!triple_) break;
        if (line.substr(i).starts_with(quote_ == '"' ? "\"\"\"" : "'''")) {
          i += 2;
          break;
        }
      }
    }
    if (i >= line.size()) return line.size();
    quote_ = '\0';
    return i;
  }

  char quote_ = '\0';
  bool triple_ = false;
  int depth_ = 0;
};

struct Open {
  std::size_t indent;
  std::size_t span;  // into the outline
  bool is_class;
};

bool IsNameLetter(char letter) {
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
    while (begin > 0 && IsNameLetter(code[begin - 1])) --begin;
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
  const auto end = std::find_if_not(code.begin(), code.end(), IsNameLetter);
  start.name = code.substr(0, static_cast<std::size_t>(end - code.begin()));
  return start;
}

class PythonOutline {
 public:
  explicit PythonOutline(const LineTable& lines) : lines_(lines) {}

  std::vector<OutlineSpan> Run() {
    for (std::size_t i = 0; i < lines_.count(); ++i) {
      const std::string_view line = lines_.text(i);
      if (state_.InsideStatement()) {
        last_code_ = i;
      } else {
        ReadStart(i, line);
      }
      state_.Read(line);
    }
    Close(0, last_code_ + 1);
    return std::move(spans_);
  }

 private:
  void ReadStart(std::size_t number, std::string_view line) {
    const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
    const std::string_view code = line.substr(indent);
    if (code.empty() || code.front() == '#') {
      if (!code.empty()) return NoteLead(number, indent);
      lead_.reset();
      return;
    }
    Close(indent, last_code_ + 1);
    last_code_ = number;
    if (code.front() == '@') return NoteLead(number, indent);
    const Start start = DefinitionStart(Trim(code));
    // A function inside a function is part of it.
    const bool inside_function = !open_.empty() && !open_.back().is_class;
    if (!start.name.empty() && !inside_function) {
      const std::size_t first = lead_ && lead_->second == indent ? lead_->first : number;
      const std::string parent = open_.empty() ? "" : spans_[open_.back().span].label + ".";
      open_.push_back({indent, spans_.size(), start.is_class});
      spans_.push_back({first, number + 1, parent + std::string(start.name), start.is_class});
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
};

}  // namespace

std::vector<OutlineSpan> OutlinePython(const LineTable& lines) {
  return PythonOutline(lines).Run();
}

}  // namespace sibyl::evidence
