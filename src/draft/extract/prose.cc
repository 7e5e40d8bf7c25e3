// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/prose.h"

#include <algorithm>
#include <array>

#include "base/markdown/fence.h"
#include "base/strings.h"

namespace sibyl::draft {
namespace {

bool IsMarkdown(std::string_view language) { return language == "markdown"; }
bool IsRst(std::string_view language) { return language == "rst"; }

// Comments begin with '#'.
bool HasHashComments(std::string_view language) {
  constexpr std::array<std::string_view, 10> kNames = {
      "cmake", "shell", "dockerfile", "make", "yaml", "toml", "ini", "starlark", "perl", "ruby"};
  return std::find(kNames.begin(), kNames.end(), language) != kNames.end();
}

bool IsCLike(std::string_view language) {
  constexpr std::array<std::string_view, 8> kNames = {"c",    "c++",        "cuda",       "java",
                                                      "rust", "javascript", "typescript", "go"};
  return std::find(kNames.begin(), kNames.end(), language) != kNames.end();
}

bool IsRule(std::string_view line) {
  constexpr std::string_view kRuleMarks = "=-~^*#+/\\_. |";
  return !line.empty() && line.find_first_not_of(kRuleMarks) == std::string_view::npos;
}

bool IsListMark(std::string_view line) {
  if (line.size() < 2) return false;
  if ((line[0] == '-' || line[0] == '*' || line[0] == '+') && line[1] == ' ') return true;
  const std::size_t digits = line.find_first_not_of("0123456789");
  return digits != std::string_view::npos && digits > 0 && digits < 4 &&
         (line[digits] == '.' || line[digits] == ')') && digits + 1 < line.size() &&
         line[digits + 1] == ' ';
}

std::string_view WithoutListMark(std::string_view line) {
  return IsListMark(line) ? Trim(line.substr(line.find(' '))) : line;
}

// One line of a text as prose: its words, or why it has none.
struct ProseLine {
  bool is_prose = false;
  bool begins_paragraph = false;
  std::string_view words;
};

// Goes through the lines of one text and remembers whether it is in a comment.
class LineReader {
 public:
  // A passage may begin in the middle of a comment.
  LineReader(std::string_view language, std::string_view text)
      : language_(language), in_block_(IsCLike(language) && text.find("*/") < text.find("/*")) {}

  ProseLine Read(std::string_view line) {
    if (IsMarkdown(language_)) return ReadMarkdown(line);
    if (IsRst(language_) || language_.empty() || language_ == "text") return ReadRst(line);
    if (IsCLike(language_)) return ReadC(line);
    if (language_ == "python") return ReadPython(line);
    return HasHashComments(language_) ? ReadHash(line) : ProseLine{};
  }

 private:
  static ProseLine Words(std::string_view words) {
    words = Trim(words);
    if (words.empty() || IsRule(words)) return {};
    const bool begins = IsListMark(words);
    return {.is_prose = true, .begins_paragraph = begins, .words = WithoutListMark(words)};
  }

  ProseLine ReadMarkdown(std::string_view line) {
    if (fences_.Take(line) != FencePart::kOutside) return {};
    const std::string_view words = Trim(line);
    const bool is_indented_code = line.starts_with("    ") || line.starts_with("\t");
    if (words.starts_with('#') || words.starts_with('|') || words.starts_with('<') ||
        words.starts_with("![") || words.starts_with("[!") || words.starts_with('>')) {
      return {};
    }
    if (is_indented_code && !was_prose_) return {};
    const ProseLine read = Words(words);
    was_prose_ = read.is_prose;
    return read;
  }

  ProseLine ReadRst(std::string_view line) {
    const std::string_view words = Trim(line);
    // ":param x:" is a field, ":prop_tgt:`X` is set" is a sentence.
    const bool is_field =
        words.starts_with(':') && words.substr(words.find(':', 1) + 1).substr(0, 1) != "`";
    if (words.starts_with("..") || is_field || words.starts_with(">>>") || words.starts_with('|') ||
        words.starts_with('+')) {
      return {};
    }
    return Words(words);
  }

