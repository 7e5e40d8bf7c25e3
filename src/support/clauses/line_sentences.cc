// SPDX-License-Identifier: Apache-2.0
#include "support/clauses/line_sentences.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"

namespace sibyl::support {
namespace {

// "depth = 4", "depth: 4": a name with its value.
bool IsEntry(std::string_view trimmed) {
  std::size_t end = 0;
  while (end < trimmed.size() && (IsNameByte(trimmed[end]) || trimmed[end] == '.')) ++end;
  std::size_t sign = end;
  while (sign < trimmed.size() && trimmed[sign] == ' ') ++sign;
  if (end < 2 || sign >= trimmed.size()) return false;
  if (trimmed[sign] != '=' && (trimmed[sign] != ':' || sign != end)) return false;
  const std::string_view value = Trim(trimmed.substr(sign + 1));
  return !value.empty() && value.find(' ') == std::string_view::npos;
}

bool LooksLikeCode(std::string_view line) {
  for (const std::string_view mark : {"//", "# ", "/*", "* ", "- ", "\"\"\""}) {
    if (Trim(line).starts_with(mark)) return false;
  }
  // "set(X y)", "if(X)"
  const std::string_view trimmed = Trim(line);
  if (IsEntry(trimmed)) return true;
  const std::size_t name = trimmed.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
  if (name != std::string_view::npos && name > 0 && trimmed[name] == '(') return true;
  constexpr std::size_t kMostSigns = 2;
  const auto signs = std::count_if(line.begin(), line.end(), [](char c) {
    return std::string_view("(){}[];=<>&|$").find(c) != std::string_view::npos;
  });
  const bool ends_as_code =
      signs > 0 && std::string_view(";{}(,").find(Trim(line).back()) != std::string_view::npos;
  return static_cast<std::size_t>(signs) > kMostSigns || ends_as_code;
}

// A list item, a heading, a row, a field of documentation.
bool StartsAnother(std::string_view line) {
  line = Trim(line);
  while (!line.empty() && (line[0] == '/' || line[0] == '*' || line[0] == '#')) {
    line = Trim(line.substr(1));
  }
  if (line.empty()) return true;
  return std::string_view("-+|@\\:`").find(line[0]) != std::string_view::npos &&
         !line.starts_with("``");
}

// What is between two words: the end of a sentence?
bool EndsSentence(std::string_view between, std::string_view text, std::size_t next) {
  for (std::size_t i = 0; i < between.size(); ++i) {
    const bool is_last = i + 1 == between.size();
    if (between[i] == '|') return true;
    const bool is_stop = between[i] == '.' || between[i] == '!' || between[i] == '?';
    if (is_stop && !is_last && IsBlank(between[i + 1]) && !IsLower(text[next])) return true;
  }
  const std::size_t line_end = between.find('\n');
  if (line_end == std::string_view::npos) return false;
  const std::size_t begin = text.rfind('\n', next) + 1;
  const std::string_view line =
      text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
  const bool has_blank_line = between.find("\n\n") != std::string_view::npos;
  // A comment below "depth = 4" is about what follows.
  const std::size_t last = next - between.size() + line_end;
  const std::size_t above = last == 0 ? 0 : text.rfind('\n', last - 1) + 1;
  if (IsEntry(Trim(text.substr(above, last - above)))) return true;
  return has_blank_line || LooksLikeCode(line) || StartsAnother(line);
}

bool MayDeny(const Token& token) {
  constexpr std::array<std::string_view, 47> kWords = {
      "prohibited", "forbidden", "elided",      "violating", "dropped",   "stops",    "illegal",
      "instead",    "rather",    "except",      "unlike",    "ignored",   "ignores",  "ignore",
      "skips",      "skipped",   "skip",        "fails",     "fail",      "failed",   "error",
      "prevents",   "prevent",   "avoid",       "avoids",    "only",      "disabled", "disable",
      "disables",   "off",       "false",       "else",      "otherwise", "unless",   "missing",
      "empty",      "null",      "none",        "nullptr",   "invalid",   "rejected", "refuse",
      "refused",    "undefined", "unsupported", "different", "deprecated"};
  if (token.is_negation || IsOneOf(token.lower, kWords)) return true;
  if (DeniesByPrefix(token.lower)) return true;
  return std::any_of(token.parts.begin(), token.parts.end(), [](const std::string& part) {
    return part == "no" || part == "not" || part == "disabl" || part == "skip";
  });
}

}  // namespace

LineSentences::LineSentences(std::string_view text, const std::vector<Token>& tokens) {
  positions_.reserve(tokens.size());
  of_token_.reserve(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::size_t before = i == 0 ? 0 : tokens[i - 1].end;
    const std::string_view between = text.substr(before, tokens[i].begin - before);
    if (i == 0 || EndsSentence(between, text, tokens[i].begin)) {
      // On the same line as the one before: it is of the same kind.
      bool is_code = !all_.empty() && all_.back().is_code;
      if (i == 0 || between.find('\n') != std::string_view::npos) {
        const std::size_t line = text.rfind('\n', tokens[i].begin) + 1;
        is_code =
            LooksLikeCode(text.substr(line, std::min(text.find('\n', line), text.size()) - line));
      }
      all_.push_back({.begin = i, .end = i, .is_code = is_code});
    }
    Sentence& sentence = all_.back();
    sentence.end = i + 1;
    sentence.denies =
        sentence.denies || MayDeny(tokens[i]) || between.find('!') != std::string_view::npos;
    positions_.push_back(tokens[i].position);
    of_token_.push_back(static_cast<std::uint32_t>(all_.size() - 1));
  }
}

std::size_t LineSentences::TokenAt(std::uint32_t position) const {
  const auto after = std::upper_bound(positions_.begin(), positions_.end(), position);
  return after == positions_.begin() ? 0 : static_cast<std::size_t>(after - positions_.begin()) - 1;
}

std::size_t LineSentences::At(std::uint32_t position) const {
  return of_token_.empty() ? 0 : of_token_[TokenAt(position)];
}

}  // namespace sibyl::support
