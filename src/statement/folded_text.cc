// SPDX-License-Identifier: Apache-2.0
#include "statement/folded_text.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "statement/plain_character.h"

namespace sibyl::statement {
namespace {

// What a character beyond ASCII is folded to; nothing: it stays as it is.
std::optional<std::string> Plain(char32_t character) {
  switch (character) {
    case 0x2018:
    case 0x2019:
    case 0x201A:
    case 0x2032:
      return "'";
    case 0x201C:
    case 0x201D:
    case 0x201E:
    case 0x00AB:
    case 0x00BB:
    case 0x2033:
      return "\"";
    case 0x2010:
    case 0x2011:
    case 0x2012:
    case 0x2013:
    case 0x2014:
    case 0x2212:
      return "-";
    case 0x2026:
      return "...";
    default:
      if (const auto digit = RaisedDigit(character)) return std::to_string(*digit);
      return PlainForm(character);
  }
}

// The line without the marks that make it a comment, a quotation or an item.
std::string_view WithoutLeader(std::string_view line) {
  line = Trim(line);
  for (const std::string_view close : {"*/", "-->"}) {
    if (line.ends_with(close)) line = Trim(line.substr(0, line.size() - close.size()));
  }
  constexpr std::array<std::string_view, 10> kLeaders = {"<!--", "/**", "/*", "///", "//!",
                                                         "//",   "--",  "#:", ".. ", "- "};
  for (const std::string_view leader : kLeaders) {
    if (line.starts_with(leader)) return Trim(line.substr(leader.size()));
  }
  const std::size_t end = line.find_first_not_of("#*>;%");
  if (end == 0 || line.empty()) return line;
  return end == std::string_view::npos ? std::string_view() : Trim(line.substr(end));
}

// "[text](target)" and ":role:`text`": the markup around the words. Returns how
// many bytes to skip at `at`.
std::size_t MarkupAt(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongestRole = 40;
  constexpr std::size_t kLongestTarget = 2048;
  if (text.substr(at).starts_with("](")) {
    const std::size_t end = text.substr(at, kLongestTarget).find(')');
    return end == std::string_view::npos ? 0 : end + 1;
  }
  if (text[at] != ':' || (at > 0 && IsWordByte(text[at - 1]))) return 0;
  std::size_t end = at + 1;
  while (end < text.size() && end - at < kLongestRole &&
         (IsLetter(text[end]) || text[end] == '-' || text[end] == '_' || text[end] == ':')) {
    ++end;
  }
  // Rendered, the role has lost its ticks: ":policy:CMP0104".
  const bool is_role = end - at > 2 && text[end - 1] == ':' && end < text.size() &&
                       (text[end] == '`' || IsWordByte(text[end]));
  return is_role ? end - at : 0;
}

// `one " << "two` is one text. Returns how many bytes are between the two.
std::size_t JoinAt(std::string_view line, std::size_t at) {
  if (line[at] != '"') return 0;
  const std::size_t sign = line.find_first_not_of(' ', at + 1);
  if (sign == std::string_view::npos || !line.substr(sign).starts_with("<<")) return 0;
  const std::size_t next = line.find_first_not_of(' ', sign + 2);
  return next != std::string_view::npos && line[next] == '"' ? next + 1 - at : 0;
}

// The "\n" at the start or the end of a literal or a sentence in it; not that of
// C:\new.
bool IsEscapedBreak(std::string_view line, std::size_t at) {
  if (line[at] != '\\' || at + 1 >= line.size() || at == 0) return false;
  if (line[at + 1] != 'n' && line[at + 1] != 't' && line[at + 1] != 'r') return false;
  const bool ends = at + 2 < line.size() && (line[at + 2] == '"' || line[at + 2] == '\\');
  constexpr std::string_view kBefore = "\"' .!?,";
  return ends || kBefore.find(line[at - 1]) != std::string_view::npos;
}

class Folder {
 public:
  Folder(Folding folding, std::string& text, std::vector<std::size_t>& line_starts)
      : folding_(folding), text_(text), line_starts_(line_starts) {}

  void AddLine(std::string_view line) {
    line_starts_.push_back(text_.size());
    if (folding_ == Folding::kPlainCode && IsCommentLine(line)) return;
    if (folding_ == Folding::kMarks) line = JoinLiteral(WithoutLeader(line));
    for (std::size_t at = 0; at < line.size();) at += AddAt(line, at);
    blank_ = true;
  }

 private:
  // A string literal that goes on in the next line: "one " / "two" is one text.
  // Returns the line without the quotation mark that goes on.
  std::string_view JoinLiteral(std::string_view line) {
    std::string_view rest = line;
    if (rest.starts_with("<< ")) rest = Trim(rest.substr(3));  // of a stream
    if (!rest.empty() && std::string_view("fFrRbBuU").find(rest[0]) != std::string_view::npos) {
      rest.remove_prefix(1);
    }
    const bool goes_on = !rest.empty() && !text_.empty() && (rest[0] == '"' || rest[0] == '\'') &&
                         text_.back() == rest[0] && rest.find(rest[0], 1) != std::string_view::npos;
    if (!goes_on) return line;
    text_.pop_back();
    blank_ = false;
    return rest.substr(1);
  }

