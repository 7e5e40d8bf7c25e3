// SPDX-License-Identifier: Apache-2.0
// CMake: commands with the comments before them, functions and macros whole.
#include <algorithm>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "base/stop_bytes.h"
#include "base/strings.h"
#include "passages/outline.h"

namespace sibyl::passages {
namespace {

constexpr std::size_t kMaxLabelBytes = 120;

/// One command: its lines, its name and its first argument.
struct CMakeCommand {
  std::size_t first = 0;
  std::size_t end = 0;
  std::string name;  // lower case
  std::string argument;
};

class CMakeReader {
 public:
  explicit CMakeReader(const LineTable& lines)
      : lines_(lines), text_(lines.whole()), inside_(text_) {}

  std::vector<CMakeCommand> Commands() {
    std::vector<CMakeCommand> commands;
    while (at_ < text_.size()) {
      const char letter = text_[at_];
      if (letter == '#') {
        SkipComment();
      } else if (IsNameByte(letter)) {
        ReadCommand(commands);
      } else if (letter == '"') {
        SkipQuoted();
      } else {
        ++at_;
      }
    }
    return commands;
  }

 private:
  // The closing bracket of "[==[", or empty when none opens here.
  std::string BracketClose(std::size_t at) const {
    if (at >= text_.size() || text_[at] != '[') return {};
    std::size_t equals = at + 1;
    while (equals < text_.size() && text_[equals] == '=') ++equals;
    if (equals >= text_.size() || text_[equals] != '[') return {};
    return "]" + std::string(equals - at - 1, '=') + "]";
  }

  void SkipBracket(const std::string& close) {
    const std::size_t end = text_.find(close, at_);
    at_ = end == std::string_view::npos ? text_.size() : end + close.size();
  }

  void SkipComment() {
    if (const std::string close = BracketClose(at_ + 1); !close.empty()) {
      ++at_;
      return SkipBracket(close);
    }
    at_ = std::min(text_.find('\n', at_), text_.size());
  }

  void SkipQuoted() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    at_ = std::min(at_ + 1, text_.size());
  }

  void ReadCommand(std::vector<CMakeCommand>& commands) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && IsNameByte(text_[at_])) ++at_;
    std::size_t open = at_;
    while (open < text_.size() && (text_[open] == ' ' || text_[open] == '\t')) ++open;
    if (open >= text_.size() || text_[open] != '(') return;
    line_ = lines_.LineAtFrom(line_, begin);
    CMakeCommand command{.first = line_, .name = LowerCase(text_.substr(begin, at_ - begin))};
    at_ = open + 1;
    const std::size_t inside = at_;
    SkipArguments();
    command.argument = FirstArgument(text_.substr(inside, at_ - inside));
    line_ = lines_.LineAtFrom(line_, at_ - 1);
    command.end = line_ + 1;
    commands.push_back(std::move(command));
  }

  void SkipArguments() {
    int depth = 1;
    while (depth > 0) {
      at_ = inside_.Next(at_);
      if (at_ >= text_.size()) break;
      const char letter = text_[at_];
      if (letter == '#') {
        SkipComment();
      } else if (letter == '"') {
        SkipQuoted();
      } else if (const std::string close = BracketClose(at_); !close.empty()) {
        SkipBracket(close);
      } else {
        depth += letter == '(' ? 1 : letter == ')' ? -1 : 0;
        at_ += letter == '\\' ? 2 : 1;
      }
    }
    at_ = std::min(at_, text_.size());
  }

  static std::string FirstArgument(std::string_view inside) {
    inside = Trim(inside);
    const std::size_t end = std::min(inside.find_first_of(" \t\r\n)"), inside.size());
    return std::string(inside.substr(0, std::min(end, kMaxLabelBytes)));
  }

  const LineTable& lines_;
  std::string_view text_;
  StopBytes<'#', '"', '[', '(', ')', '\\'> inside_;  // of arguments
  std::size_t at_ = 0;
  std::size_t line_ = 0;  // of the last command
};

// "function" and "macro" end with their own keyword; nothing else is nested
// here.
bool Opens(const CMakeCommand& command) {
  return command.name == "function" || command.name == "macro";
}

bool OpensBlock(const CMakeCommand& command) {
  return command.name == "if" || command.name == "foreach" || command.name == "while" ||
         command.name == "block";
}

bool ClosesBlock(const CMakeCommand& command) {
  return command.name == "endif" || command.name == "endforeach" || command.name == "endwhile" ||
         command.name == "endblock";
}

// Comment lines right above, without a blank line between.
std::size_t WithComment(const LineTable& lines, std::size_t line, std::size_t floor) {
  while (line > floor && Trim(lines.text(line - 1)).starts_with('#')) --line;
  return line;
}

// The end of the definition that commands[i] opens: the index past its end command.
std::size_t EndOfDefinition(const std::vector<CMakeCommand>& commands, std::size_t i) {
  const std::string close = "end" + commands[i].name;
  for (std::size_t j = i + 1; j < commands.size(); ++j) {
    if (commands[j].name == close) return j + 1;
    if (Opens(commands[j])) break;
  }
  return i + 1;
}

// A run: commands that follow each other without a blank line, and blocks whole.
std::size_t EndOfRun(const LineTable& lines, const std::vector<CMakeCommand>& commands,
                     std::size_t i) {
  int depth = 0;
  for (std::size_t j = i; j < commands.size(); ++j) {
    if (j > i && Opens(commands[j])) return j;
    depth += OpensBlock(commands[j]) ? 1 : ClosesBlock(commands[j]) ? -1 : 0;
    const bool apart =
        j + 1 < commands.size() && commands[j].end < lines.count() &&
        (lines.IsBlank(commands[j].end) || Trim(lines.text(commands[j].end)).starts_with('#'));
    if (depth <= 0 && apart) return j + 1;
  }
  return commands.size();
}

std::string LabelOfRun(const std::vector<CMakeCommand>& commands, std::size_t i, std::size_t end) {
  constexpr std::size_t kNamed = 3;
  std::string label;
  std::size_t named = 0;
  for (; i < end && named < kNamed; ++i) {
    if (ClosesBlock(commands[i]) || commands[i].name.starts_with("else")) continue;
    const std::string part = commands[i].name + "(" + commands[i].argument + ")";
    if (label.size() + part.size() > kMaxLabelBytes && !label.empty()) break;
    label += (label.empty() ? "" : ", ") + part;
    ++named;
  }
  return label;
}

}  // namespace

std::vector<OutlineSpan> OutlineCMake(const LineTable& lines) {
  const std::vector<CMakeCommand> commands = CMakeReader(lines).Commands();
  std::vector<OutlineSpan> spans;
  for (std::size_t i = 0; i < commands.size();) {
    const bool definition = Opens(commands[i]);
    const std::size_t end =
        definition ? EndOfDefinition(commands, i) : EndOfRun(lines, commands, i);
    const std::size_t floor = spans.empty() ? 0 : spans.back().end;
    OutlineSpan span;
    span.first = std::max(floor, WithComment(lines, commands[i].first, floor));
    span.end = commands[end - 1].end;
    span.label = definition ? commands[i].argument : LabelOfRun(commands, i, end);
    if (span.first < span.end) spans.push_back(std::move(span));
    i = end;
  }
  return spans;
}

}  // namespace sibyl::passages
