// SPDX-License-Identifier: Apache-2.0
#include "code/syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/ascii.h"
#include "base/json.h"
#include "base/strings.h"
#include "statement/folded_text.h"

namespace sibyl::code {
namespace {

char ClosingOf(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

// Brackets and literals of C-like code, in one pass.
class CReader {
 public:
  explicit CReader(std::string_view code) : code_(code) {}

  std::optional<SyntaxMistake> Read() {
    // A fragment that begins inside a comment.
    const std::size_t end = code_.find("*/");
    if (end != std::string_view::npos && end < code_.find("/*")) {
      line_ += Lines(0, end);
      at_ = end + 2;
    }
    while (at_ < code_.size()) {
      if (auto mistake = Step()) return mistake;
    }
    return std::nullopt;
  }

 private:
  struct Open {
    char bracket = '(';
    std::size_t line = 0;
  };

  SyntaxMistake At(std::size_t line, std::string message) const {
    return {.line = line, .message = std::move(message)};
  }

  bool Next(std::string_view text) const { return code_.substr(at_).starts_with(text); }

  std::optional<SyntaxMistake> Step() {
    const char c = code_[at_];
    if (c == '\n') {
      ++line_;
      ++at_;
      return std::nullopt;
    }
    if (Next("//")) return SkipLine();
    if (Next("/*")) return SkipComment();
    if (c == '#' && IsFirstOfLine()) return SkipDirective();
    if (c == '*' && IsFirstOfLine()) return SkipLine();  // a line of a comment that began before
    if (c == '"' && IsRaw()) return SkipRaw();
    if (c == '"' || (c == '\'' && !IsSeparator())) return SkipLiteral(c);
    ++at_;
    if (c == '(' || c == '[' || c == '{') open_.push_back({c, line_});
    if (c == ')' || c == ']' || c == '}') return Close(c);
    return std::nullopt;
  }

  std::optional<SyntaxMistake> Close(char bracket) {
    // A closer without an opener closes something before the fragment.
    if (open_.empty()) return std::nullopt;
    const Open open = open_.back();
    open_.pop_back();
    if (ClosingOf(open.bracket) == bracket) return std::nullopt;
    return At(line_, fmt::format("the '{}' of line {} is closed by '{}'", open.bracket, open.line,
                                 bracket));
  }

  std::optional<SyntaxMistake> SkipLine() {
    while (at_ < code_.size() && code_[at_] != '\n') {
      if (Next("\\\n")) {
        ++line_;
        ++at_;
      }
      ++at_;
    }
    return std::nullopt;
  }

  // Both branches of an #if are in the text, and each may open what only one
  // closes: after that brackets prove nothing.
  std::optional<SyntaxMistake> SkipDirective() {
    const std::string_view rest = Trim(code_.substr(at_ + 1, 16));
    if (rest.starts_with("if") || rest.starts_with("el") || rest.starts_with("define")) {
      at_ = code_.size();
      return std::nullopt;
    }
    return SkipLine();  // #error don't
  }

  std::optional<SyntaxMistake> SkipComment() {
    const std::size_t end = code_.find("*/", at_ + 2);
    if (end == std::string_view::npos) {
      at_ = code_.size();  // it may end after the fragment
      return std::nullopt;
    }
    line_ += Lines(at_, end);
    at_ = end + 2;
    return std::nullopt;
  }

  std::optional<SyntaxMistake> SkipRaw() {
    const std::size_t paren = code_.find('(', at_);
    if (paren == std::string_view::npos) {
      at_ = code_.size();
      return std::nullopt;
    }
    const std::string close = ")" + std::string(code_.substr(at_ + 1, paren - at_ - 1)) + "\"";
    const std::size_t end = code_.find(close, paren);
    const std::size_t after = end == std::string_view::npos ? code_.size() : end + close.size();
    line_ += Lines(at_, after);
    at_ = after;
    return std::nullopt;
  }

  std::optional<SyntaxMistake> SkipLiteral(char quote) {
    for (++at_; at_ < code_.size() && code_[at_] != '\n'; ++at_) {
      if (code_[at_] == quote) {
        ++at_;
        return std::nullopt;
      }
      if (code_[at_] != '\\' || at_ + 1 >= code_.size()) continue;
      ++at_;
      if (code_[at_] == '\n') ++line_;
    }
    if (at_ == code_.size()) return std::nullopt;  // the fragment ends in it
    // An apostrophe is as often one of prose that we did not recognise.
    if (quote == '\'') return std::nullopt;
    return At(line_, "unterminated string");
  }

  bool IsFirstOfLine() const {
    std::size_t begin = at_;
    while (begin > 0 && (code_[begin - 1] == ' ' || code_[begin - 1] == '\t')) --begin;
    return begin == 0 || code_[begin - 1] == '\n';
  }

  bool IsRaw() const { return at_ > 0 && code_[at_ - 1] == 'R'; }

  // 1'000'000
  bool IsSeparator() const {
    return at_ > 0 && at_ + 1 < code_.size() && statement::IsWordByte(code_[at_ - 1]) &&
           statement::IsWordByte(code_[at_ + 1]) && code_[at_ - 1] >= '0' && code_[at_ - 1] <= '9';
  }

  std::size_t Lines(std::size_t begin, std::size_t end) const {
    const std::string_view text = code_.substr(begin, end - begin);
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }

  std::string_view code_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::vector<Open> open_;
};

// The line of "… at byte 106" in the JSON parser's message; zero if there is
// none.
std::size_t LineOfByte(std::string_view code, std::string_view message) {
  constexpr std::string_view kMark = "at byte ";
  const std::size_t at = message.find(kMark);
  if (at == std::string_view::npos) return 0;
  std::size_t byte = 0;
  const std::string_view digits = message.substr(at + kMark.size());
  std::from_chars(digits.data(), digits.data() + digits.size(), byte);
  const std::string_view before = code.substr(0, byte);
  return 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
}

}  // namespace

std::optional<SyntaxMistake> FindCMistake(std::string_view code) {
  // The omitted text may contain the other bracket.
  for (const std::string_view line : SplitLines(code)) {
    if (statement::IsEllipsisLine(line)) return std::nullopt;
  }
  return CReader(code).Read();
}

bool HasPlaceholder(std::string_view code) {
  if (code.find("...") != std::string_view::npos || code.find("…") != std::string_view::npos) {
    return true;
  }
  // <version>, <path/to/x>, <your-name>: which cannot be an include or a type.
  for (std::size_t at = code.find('<'); at != std::string_view::npos; at = code.find('<', at + 1)) {
    std::size_t end = at + 1;
    while (end < code.size() && (statement::IsWordByte(code[end]) || code[end] == '-' ||
                                 code[end] == ' ' || code[end] == '/' || code[end] == '.')) {
      ++end;
    }
    if (end > at + 1 && end < code.size() && code[end] == '>' && IsLetter(code[at + 1]))
      return true;
  }
  return false;
}

bool IsJsonText(std::string_view code) {
  code = Trim(code);
  if (!code.starts_with('{') && !code.starts_with('[')) return false;
  if (HasPlaceholder(code)) return false;
  // Comments: a similar format, not JSON.
  bool in_string = false;
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (code[at] == '\\' && in_string) {
      ++at;
    } else if (code[at] == '"') {
      in_string = !in_string;
    } else if (!in_string && (code[at] == '/' || code[at] == '#')) {
      return false;
    }
  }
  return true;
}

std::optional<SyntaxMistake> FindJsonMistake(std::string_view code) {
  if (!IsJsonText(code)) return std::nullopt;
  const Result<Json> value = ParseJson(code);
  if (value.ok() || value.error().kind != ErrorKind::kCorrupt) return std::nullopt;
  const std::size_t mistake = LineOfByte(code, value.error().message);
  if (mistake == 0) return std::nullopt;  // a limit of the parser, such as its depth
  // Several values, one on each line, are JSON lines.
  for (const std::string_view line : SplitLines(code)) {
    if (Trim(line).empty()) continue;
    if (!ParseJson(line).ok()) {
      return SyntaxMistake{mistake, "invalid JSON: " + value.error().message};
    }
  }
  return std::nullopt;
}

}  // namespace sibyl::code