  ProseLine ReadC(std::string_view line) {
    std::string_view words = Trim(line);
    if (in_block_) {
      const std::size_t end = words.find("*/");
      in_block_ = end == std::string_view::npos;
      words = Trim(words.substr(0, end));
      while (words.starts_with('*')) words.remove_prefix(1);
      return Comment(words);
    }
    if (words.starts_with("/*")) {
      words.remove_prefix(2);
      while (words.starts_with('*') || words.starts_with('!')) words.remove_prefix(1);
      const std::size_t end = words.find("*/");
      in_block_ = end == std::string_view::npos;
      return Comment(words.substr(0, end));
    }
    if (!words.starts_with("//")) return {};
    while (words.starts_with('/') || words.starts_with('!') || words.starts_with('<')) {
      words.remove_prefix(1);
    }
    return Comment(words);
  }

  // Doxygen's commands begin a paragraph of their own.
  static ProseLine Comment(std::string_view words) {
    words = Trim(words);
    for (const std::string_view command :
         {"\\brief ", "@brief ", "\\note ", "@note ", "\\details "}) {
      if (!words.starts_with(command)) continue;
      ProseLine line = Words(words.substr(command.size()));
      line.begins_paragraph = true;
      return line;
    }
    if (words.starts_with('\\') || words.starts_with('@')) return {};
    return Words(words);
  }

  ProseLine ReadPython(std::string_view line) {
    const std::string_view words = Trim(line);
    for (const std::string_view quotes : {"\"\"\"", "'''"}) {
      const std::size_t at = words.find(quotes);
      if (at == std::string_view::npos) continue;
      if (in_block_) {
        in_block_ = false;
        return Words(words.substr(0, at));
      }
      const bool begins =
          words.substr(0, at).find_first_not_of("rRuUbBfF") == std::string_view::npos;
      const std::size_t end = words.find(quotes, at + 3);
      in_block_ = end == std::string_view::npos;
      if (!begins) {
        // A text that is assigned is data.
        is_data_ = in_block_;
        return {};
      }
      is_data_ = false;
      return Words(words.substr(at + 3, end == std::string_view::npos ? end : end - at - 3));
    }
    if (in_block_) return is_data_ || words.starts_with(">>>") ? ProseLine{} : Words(words);
    if (!words.starts_with('#') || words.starts_with("#!")) return {};
    return Words(words.substr(std::min(words.find_first_not_of('#'), words.size())));
  }

  // CMake, shells, Dockerfiles, YAML, TOML. CMake documents its modules in
  // bracket comments.
  ProseLine ReadHash(std::string_view line) {
    std::string_view words = Trim(line);
    if (language_ == "cmake") {
      if (words.starts_with("#[")) {
        in_block_ = true;
        return {};
      }
      if (in_block_) {
        in_block_ = words.find("]=") == std::string_view::npos && !words.starts_with("]]");
        return in_block_ ? ReadRst(line) : ProseLine{};
      }
    }
    if (!words.starts_with('#') || words.starts_with("#!")) return {};
    return Words(words.substr(std::min(words.find_first_not_of('#'), words.size())));
  }

