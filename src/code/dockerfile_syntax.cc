// SPDX-License-Identifier: Apache-2.0
// The grammar of Dockerfiles, as far as it makes a text build or not: logical
// lines, instructions, the number of arguments, here-documents, quotes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/ascii.h"
#include "base/nearest_name.h"
#include "base/strings.h"
#include "code/syntax.h"
#include "statement/folded_text.h"

namespace sibyl::code {
namespace {

constexpr std::array<std::string_view, 18> kInstructions = {
    "FROM", "RUN",     "CMD",     "LABEL",      "MAINTAINER",  "EXPOSE",
    "ENV",  "ADD",     "COPY",    "ARG",        "ENTRYPOINT",  "VOLUME",
    "USER", "WORKDIR", "ONBUILD", "STOPSIGNAL", "HEALTHCHECK", "SHELL"};

std::string UpperCase(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = IsLower(c) ? static_cast<char>(c - 'a' + 'A') : c;
  return upper;
}

std::vector<std::string_view> WordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = Trim(text); !text.empty(); text = Trim(text)) {
    words.push_back(text.substr(0, text.find_first_of(" \t")));
    text.remove_prefix(words.back().size());
  }
  return words;
}

// The words that end the here-documents of an instruction: RUN <<EOF, COPY <<-"EOT" /x,
// but not the shift of $((1<<2)).
std::vector<std::string> HereWords(std::string_view text) {
  std::vector<std::string> found;
  bool is_next = false;  // the shell allows a blank: << EOF
  for (std::string_view word : WordsOf(text)) {
    if (!is_next) {
      while (!word.empty() && IsDigit(word[0])) word.remove_prefix(1);
      if (!word.starts_with("<<") || word.starts_with("<<<")) continue;
      word.remove_prefix(2);
    }
    word.remove_prefix(std::min(word.find_first_not_of("-\"'"), word.size()));
    is_next = word.empty() && !is_next;
    std::size_t end = 0;
    while (end < word.size() && statement::IsWordByte(word[end])) ++end;
    if (end > 0) found.emplace_back(word.substr(0, end));
  }
  return found;
}

// The quote that is open at the end; '\0' if none is.
char OpenQuote(std::string_view text, char escape) {
  char open = '\0';
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == escape && open != '\'') {
      ++at;
    } else if (open != '\0' ? text[at] == open : text[at] == '"' || text[at] == '\'') {
      open = open == '\0' ? text[at] : '\0';
    }
  }
  return open;
}

class DockerfileReader {
 public:
  DockerfileReader(std::string_view code, Extent extent)
      : lines_(SplitLines(code)), is_whole_(extent == Extent::kWhole) {
    ReadDirectives();
  }

  std::optional<SyntaxMistake> Read() {
    while (at_ < lines_.size()) {
      const std::string_view line = Trim(lines_[at_]);
      if (statement::IsEllipsisLine(line)) leaves_out_ = true;
      if (line.empty() || line.starts_with('#') || statement::IsEllipsisLine(line)) {
        ++at_;
        continue;
      }
      ReadInstruction();
    }
    if (is_whole_ && !leaves_out_ && !has_from_) Fail(1, "no FROM: a Dockerfile starts with one");
    // Without an instruction it is the output of a build, or anything else.
    return is_whole_ || has_instruction_ || is_misspelt_ ? mistake_ : std::nullopt;
  }

 private:
  void Fail(std::size_t line, std::string message) {
    if (!mistake_) mistake_ = SyntaxMistake{.line = line, .message = std::move(message)};
  }

  // "# escape=`", "# syntax=…" before everything else: only a whole file has them.
  void ReadDirectives() {
    for (; at_ < lines_.size(); ++at_) {
      std::string_view line = Trim(lines_[at_]);
      const std::size_t equals = line.find('=');
      if (!line.starts_with('#') || equals == std::string_view::npos) return;
      const std::string name = LowerCase(Trim(line.substr(1, equals - 1)));
      if (name != "escape" && name != "syntax" && name != "check") return;
      if (name == "escape" && Trim(line.substr(equals + 1)) == "`") escape_ = '`';
      is_whole_ = true;
    }
  }