  // One character, or what is left out as one; how many bytes it took.
  std::size_t AddAt(std::string_view line, std::size_t at) {
    const char letter = line[at];
    if (IsBlank(letter)) {
      blank_ = true;
      return 1;
    }
    if (IsCode()) {
      Add(line.substr(at, 1));
      return 1;
    }
    if (static_cast<unsigned char>(letter) >= 0x80) {
      const Utf8Character character = DecodeUtf8(line.substr(at));
      const std::optional<std::string> plain = Plain(character.code_point);
      AddPlain(plain ? std::string_view(*plain) : line.substr(at, character.bytes));
      return character.bytes;
    }
    if (folding_ == Folding::kMarks) {
      if (const std::size_t markup = MarkupAt(line, at); markup > 0) return markup;
      if (const std::size_t join = JoinAt(line, at); join > 0) return join;
      if (IsEscapedBreak(line, at)) {
        blank_ = true;
        return 2;
      }
      if (letter == '`' || letter == '*' || letter == '[' || letter == ']') return 1;
      if (letter == '_' && IsEmphasis(line, at)) return 1;
      if (letter == '\\' && at + 1 < line.size() && !IsWordByte(line[at + 1])) return 1;
    }
    AddPlain(line.substr(at, 1));
    return 1;
  }

  // The first or last of `_should_`, not those of `my_name` and `__init__`.
  static bool IsEmphasis(std::string_view line, std::size_t at) {
    const bool after_word = at > 0 && IsWordByte(line[at - 1]);
    const bool before_word = at + 1 < line.size() && IsWordByte(line[at + 1]);
    if (after_word == before_word) return false;
    const char beside = after_word ? line[at - 1] : line[at + 1];
    if (beside == '_') return false;
    // Its other half is in the line.
    return after_word ? line.substr(0, at).find(" _") != std::string_view::npos || line[0] == '_'
                      : line.find('_', at + 1) != std::string_view::npos;
  }

  void AddPlain(std::string_view bytes) {
    if (bytes == " ") {
      blank_ = true;
      return;
    }
    // "--" and "---" are how ASCII writes a dash.
    if (bytes == "-" && !blank_ && text_.ends_with('-')) return;
    Add(bytes);
  }

  void Add(std::string_view bytes) {
    if (bytes.empty()) return;
    const bool between_words =
        !text_.empty() && IsWordByte(text_.back()) && IsWordByte(bytes.front());
    if (blank_ && !text_.empty() && (!IsCode() || between_words)) text_ += ' ';
    blank_ = false;
    text_ += bytes;
  }

  bool IsCode() const { return folding_ == Folding::kCode || folding_ == Folding::kPlainCode; }

  Folding folding_;
  std::string& text_;
  std::vector<std::size_t>& line_starts_;
  bool blank_ = false;
};

}  // namespace

FoldedText::FoldedText(std::string_view text, Folding folding) {
  text_.reserve(text.size());
  Folder folder(folding, text_, line_starts_);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    folder.AddLine(text.substr(at, end - at));
    at = end + 1;
  }
}

std::optional<std::size_t> FoldedText::Find(std::string_view piece, std::size_t from) const {
  return FindWholeWord(text_, piece, from);
}

std::size_t FoldedText::LineAt(std::size_t offset) const {
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return static_cast<std::size_t>(after - line_starts_.begin());
}

bool IsCommentLine(std::string_view line) {
  line = Trim(line);
  for (const std::string_view mark : {"//", "/*", "<!--", "--", ";", "%", "*/", "\"\"\"", "..  "}) {
    if (line.starts_with(mark)) return true;
  }
  // A line of a block comment; "*p = 1;" is none.
  if (line == "*" || line.starts_with("* ")) return true;
  if (!line.starts_with('#')) return false;
  line.remove_prefix(1);
  constexpr std::array<std::string_view, 13> kDirectives = {
      "include", "define", "undef", "if",   "ifdef",  "ifndef", "elif",
      "else",    "endif",  "error", "line", "pragma", "warning"};
  std::size_t end = 0;
  while (end < line.size() && IsLetter(line[end])) ++end;
  return std::find(kDirectives.begin(), kDirectives.end(), line.substr(0, end)) ==
         kDirectives.end();
}

bool IsEllipsisLine(std::string_view line) {
  std::size_t dots = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    constexpr std::string_view kAround = " \t\r#/*[]()<>!-;";
    if (line.substr(at).starts_with("…")) {
      dots += 3;
      at += std::string_view("…").size() - 1;
    } else if (line[at] == '.') {
      ++dots;
    } else if (kAround.find(line[at]) == std::string_view::npos) {
      return false;
    }
  }
  return dots >= 3;
}

}  // namespace sibyl::statement
