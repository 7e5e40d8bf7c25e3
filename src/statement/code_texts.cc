// SPDX-License-Identifier: Apache-2.0
#include "statement/code_texts.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/strings.h"
#include "statement/folded_text.h"

namespace sibyl::statement {
namespace {

std::vector<std::string> InfoWords(std::string_view info) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : info) {
    if (IsAlphanumeric(c) || c == '+' || c == '#') {
      word += IsUpper(c) ? static_cast<char>(c + 'a' - 'A') : c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

bool IsProseLanguage(const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 8> kProse = {"text", "txt",      "plain", "plaintext",
                                                      "md",   "markdown", "rst",   "none"};
  return words.front() == "example" ||
         std::find(kProse.begin(), kProse.end(), words.front()) != kProse.end();
}

// "rm -rf /var/lib/apt/lists/*" does not open a comment.
bool HasHashComments(const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 16> kLanguages = {
      "dockerfile", "docker", "bash",   "sh", "shell", "zsh",      "console", "yaml",
      "yml",        "toml",   "python", "py", "cmake", "makefile", "make",    "ini"};
  return !words.empty() &&
         std::find(kLanguages.begin(), kLanguages.end(), words.front()) != kLanguages.end();
}

// "-gencode arch=compute_80,code=sm_80", "$ make -j8": a line of a command, no prose.
bool IsCommandLine(std::string_view trimmed) {
  if (trimmed.starts_with('-') && trimmed.size() > 1 && !IsBlank(trimmed[1])) return true;
  return trimmed.starts_with("$ ") && trimmed.find(". ") == std::string_view::npos;
}

// After the marks of a comment: "/// text */".
std::string_view WithoutMarks(std::string_view comment) {
  const std::size_t begin = comment.find_first_not_of("/*#;%-!<\" \t");
  comment = begin == comment.npos ? std::string_view() : comment.substr(begin);
  const std::size_t end = comment.find_last_not_of("*/->\" \t\r");
  return end == comment.npos ? std::string_view() : comment.substr(0, end + 1);
}

// Where a comment begins in a line, outside of strings; the end if there is none.
std::size_t CommentAt(std::string_view line, bool has_blocks) {
  char quote = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (quote != 0) {
      if (c == '\\') {
        ++at;
      } else if (c == quote) {
        quote = 0;
      }
      continue;
    }
    if (c == '"' || c == '\'') quote = c;
    const std::string_view rest = line.substr(at);
    const bool opens_block = has_blocks && rest.starts_with("/*");
    if (rest.starts_with("//") || opens_block || rest.starts_with("<!--")) {
      if (at == 0 || line[at - 1] != ':') return at;  // not of "https://"
    }
    const bool after_blank = at > 0 && IsBlank(line[at - 1]);
    if (after_blank &&
        (rest.starts_with("# ") || rest.starts_with("-- ") || rest.starts_with("; "))) {
      return at;
    }
  }
  return line.size();
}

}  // namespace

std::vector<CodeText> ReadCodeTexts(std::string_view info, std::string_view code) {
  std::vector<CodeText> texts;
  const std::vector<std::string> words = InfoWords(info);
  const bool is_example = std::find(words.begin(), words.end(), "example") != words.end();
  const bool is_prose = is_example && IsProseLanguage(words);
  const bool has_blocks = !HasHashComments(words);
  bool in_block = false;
  std::size_t number = 0;
  for (const std::string_view line : SplitLines(code)) {
    const std::string_view trimmed = Trim(line);
    std::string_view comment;
    const bool is_text = is_prose && !IsCommandLine(trimmed);
    if (is_text || in_block || (!is_prose && IsCommentLine(line))) {
      comment = trimmed;
    } else {
      comment = line.substr(CommentAt(line, has_blocks));
    }
    if (has_blocks && comment.find("/*") != comment.npos) in_block = true;
    if (trimmed.find("*/") != trimmed.npos) in_block = false;
    comment = WithoutMarks(comment);
    if (!comment.empty()) texts.push_back({.text = std::string(comment), .line = number});
    ++number;
  }
  return texts;
}

}  // namespace sibyl::statement
