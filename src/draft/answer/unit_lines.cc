// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/unit_lines.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/markdown/fence.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "draft/extract/prose.h"

namespace sibyl::draft {
namespace {

constexpr std::array<std::string_view, 10> kHashLanguages = {
    "cmake", "shell", "dockerfile", "make", "yaml", "toml", "ini", "starlark", "perl", "ruby"};
constexpr std::array<std::string_view, 8> kCLanguages = {"c",    "c++",        "cuda",       "java",
                                                         "rust", "javascript", "typescript", "go"};

bool IsUnderline(std::string_view words) {
  constexpr std::string_view kMarks = "=-~^*#+\"'`.:_";
  return words.size() >= 3 && kMarks.find(words[0]) != std::string_view::npos &&
         words.find_first_not_of(words[0]) == std::string_view::npos;
}

bool IsListItem(std::string_view words) {
  if (words.size() < 2) return false;
  if ((words[0] == '-' || words[0] == '*' || words[0] == '+') && words[1] == ' ') return true;
  const std::size_t digits = words.find_first_not_of("0123456789");
  return digits != std::string_view::npos && digits > 0 && digits < 4 &&
         (words[digits] == '.' || words[digits] == ')') && digits + 1 < words.size() &&
         words[digits + 1] == ' ';
}

// ":param x: …", "\param x …", "@return …", ".. option:: …".
bool IsField(std::string_view words) {
  if (words.starts_with(".. ")) return true;
  if (words.size() < 3 || !IsLetter(words[1])) return false;
  if (words[0] == '\\' || words[0] == '@') return true;
  const std::size_t end = words.find(':', 1);
  return words[0] == ':' && end != std::string_view::npos && words.substr(end + 1, 1) != "`";
}

class UnitLineReader {
 public:
  UnitLineReader(std::string_view language, bool is_prose, std::string_view text)
      : language_(language),
        is_markdown_(language == "markdown"),
        is_prose_(is_prose || IsProseLanguage(language)),
        is_c_(IsOneOf(language, kCLanguages)) {
    // A passage may begin in the middle of a comment.
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    in_block_ = is_c_ && (text.find("*/") < text.find("/*") ||
                          (first != std::string_view::npos && text.substr(first, 2) == "* "));
    in_block_ = in_block_ || (language == "python" && BeginsInDocstring(text));
  }

  // Whether most words are ordinary words between blanks.
  static bool ReadsLikeText(std::string_view text) {
    std::size_t words = 0;
    std::size_t plain = 0;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = at;
      while (end < text.size() && !IsBlank(text[end])) ++end;
      std::string_view word = text.substr(at, end - at);
      at = std::max(end, at + 1);
      if (word.empty()) continue;
      if (word.back() == '.' || word.back() == ',') word.remove_suffix(1);
      ++words;
      plain += std::all_of(word.begin(), word.end(), IsLetter) ? 1 : 0;
    }
    return plain * 5 >= words * 3;
  }

  // Whether a passage of a Python file begins inside a docstring.
  static bool BeginsInDocstring(std::string_view text) {
    std::size_t quotes = 0;
    for (std::size_t at = text.find("\"\"\""); at != std::string_view::npos;
         at = text.find("\"\"\"", at + 3)) {
      ++quotes;
    }
    const std::string_view first = Trim(text.substr(0, text.find('\n')));
    constexpr std::array<std::string_view, 8> kCode = {"def ",  "class ",     "@",   "import ",
                                                       "from ", "async def ", "if ", "return"};
    const bool is_code = first.ends_with('(') || Contains(first, " = ") ||
                         std::any_of(kCode.begin(), kCode.end(), [&](std::string_view word) {
                           return first.starts_with(word);
                         });
    if (quotes == 0) return !is_code && ReadsLikeText(text);
    return quotes % 2 == 1 && !is_code && !first.starts_with("\"\"\"") &&
           !first.starts_with("r\"\"\"");
  }

  UnitLine Read(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (is_markdown_) {
      const FencePart part = fences_.Take(line);
      if (part != FencePart::kOutside) {
        UnitLine read = Make(LineRole::kCode, line, Trim(line));
        read.role = LineRole::kCode;  // also where it is blank
        read.opens_fence = part == FencePart::kOpening;
        read.closes_fence = part == FencePart::kClosing;
        return read;
      }
    }
    if (first == std::string_view::npos) return {};
    UnitLine read = ReadWords(line, Trim(line));
    read.is_mark = read.role == LineRole::kBlank;
    return read;
  }

 private:
  UnitLine ReadWords(std::string_view line, std::string_view words) {
    if (is_prose_) return ReadProse(line, words);
    if (is_c_) return ReadC(line, words);
    if (language_ == "python") return ReadPython(line, words);
    if (IsOneOf(language_, kHashLanguages)) return ReadHash(line, words);
    return Make(LineRole::kCode, line, words);
  }