  std::string_view language_;
  bool in_block_ = false;
  bool is_data_ = false;
  bool was_prose_ = true;
  FenceTracker fences_{FenceIndent::kAny};
};

bool IsBoilerplate(std::string_view lower) {
  constexpr std::array<std::string_view, 16> kSigns = {"copyright",    "license",
                                                       "licence",      "warrant",
                                                       "redistribut",  "all rights reserved",
                                                       "todo",         "fixme",
                                                       "xxx",          "http://www.apache",
                                                       "pylint",       "noqa",
                                                       "clang-format", "as is",
                                                       "liable",       "please see the"};
  return std::any_of(kSigns.begin(), kSigns.end(), [&](std::string_view sign) {
    return lower.find(sign) != std::string_view::npos;
  });
}

struct Shape {
  std::size_t words = 0;
  std::size_t plain_words = 0;  // lower-case words of letters, as sentences have them
  std::size_t code_marks = 0;
};

Shape ShapeOf(std::string_view text) {
  Shape shape;
  constexpr std::string_view kCodeMarks = "={};<>$|\\@^~";
  for (const char c : text) shape.code_marks += kCodeMarks.find(c) != std::string_view::npos;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find(' ', at);
    if (end == std::string_view::npos) end = text.size();
    std::string_view word = text.substr(at, end - at);
    while (!word.empty() && (word.back() == ',' || word.back() == '.' || word.back() == ':')) {
      word.remove_suffix(1);
    }
    shape.words += word.empty() ? 0 : 1;
    shape.plain_words += !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || c == '-' || c == '\'';
    });
    at = end + 1;
  }
  return shape;
}

bool ReadsLikeASentence(std::string_view text) {
  constexpr std::size_t kFewestWords = 5;
  constexpr std::size_t kMostWords = 60;
  const Shape shape = ShapeOf(text);
  if (shape.words < kFewestWords || shape.words > kMostWords) return false;
  if (shape.plain_words * 2 < shape.words || shape.code_marks * 4 > shape.words) return false;
  const char first = text[0];
  const bool begins = (first >= 'A' && first <= 'Z') || first == '`' || first == '"' ||
                      (first >= 'a' && first <= 'z' && text.find('_') < text.find(' '));
  const char last = text.back();
  const bool ends = last == '.' || last == '!' || last == '?' || last == ')' ||
                    (last >= 'a' && last <= 'z') || last == '`';
  return begins && ends && text.find("://") == std::string_view::npos &&
         text.find(" <") == std::string_view::npos && text.find("::") == std::string_view::npos &&
         text.find(" = ") == std::string_view::npos && !IsBoilerplate(LowerCase(text));
}

// Collects the lines of a paragraph and cuts it into sentences.
class ParagraphCutter {
 public:
  void Add(std::string_view words, std::size_t line) {
    if (!text_.empty()) text_ += ' ';
    starts_.push_back({text_.size(), line});
    for (const char c : words) {
      if ((c == ' ' || c == '\t') && text_.ends_with(' ')) continue;
      text_ += c == '\t' ? ' ' : c;
    }
  }

  void Cut(std::vector<Sentence>& sentences) {
    std::size_t begin = 0;
    number_ = 0;
    for (std::size_t at = 0; at < text_.size(); ++at) {
      if (!EndsAt(at)) continue;
      Take(begin, at + 1, sentences);
      begin = at + 1;
    }
    Take(begin, text_.size(), sentences);
    if (!text_.empty()) ++paragraph_;
    text_.clear();
    starts_.clear();
  }

 private:
  bool EndsAt(std::size_t at) const {
    const char c = text_[at];
    if (c != '.' && c != '!' && c != '?') return false;
    if (at + 1 == text_.size()) return true;
    if (text_[at + 1] != ' ' || at + 2 >= text_.size()) return false;
    const char next = text_[at + 2];
    if (next >= 'a' && next <= 'z') return false;
    // "e.g. CUDA", "v1. 2": no end.
    const std::string_view before = std::string_view(text_).substr(0, at);
    return !before.ends_with("e.g") && !before.ends_with("i.e") && !before.ends_with("etc") &&
           !before.ends_with(" vs") && !before.ends_with(" cf");
  }

  std::size_t LineOf(std::size_t offset) const {
    std::size_t line = starts_.front().second;
    for (const auto& [start, number] : starts_) {
      if (start > offset) break;
      line = number;
    }
    return line;
  }