  // Continuations joined; comments and empty lines between them are dropped.
  std::string JoinLines() {
    std::string joined;
    bool goes_on = true;
    while (goes_on && at_ < lines_.size()) {
      std::string_view line = Trim(lines_[at_++]);
      if (!joined.empty() && (line.empty() || line.starts_with('#'))) continue;
      goes_on = line.ends_with(escape_);
      if (goes_on) line.remove_suffix(1);
      joined += std::string(line) + ' ';
    }
    is_cut_ = goes_on;
    return joined;
  }

  void ReadInstruction() {
    const std::size_t line = at_ + 1;
    const std::string joined = JoinLines();
    const std::vector<std::string_view> words = WordsOf(joined);
    if (words.empty()) return;  // a continuation of nothing
    const std::string_view word = words.front();
    const std::string name = UpperCase(word);
    if (std::find(kInstructions.begin(), kInstructions.end(), name) == kInstructions.end()) {
      if (mistake_) return;
      const std::vector<std::string> names(kInstructions.begin(), kInstructions.end());
      const auto nearest = NearestName(name, names);
      is_misspelt_ = nearest && name == word;
      Fail(line, fmt::format("'{}' is not an instruction{}", word,
                             nearest ? "; did you mean " + *nearest + "?" : ""));
      return;
    }
    has_instruction_ = true;
    const std::string_view rest =
        Trim(std::string_view(joined).substr(joined.find(word) + word.size()));
    if (name == "ONBUILD") return;
    CheckArguments(name, rest, line);
    if (name == "RUN" || name == "COPY" || name == "ADD") SkipHereDocuments(rest, line);
    // What comes before the first FROM may be in the omitted lines.
    if (is_whole_ && !has_from_ && !leaves_out_ && name != "FROM" && name != "ARG") {
      Fail(line, fmt::format("{} before FROM: a Dockerfile starts with FROM", name));
    }
    has_from_ = has_from_ || name == "FROM";
  }

  void CheckArguments(std::string_view name, std::string_view rest, std::size_t line) {
    // The fragment ends within it, or a reader is to fill it in.
    if (is_cut_ || HasPlaceholder(rest)) return;
    std::vector<std::string_view> words = WordsOf(rest);
    std::erase_if(words, [](std::string_view word) { return word.starts_with("--"); });
    if (words.empty()) return Fail(line, fmt::format("{} without an argument", name));
    const bool is_json = words[0].starts_with('[');
    if ((name == "COPY" || name == "ADD") && words.size() < 2 && !is_json) {
      return Fail(line, fmt::format("{} needs a source and a destination", name));
    }
    if (name == "FROM" && words.size() != 1 && (words.size() != 3 || UpperCase(words[1]) != "AS")) {
      return Fail(line, "FROM takes an image, or an image, AS and a name");
    }
    if (name == "ENV" && words.size() == 1 && words[0].find('=') == std::string_view::npos) {
      return Fail(line, "ENV needs a value: ENV NAME=VALUE");
    }
    if (name == "SHELL" && !is_json) return Fail(line, "SHELL takes a JSON array");
    const bool is_split = name == "ENV" || name == "LABEL" || name == "ARG";
    if (is_split && OpenQuote(rest, escape_) != '\0') {
      Fail(line, fmt::format("unterminated string in {}", name));
    }
  }

  void SkipHereDocuments(std::string_view rest, std::size_t line) {
    for (const std::string& end : HereWords(rest)) {
      while (at_ < lines_.size() && Trim(lines_[at_]) != end) ++at_;
      // In a fragment it may end after it.
      if (at_ == lines_.size() && is_whole_) {
        Fail(line, fmt::format("the here-document <<{} is not closed", end));
      }
      if (at_ < lines_.size()) ++at_;
    }
  }

  std::vector<std::string_view> lines_;
  std::size_t at_ = 0;
  char escape_ = '\\';
  bool is_whole_ = false;
  bool leaves_out_ = false;
  bool is_cut_ = false;  // the last logical line goes on after the text
  bool has_instruction_ = false;
  bool has_from_ = false;
  bool is_misspelt_ = false;  // a word in capitals that means to be an instruction
  std::optional<SyntaxMistake> mistake_;
};

}  // namespace

std::optional<SyntaxMistake> FindDockerfileMistake(std::string_view code, Extent extent) {
  return DockerfileReader(code, extent).Read();
}

}  // namespace sibyl::code