  static UnitLine Make(LineRole role, std::string_view line, std::string_view words) {
    if (words.empty()) return {};
    UnitLine read{.role = role,
                  .words_view = words,
                  .indent = static_cast<std::size_t>(words.data() - line.data())};
    if (role != LineRole::kText) return read;
    read.is_row = words.starts_with('|') || words.starts_with("+-") || words.starts_with("+=");
    read.is_entry = IsListItem(words) || IsField(words);
    return read;
  }

  UnitLine ReadProse(std::string_view line, std::string_view words) const {
    if (is_markdown_ && words.starts_with('#') && line.starts_with('#')) {
      return Make(LineRole::kHeading, line, words);
    }
    if (words.starts_with("<!--") || words.starts_with("]==") || words.starts_with("#[")) return {};
    return Make(LineRole::kText, line, words);
  }

  static UnitLine Comment(std::string_view line, std::string_view words) {
    while (!words.empty() && (words[0] == '/' || words[0] == '*' || words[0] == '!' ||
                              words[0] == '<' || words[0] == '#')) {
      // "*p" and "#1" are words.
      words.remove_prefix(1);
    }
    const std::size_t end = words.find("*/");
    words = Trim(words.substr(0, end));
    if (IsUnderline(words)) return {};
    return Make(LineRole::kText, line, words);
  }

  UnitLine ReadC(std::string_view line, std::string_view words) {
    if (in_block_) {
      in_block_ = words.find("*/") == std::string_view::npos;
      return Comment(line, words);
    }
    if (words.starts_with("/*")) {
      const std::size_t end = words.find("*/");
      in_block_ = end == std::string_view::npos;
      // Code may follow the comment.
      if (!in_block_ && !Trim(words.substr(end + 2)).empty()) {
        return Make(LineRole::kCode, line, words);
      }
      return Comment(line, words);
    }
    if (words.starts_with("//")) return Comment(line, words);
    const std::size_t open = words.rfind("/*");
    in_block_ = open != std::string_view::npos && words.find("*/", open) == std::string_view::npos;
    return Make(LineRole::kCode, line, words);
  }

  UnitLine ReadPython(std::string_view line, std::string_view words) {
    for (const std::string_view quotes : {"\"\"\"", "'''"}) {
      const std::size_t at = words.find(quotes);
      if (at == std::string_view::npos) continue;
      if (in_block_) {
        in_block_ = false;
        return Make(LineRole::kText, line, Trim(words.substr(0, at)));
      }
      const std::size_t end = words.find(quotes, at + 3);
      in_block_ = end == std::string_view::npos;
      const std::string_view inner =
          Trim(words.substr(at + 3, in_block_ ? std::string_view::npos : end - at - 3));
      return Make(LineRole::kText, line, inner.empty() ? std::string_view() : inner);
    }
    if (in_block_) return Make(LineRole::kText, line, words);
    if (words.starts_with('#') && !words.starts_with("#!")) return Comment(line, words);
    return Make(LineRole::kCode, line, words);
  }

  UnitLine ReadHash(std::string_view line, std::string_view words) {
    if (language_ == "cmake") {
      if (words.starts_with("#[")) {
        in_block_ = true;
        return {};
      }
      if (in_block_) {
        in_block_ = words.find("]=") == std::string_view::npos && !words.starts_with("]]");
        return in_block_ ? Make(LineRole::kText, line, words) : UnitLine{};
      }
    }
    if (words.starts_with('#') && !words.starts_with("#!")) return Comment(line, words);
    return Make(LineRole::kCode, line, words);
  }

  std::string_view language_;
  bool is_markdown_ = false;
  bool is_prose_ = false;
  bool is_c_ = false;
  bool in_block_ = false;
  FenceTracker fences_{FenceIndent::kAny};
};

}  // namespace

std::vector<UnitLine> ReadUnitLines(std::string_view language, bool is_prose,
                                    std::string_view text) {
  std::vector<UnitLine> lines;
  const std::vector<std::string_view> all = SplitLines(text);
  lines.reserve(all.size());
  UnitLineReader reader(language, is_prose, text);
  for (const std::string_view line : all) lines.push_back(reader.Read(line));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].role != LineRole::kText || !IsUnderline(lines[i].words_view)) continue;
    lines[i].role = LineRole::kHeading;
    if (i > 0 && lines[i - 1].role == LineRole::kText && lines[i - 1].indent == lines[i].indent) {
      lines[i - 1].role = LineRole::kHeading;
    }
  }
  return lines;
}

}  // namespace sibyl::draft