  void Take(std::size_t begin, std::size_t end, std::vector<Sentence>& sentences) {
    const std::size_t number = number_++;
    while (begin < end && text_[begin] == ' ') ++begin;
    while (end > begin && text_[end - 1] == ' ') --end;
    if (begin >= end) return;
    const std::string_view text = std::string_view(text_).substr(begin, end - begin);
    if (!ReadsLikeASentence(text)) return;
    sentences.push_back({.text = std::string(text),
                         .first_line = LineOf(begin),
                         .last_line = LineOf(end - 1),
                         .paragraph = paragraph_,
                         .number = number});
  }

  std::string text_;
  std::vector<std::pair<std::size_t, std::size_t>> starts_;  // offset, line
  std::size_t paragraph_ = 0;
  std::size_t number_ = 0;
};

std::string_view FirstWord(std::string_view text) {
  text = Trim(text);
  return text.substr(0, text.find_first_of(" \t{,"));
}

}  // namespace

bool IsProseLanguage(std::string_view language) {
  return language.empty() || language == "text" || IsMarkdown(language) || IsRst(language);
}

std::vector<Sentence> ReadSentences(std::string_view language, std::string_view text) {
  std::vector<Sentence> sentences;
  LineReader reader(language, text);
  ParagraphCutter cutter;
  std::size_t number = 0;
  for (const std::string_view line : SplitLines(text)) {
    ++number;
    const ProseLine read = reader.Read(line);
    if (!read.is_prose || read.begins_paragraph) cutter.Cut(sentences);
    if (read.is_prose) cutter.Add(read.words, number);
  }
  cutter.Cut(sentences);
  return sentences;
}

std::vector<FencedCode> ReadFences(std::string_view language, std::string_view text) {
  std::vector<FencedCode> fences;
  if (!IsMarkdown(language)) return fences;
  const std::vector<std::string_view> lines = SplitLines(text);
  FenceTracker tracker(FenceIndent::kAny);
  FencedCode open;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const FencePart part = tracker.Take(lines[i]);
    if (part == FencePart::kOpening) {
      const std::string_view info = ReadFence(lines[i], FenceIndent::kAny)->info;
      open = {.language = std::string(FirstWord(info)), .first_line = i + 2};
    } else if (part == FencePart::kClosing) {
      open.last_line = i;
      if (open.last_line >= open.first_line) fences.push_back(open);
    }
  }
  return fences;
}

bool Explains(std::string_view text) {
  constexpr std::array<std::string_view, 18> kSigns = {
      " is a ", " is the ", " are the ", " is used", "used to ", "allows ",
      "must ",  "should ",  "default",   "requires", " only ",   "controls",
      "specif", "means ",   "enables",   "disables", "instead",  "supports"};
  return std::any_of(kSigns.begin(), kSigns.end(), [&](std::string_view sign) {
    return text.find(sign) != std::string_view::npos;
  });
}

bool StandsAlone(std::string_view text) {
  constexpr std::array<std::string_view, 30> kGoesOn = {
      "This ",    "That ",       "These ",    "Those ",   "It ",     "Its ",    "They ",  "Thus",
      "Hence",    "Therefore",   "However",   "But ",     "And ",    "Also",    "Then ",  "Here ",
      "Note ",    "Note:",       "Otherwise", "Because ", "So ",     "Such ",   "Since ", "Once ",
      "Returns:", "The reason ", "Again",     "Instead",  "Finally", "In this "};
  const bool begins = std::none_of(kGoesOn.begin(), kGoesOn.end(),
                                   [&](std::string_view start) { return text.starts_with(start); });
  return begins && (text.ends_with('.') || text.ends_with('!'));
}

bool OpensWithOne(std::string_view text, const std::vector<std::string>& names) {
  constexpr std::size_t kOpening = 24;  // "Instances of the class ", and marks
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return text.find(name) <= kOpening; });
}

}  // namespace sibyl::draft
