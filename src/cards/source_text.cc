// SPDX-License-Identifier: Apache-2.0
#include "cards/source_text.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::cards {
namespace {

class CommentEraser {
 public:
  CommentEraser(std::string_view text, Syntax syntax)
      : text_view_(text), syntax_(syntax), result_(text) {}

  std::string Take() {
    for (std::size_t at = 0; at < text_view_.size();) {
      const std::string_view rest = text_view_.substr(at);
      if (rest[0] == '\n') starts_line_ = true;
      if (rest.starts_with("//") || IsHashComment(at)) {
        at = Erase(at, text_view_.find('\n', at));
      } else if (rest.starts_with("/*")) {
        at = EraseThrough(at, "*/", 2);
      } else if (syntax_ == Syntax::kC && starts_line_ && rest[0] == '#') {
        at = Erase(at, EndOfDirective(at));
      } else if (syntax_ == Syntax::kAny &&
                 (rest.starts_with("\"\"\"") || rest.starts_with("'''"))) {
        at = EraseThrough(at, rest.substr(0, 3), 3);
      } else if (rest[0] == '"' ||
                 (rest[0] == '\'' && (at == 0 || !IsNameByte(text_view_[at - 1])))) {
        at = EraseLiteral(at);
      } else {
        starts_line_ = starts_line_ && IsBlank(rest[0]);
        ++at;
      }
    }
    return std::move(result_);
  }

 private:
  // A directive goes on after a backslash at the end of its line.
  std::size_t EndOfDirective(std::size_t at) const {
    std::size_t end = std::min(text_view_.find('\n', at), text_view_.size());
    while (end < text_view_.size() && text_view_[end - 1] == '\\') {
      end = std::min(text_view_.find('\n', end + 1), text_view_.size());
    }
    return end;
  }

  // "# why" at the start of a line or after a blank; not "#define".
  bool IsHashComment(std::size_t at) const {
    if (text_view_[at] != '#' || syntax_ == Syntax::kC) return false;
    const bool is_free = at == 0 || IsBlank(text_view_[at - 1]);
    return is_free && (at + 1 >= text_view_.size() || IsBlank(text_view_[at + 1]) ||
                       text_view_[at + 1] == '#' || text_view_[at + 1] == '!');
  }

  std::size_t Erase(std::size_t begin, std::size_t end) {
    end = std::min(end, text_view_.size());
    for (std::size_t i = begin; i < end; ++i) {
      if (text_view_[i] != '\n') result_[i] = ' ';
    }
    return end;
  }

  std::size_t EraseThrough(std::size_t begin, std::string_view close, std::size_t open_size) {
    const std::size_t end = text_view_.find(close, begin + open_size);
    return Erase(begin, end == std::string_view::npos ? end : end + close.size());
  }

  // Its quotes stay.
  std::size_t EraseLiteral(std::size_t begin) {
    std::size_t end = begin + 1;
    while (end < text_view_.size() && text_view_[end] != text_view_[begin] &&
           text_view_[end] != '\n') {
      end += text_view_[end] == '\\' ? 2 : 1;
    }
    end = std::min(end, text_view_.size());
    Erase(begin + 1, end);
    return end + 1;
  }

  std::string_view text_view_;
  Syntax syntax_;
  bool starts_line_ = true;  // only blanks since the last line end
  std::string result_;
};

}  // namespace

std::string WithoutComments(std::string_view text, Syntax syntax) {
  return CommentEraser(text, syntax).Take();
}

std::string_view LastName(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0 && !IsNameByte(text[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && IsNameByte(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

std::vector<std::string_view> SplitList(std::string_view list) {
  std::vector<std::string_view> parts;
  std::size_t depth = 0;
  std::size_t from = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    if (c == '(' || c == '[' || c == '{' || c == '<') ++depth;
    if ((c == ')' || c == ']' || c == '}' || c == '>') && depth > 0) --depth;
    if (c != ',' || (depth > 0 && i < list.size())) continue;
    const std::string_view part = Trim(list.substr(from, i - from));
    if (!part.empty()) parts.push_back(part);
    from = i + 1;
  }
  return parts;
}

}  // namespace sibyl::cards
