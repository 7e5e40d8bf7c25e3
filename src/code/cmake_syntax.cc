// SPDX-License-Identifier: Apache-2.0
// CMake's own grammar (cmake-language(7)), as far as it makes a text parse or
// not. The program `cmake` is not used: it has no mode that parses without
// running, and untrusted code could escape any wrapper.
#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/strings.h"
#include "code/syntax.h"
#include "statement/folded_text.h"

namespace sibyl::code {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kBlocks = {
    {{"if", "endif"},
     {"foreach", "endforeach"},
     {"while", "endwhile"},
     {"function", "endfunction"},
     {"macro", "endmacro"},
     {"block", "endblock"}}};

class CMakeReader {
 public:
  explicit CMakeReader(std::string_view code) : code_(code) {}

  std::optional<SyntaxMistake> Read() {
    while (!mistake_) {
      SkipBlanksAndComments();
      if (at_ >= code_.size() || mistake_) break;
      ReadCommand();
    }
    if (!mistake_ && is_whole_file_ && !leaves_out_ && !open_.empty()) {
      Fail(open_.back().second, fmt::format("{}() is not closed", open_.back().first));
    }
    return mistake_;
  }

 private:
  void Fail(std::size_t line, std::string message) {
    if (!mistake_) mistake_ = SyntaxMistake{.line = line, .message = std::move(message)};
  }

  char Peek() const { return at_ < code_.size() ? code_[at_] : '\0'; }

  void Advance() {
    if (code_[at_] == '\n') ++line_;
    ++at_;
  }

  void SkipBlanksAndComments() {
    while (at_ < code_.size()) {
      const char c = Peek();
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        Advance();
      } else if (c == '#') {
        leaves_out_ = leaves_out_ || IsEllipsisHere();
        ++at_;
        if (!SkipBracket()) SkipLine();
      } else if (IsEllipsisHere()) {
        leaves_out_ = true;
        SkipLine();
      } else {
        return;
      }
    }
  }

  // A line of dots represents omitted lines.
  bool IsEllipsisHere() const {
    const std::size_t end = code_.find('\n', at_);
    return statement::IsEllipsisLine(
        code_.substr(at_, end == std::string_view::npos ? end : end - at_));
  }

  void SkipLine() {
    while (at_ < code_.size() && code_[at_] != '\n') ++at_;
  }

  // "[==[ … ]==]"; false when there is none here.
  bool SkipBracket() {
    if (Peek() != '[') return false;
    std::size_t end = at_ + 1;
    while (end < code_.size() && code_[end] == '=') ++end;
    if (end >= code_.size() || code_[end] != '[') return false;
    const std::string close = "]" + std::string(code_.substr(at_ + 1, end - at_ - 1)) + "]";
    const std::size_t found = code_.find(close, end);
    // It may end after the fragment.
    const std::size_t after = found == std::string_view::npos ? code_.size() : found + close.size();
    while (at_ < after) Advance();
    return true;
  }

  void ReadCommand() {
    const std::size_t begin = at_;
    const std::size_t line = line_;
    while (at_ < code_.size() && IsNameByte(code_[at_])) ++at_;
    const std::string name = LowerCase(code_.substr(begin, at_ - begin));
    while (Peek() == ' ' || Peek() == '\t') ++at_;
    if (name.empty() || Peek() != '(') {
      const std::size_t end = code_.find_first_of("\r\n", begin);
      const std::string_view found = code_.substr(begin, std::min(end, begin + 40) - begin);
      Fail(line, fmt::format("not a CMake command: '{}'", Trim(found)));
      return;
    }
    ++at_;
    ReadArguments(name, line);
    Note(name, line);
  }

  void ReadArguments(const std::string& name, std::size_t line) {
    std::size_t depth = 1;
    while (at_ < code_.size() && depth > 0 && !mistake_) {
      const char c = Peek();
      if (c == '(') ++depth;
      if (c == ')') --depth;
      if (c == '"') {
        SkipString();
      } else if (c == '#') {
        ++at_;
        if (!SkipBracket()) SkipLine();
      } else if (c == '\\') {
        Advance();
        if (at_ < code_.size()) Advance();
      } else if (c != '[' || !SkipBracket()) {
        Advance();
      }
    }
    // An open argument list at the very end is where the fragment was cut.
    if (depth > 0 && is_whole_file_) Fail(line, fmt::format("{}( is not closed", name));
    while (Peek() == ' ' || Peek() == '\t') ++at_;
    const char next = Peek();
    if (depth == 0 && at_ < code_.size() && next != '\n' && next != '\r' && next != '#') {
      Fail(line_, fmt::format("unexpected text after {}(...)", name));
    }
  }

  void SkipString() {
    for (++at_; at_ < code_.size() && code_[at_] != '"'; Advance()) {
      if (code_[at_] == '\\' && at_ + 1 < code_.size()) Advance();
    }
    if (at_ < code_.size()) ++at_;
  }

  void Note(const std::string& name, std::size_t line) {
    if (name == "cmake_minimum_required" || name == "project") is_whole_file_ = true;
    if (leaves_out_) return;  // the other end may be in the omitted lines
    for (const auto& [begin, end] : kBlocks) {
      if (name == begin) open_.emplace_back(begin, line);
      if (name != end) continue;
      if (open_.empty()) {
        if (is_whole_file_) Fail(line, fmt::format("{}() closes nothing", end));
        continue;
      }
      // Which of two ends is wrong cannot be mended from outside either.
      if (open_.back().first != begin) {
        Fail(line, fmt::format("{}() closes the {}() of line {}", end, open_.back().first,
                               open_.back().second));
      }
      open_.pop_back();
    }
  }

  std::string_view code_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  bool is_whole_file_ = false;
  bool leaves_out_ = false;
  std::vector<std::pair<std::string_view, std::size_t>> open_;
  std::optional<SyntaxMistake> mistake_;
};

}  // namespace

std::optional<SyntaxMistake> FindCMakeMistake(std::string_view code) {
  return CMakeReader(code).Read();
}

}  // namespace sibyl::code
