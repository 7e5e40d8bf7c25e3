// SPDX-License-Identifier: Apache-2.0
// CMake's own grammar (cmake-language(7)), as far as it makes a text parse or
// not. The program `cmake` is not used: it has no mode that parses without
// running, and untrusted code could escape any wrapper.
#include <fmt/format.h>

#include <algorithm>
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

// Names that start a command and are never an argument at the start of a line.
constexpr std::array<std::string_view, 26> kCommands = {"set",
                                                        "unset",
                                                        "if",
                                                        "elseif",
                                                        "else",
                                                        "foreach",
                                                        "while",
                                                        "block",
                                                        "break",
                                                        "function",
                                                        "macro",
                                                        "return",
                                                        "include",
                                                        "message",
                                                        "option",
                                                        "list",
                                                        "string",
                                                        "file",
                                                        "install",
                                                        "project",
                                                        "export",
                                                        "add_test",
                                                        "math",
                                                        "get_filename_component",
                                                        "execute_process",
                                                        "cmake_minimum_required"};
constexpr std::array<std::string_view, 6> kCommandBeginnings = {"target_", "add_", "find_",
                                                                "set_",    "get_", "end"};

bool IsCommandName(std::string_view name) {
  return std::find(kCommands.begin(), kCommands.end(), name) != kCommands.end() ||
         std::any_of(kCommandBeginnings.begin(), kCommandBeginnings.end(),
                     [name](std::string_view begin) { return name.starts_with(begin); });
}

// "  set(": whether the text starts with a command.
bool StartsCommand(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  std::size_t end = 0;
  while (end < text.size() && IsNameByte(text[end])) ++end;
  return end < text.size() && text[end] == '(' && IsCommandName(LowerCase(text.substr(0, end)));
}

// Whether a line after the first one does.
bool HasCommandLine(std::string_view text) {
  for (std::size_t at = text.find('\n'); at != std::string_view::npos;
       at = text.find('\n', at + 1)) {
    if (StartsCommand(text.substr(at + 1))) return true;
  }
  return false;
}

class CMakeReader {
 public:
  CMakeReader(std::string_view code, Extent extent)
      : code_(code), is_whole_file_(extent == Extent::kWhole) {}

  std::optional<SyntaxMistake> Read() {
    while (!mistake_) {
      SkipBlanksAndComments();
      if (at_ >= code_.size() || mistake_) break;
      ReadCommand();
    }
    if (is_whole_file_ && unclosed_bracket_ > 0) Fail(unclosed_bracket_, "'[[' is not closed");
    if (is_whole_file_ && !closes_nothing_.empty()) {
      Fail(closes_nothing_line_, fmt::format("{}() without {}()", closes_nothing_, opener_of_it_));
    }
    if (is_whole_file_ && !leaves_out_ && !open_.empty()) {
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
    // In a fragment it may end after it.
    if (found == std::string_view::npos) unclosed_bracket_ = line_;
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
    bool has_command = false;
    while (at_ < code_.size() && depth > 0 && !mistake_) {
      const char c = Peek();
      if (c == '(') ++depth;
      if (c == ')') --depth;
      has_command = has_command || (c == '\n' && StartsCommand(code_.substr(at_ + 1)));
      if (c == '"') {
        SkipString();
      } else if (c == '#') {
        ++at_;
        if (!SkipBracket()) SkipLine();
      } else if (c == '\\') {
        SkipEscape();
      } else if (c != '[' || !SkipBracket()) {
        Advance();
      }
    }
    // An open argument list at the very end is where the fragment was cut, unless
    // it has taken in the commands after it.
    if (depth > 0 && (is_whole_file_ || has_command)) {
      Fail(line, fmt::format("{}( is not closed", name));
    }
    while (Peek() == ' ' || Peek() == '\t') ++at_;
    const char next = Peek();
    if (depth == 0 && at_ < code_.size() && next != '\n' && next != '\r' && next != '#') {
      Fail(line_, fmt::format("unexpected text after {}(...)", name));
    }
  }

  void SkipString() {
    const std::size_t begin = at_;
    const std::size_t line = line_;
    ++at_;
    while (at_ < code_.size() && code_[at_] != '"') {
      if (code_[at_] == '\\') {
        SkipEscape();
      } else {
        Advance();
      }
    }
    const bool is_closed = at_ < code_.size();
    if (is_closed) ++at_;
    // A string that takes in commands, and ends in the middle of an argument or not
    // at all, began with a quote too many.
    const bool is_separated =
        is_closed && (at_ == code_.size() ||
                      std::string_view(" \t\r\n();#").find(code_[at_]) != std::string_view::npos);
    if (!is_separated && HasCommandLine(code_.substr(begin, at_ - begin))) {
      Fail(line, "unterminated string");
    }
  }

  // "\n", "\t", "\r", "\;" and any character that is not a letter or digit.
  void SkipEscape() {
    Advance();
    if (at_ >= code_.size()) return;
    const char c = code_[at_];
    if (IsAlphanumeric(c) && c != 'n' && c != 't' && c != 'r') {
      Fail(line_, fmt::format("invalid escape '\\{}'; write '\\\\' for a backslash", c));
    }
    Advance();
  }

  void Note(const std::string& name, std::size_t line) {
    if (name == "cmake_minimum_required" || name == "project") is_whole_file_ = true;
    if (leaves_out_) return;  // the other end may be in the omitted lines
    if (name == "else" || name == "elseif") NoteElse(name, line);
    for (const auto& [begin, end] : kBlocks) {
      if (name == begin) open_.emplace_back(begin, line);
      if (name != end) continue;
      if (open_.empty()) {
        NoteLonely(end, begin, line);
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

  void NoteElse(const std::string& name, std::size_t line) {
    if (open_.empty()) {
      NoteLonely(name == "else" ? "else" : "elseif", "if", line);
    } else if (open_.back().first != "if") {
      Fail(line, fmt::format("{}() in the {}() of line {}", name, open_.back().first,
                             open_.back().second));
    }
  }

  // What it belongs to may be before a fragment; whether this is one is known at
  // the end.
  void NoteLonely(std::string_view name, std::string_view opener, std::size_t line) {
    if (!closes_nothing_.empty()) return;
    closes_nothing_ = name;
    opener_of_it_ = opener;
    closes_nothing_line_ = line;
  }

  std::string_view code_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  bool is_whole_file_;
  bool leaves_out_ = false;
  std::vector<std::pair<std::string_view, std::size_t>> open_;
  std::string_view closes_nothing_;  // the first endif() or so without an if()
  std::string_view opener_of_it_;
  std::size_t closes_nothing_line_ = 0;
  std::size_t unclosed_bracket_ = 0;  // its line
  std::optional<SyntaxMistake> mistake_;
};

}  // namespace

std::optional<SyntaxMistake> FindCMakeMistake(std::string_view code, Extent extent) {
  return CMakeReader(code, extent).Read();
}

}  // namespace sibyl::code
