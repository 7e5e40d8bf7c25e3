// SPDX-License-Identifier: Apache-2.0
#include "audit/values/default_words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "base/whole_word.h"

namespace sibyl::audit {

bool IsConditional(std::string_view text, std::size_t offset) {
  const std::string lower = LowerCase(text.substr(0, offset));
  for (const std::string_view word : {"when ", "if ", "unless ", "whenever "}) {
    const std::size_t at = lower.find(word);
    if (at != std::string::npos && (at == 0 || !IsNameByte(lower[at - 1]))) return true;
  }
  return false;
}

bool IsSetting(std::string_view text, std::size_t offset) {
  constexpr std::array<std::string_view, 26> kWords = {
      "set",     "setting", "call", "use",      "give", "using", "pass",    "passing",  "we",
      "our",     "i",       "my",   "run",      "try",  "raise", "lower",   "increase", "change",
      "changed", "tuned",   "eg",   "override", "when", "if",    "example", "their"};
  if (LowerCase(text.substr(0, offset)).find("for example") != std::string::npos) return true;
  std::string word;
  std::string before;
  for (const char c : LowerCase(text.substr(0, offset)) + " ") {
    if (IsNameByte(c)) {
      word += c;
      continue;
    }
    if (IsOneOf(word, kWords)) return true;
    // "starts with 3" is what something does.
    if (word == "with" && !before.ends_with('s')) return true;
    if (!word.empty()) before = std::move(word);
    word.clear();
  }
  return false;
}

bool IsChosen(std::string_view text, const ValueClaim& claim) {
  constexpr std::array<std::string_view, 5> kWords = {"for", "when", "if", "on", "under"};
  const std::size_t begin = claim.offset - std::min(claim.offset, claim.name.size() + 1);
  std::string_view before = Trim(text.substr(0, begin));
  std::size_t word = before.size();
  while (word > 0 && IsLetter(before[word - 1])) --word;
  return IsOneOf(LowerCase(before.substr(word)), kWords);
}

bool HasWordValue(std::string_view text) {
  constexpr std::array<std::string_view, 8> kWords = {"default", "True",  "False", "None",
                                                      "true",    "false", "\"",    "Format."};
  if (std::ranges::any_of(kWords, [&](auto word) { return text.find(word) != text.npos; })) {
    return true;
  }
  for (const std::string_view word : {"on", "off", "ON", "OFF"}) {
    if (FindWholeWord(text, word)) return true;
  }
  return false;
}

void AddPlainClasses(const statement::Statement& statement, std::vector<CodeName>& names) {
  constexpr std::size_t kShortest = 6;
  const std::string_view text = statement.text;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && IsNameByte(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    const auto capitals = std::count_if(word.begin(), word.end(), IsUpper);
    const bool is_class = word.size() >= kShortest && capitals > 1 && IsUpper(word[0]) &&
                          std::ranges::any_of(word, IsLower);
    if (is_class && !statement::IsCodeAt(statement, at)) names.push_back({std::string(word), at});
    at = std::max(end, at + 1);
  }
  std::ranges::stable_sort(names, {}, &CodeName::offset);
}

std::set<std::string> FolderWords(std::string_view text) {
  constexpr std::size_t kShortest = 4;
  std::set<std::string> words;
  std::string word;
  bool is_first = true;
  for (const char c : std::string(text) + " ") {
    if (IsNameByte(c) || c == '-') {
      word += c;
      continue;
    }
    const auto capitals = std::count_if(word.begin(), word.end(), IsUpper);
    // The first word of a sentence has a capital anyway.
    const bool is_name = capitals > 1 || (capitals == 1 && !is_first);
    if (word.size() >= kShortest && is_name) words.insert(word);
    is_first = is_first && word.empty();
    word.clear();
  }
  return words;
}

std::string_view SubjectBefore(const statement::Statements& statements, std::size_t number) {
  constexpr std::size_t kFurthest = 4;
  const statement::Statement& here = statements.all[number];
  const std::string_view text = here.text;
  const bool goes_on = text.starts_with("Its ") || text.starts_with("It ") ||
                       text.starts_with('-') || here.is_clause;
  for (std::size_t i = number; goes_on && i-- > 0 && number - i <= kFurthest;) {
    const statement::Statement& before = statements.all[i];
    if (before.heading != here.heading) break;
    if (!FolderWords(before.text).empty()) return before.text;
  }
  return {};
}

}  // namespace sibyl::audit
