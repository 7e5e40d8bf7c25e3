// SPDX-License-Identifier: Apache-2.0
#include "interface/cli/fold.h"

#include <algorithm>
#include <vector>

#include "base/hyperlink.h"
#include "base/utf8.h"

namespace sibyl::interface {
namespace {

// A word with the spaces before it; styles and links belong to the word that they touch.
struct Word {
  std::size_t spaces = 0;
  std::string_view bytes;
  std::size_t width = 0;
};

std::size_t InvisibleLength(std::string_view text) {
  const std::size_t style = StyleLength(text);
  return style > 0 ? style : LinkLength(text);
}

Word TakeWord(std::string_view& line) {
  Word word;
  word.spaces = std::min(line.find_first_not_of(' '), line.size());
  line.remove_prefix(word.spaces);
  std::size_t length = 0;
  while (length < line.size() && line[length] != ' ') {
    const std::string_view rest = line.substr(length);
    if (const std::size_t invisible = InvisibleLength(rest); invisible > 0) {
      length += invisible;
      continue;
    }
    const Utf8Character next = DecodeUtf8(rest);
    word.width += DisplayWidth(next.code_point);
    length += next.bytes;
  }
  word.bytes = line.substr(0, length);
  line.remove_prefix(length);
  return word;
}

std::vector<Word> WordsOf(std::string_view line) {
  std::vector<Word> words;
  while (!line.empty()) words.push_back(TakeWord(line));
  return words;
}

std::size_t WidthOf(const std::vector<Word>& words) {
  std::size_t width = 0;
  for (const Word& word : words) width += word.spaces + word.width;
  return width;
}

// Where further lines start: at the second column, after two or more spaces.
std::size_t IndentOf(const std::vector<Word>& words, std::size_t columns) {
  const std::size_t first = words.front().spaces;
  std::size_t column = first + words.front().width;
  for (std::size_t i = 1; i < words.size() && column < columns / 2; ++i) {
    column += words[i].spaces;
    if (words[i].spaces >= 2) return column <= columns / 2 ? column : first + 2;
    column += words[i].width;
  }
  return first + 2 <= columns / 2 ? first + 2 : 0;
}

std::string Fold(std::string_view line, std::size_t columns) {
  const std::vector<Word> words = WordsOf(line);
  if (words.empty() || WidthOf(words) <= columns) return std::string(line);
  const std::size_t indent = IndentOf(words, columns);
  std::string folded;
  std::size_t column = 0;
  bool is_first = true;
  for (const Word& word : words) {
    if (!is_first && column + word.spaces + word.width > columns && column > indent) {
      folded += '\n';
      folded.append(indent, ' ');
      column = indent;
    } else {
      folded.append(word.spaces, ' ');
      column += word.spaces;
    }
    folded += word.bytes;
    column += word.width;
    is_first = false;
  }
  return folded;
}

}  // namespace

std::size_t StyleLength(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

std::string FoldLines(std::string_view text, std::size_t columns) {
  std::string folded;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    // No line with fewer bytes is wider.
    folded +=
        end <= columns ? std::string(text.substr(0, end)) : Fold(text.substr(0, end), columns);
    if (end < text.size()) folded += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return folded;
}

}  // namespace sibyl::interface
