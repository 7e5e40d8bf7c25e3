// SPDX-License-Identifier: Apache-2.0
#include "support/tokens.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::support {
namespace {

TokenKind KindOf(std::string_view word) {
  if (IsDigit(word[0])) return TokenKind::kNumber;
  std::size_t upper = 0;
  bool has_mark = false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    has_mark = has_mark || word[i] == '_' || IsDigit(word[i]) || (i > 0 && IsUpper(word[i]));
    upper += IsUpper(word[i]) ? 1 : 0;
  }
  return has_mark || upper > 1 ? TokenKind::kName : TokenKind::kWord;
}

// "GPUs", "CTAs", "IDs"
bool IsPluralOfCapitals(std::string_view word) {
  constexpr std::size_t kFewest = 3;
  return word.size() >= kFewest && word.back() == 's' &&
         std::all_of(word.begin(), word.end() - 1, IsUpper);
}

// "init" of `__init__`
std::string_view WithoutOuterMarks(std::string_view lower) {
  const std::size_t begin = lower.find_first_not_of('_');
  if (begin == std::string_view::npos) return lower;
  return lower.substr(begin, lower.find_last_not_of('_') + 1 - begin);
}

// "_not_": a word in the emphasis of Markdown.
std::string_view WithoutEmphasis(std::string_view word) {
  constexpr std::size_t kShortest = 4;
  if (word.size() < kShortest || word.front() != '_' || word.back() != '_') return word;
  const std::string_view inner = word.substr(1, word.size() - 2);
  return std::all_of(inner.begin(), inner.end(), IsLetter) ? inner : word;
}

bool IsNegation(std::string_view lower) {
  constexpr std::array<std::string_view, 15> kNegations = {
      "not", "no",  "never", "without", "cannot", "none",   "neither", "nor",
      "t",   "non", "lacks", "lack",    "hardly", "barely", "scarcely"};
  return std::find(kNegations.begin(), kNegations.end(), lower) != kNegations.end();
}

// "all-reduce", "wiki-all", "always-on"
bool IsCompound(std::string_view text, std::size_t begin, std::size_t end) {
  const bool is_before = end + 1 < text.size() && text[end] == '-' && IsNameByte(text[end + 1]);
  const bool is_after = begin > 1 && text[begin - 1] == '-' && IsNameByte(text[begin - 2]);
  return is_before || is_after;
}

// Words that begin a clause.
bool StartsClause(std::string_view lower) {
  constexpr std::array<std::string_view, 22> kWords = {
      "because", "whereas", "while",  "but",   "although", "though",  "unless", "if",
      "when",    "since",   "until",  "so",    "which",    "where",   "then",   "otherwise",
      "however", "whether", "before", "after", "and",      "whenever"};
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

}  // namespace

std::string WithoutMarks(std::string_view lower) {
  std::string name(lower);
  std::erase(name, '_');
  return name;
}

bool DeniesByPrefix(std::string_view lower) {
  if (lower.starts_with("non")) return lower != "none";
  return lower.starts_with("un") && !lower.starts_with("under") && !lower.starts_with("uni") &&
         lower != "until" && lower != "unless";
}

Token Tokenizer::Make(std::string_view text, std::size_t begin, std::size_t end) {
  constexpr std::size_t kMostKnown = 20'000;
  const std::string_view word = text.substr(begin, end - begin);
  auto known = known_.find(word);
  if (known == known_.end()) {
    if (known_.size() >= kMostKnown) known_.clear();
    known = known_.emplace(word, Read(word)).first;
  }
  Token token = known->second;
  token.begin = begin;
  token.end = end;
  if (token.is_negation && token.lower == "t") {  // of "isn't"
    token.is_negation = begin > 0 && text[begin - 1] == '\'';
  }
  return token;
}

Token Tokenizer::Read(std::string_view word) {
  word = WithoutEmphasis(word);
  Token token;
  token.kind = KindOf(word);
  index::AppendLower(word, token.lower);
  const bool is_stressed = word == "NOT" || word == "NO" || word == "NEVER";
  if (is_stressed) token.kind = TokenKind::kWord;
  token.is_negation = token.kind == TokenKind::kWord && IsNegation(token.lower);
  token.stem = IsPluralOfCapitals(word) ? token.lower.substr(0, word.size() - 1)
                                        : stems_.Of(WithoutOuterMarks(token.lower));
  token.weight = Lexicon::Ours().WeightOf(token.lower, token.stem);
  if (token.kind == TokenKind::kName) {
    cut_.clear();
    index::SplitIdentifier(word, cut_);
    for (const std::string_view part : cut_) {
      std::string lower;
      index::AppendLower(part, lower);
      std::string stem = stems_.Of(lower);
      if (cut_.size() > 1) token.parts.push_back(stem);
      // "fp16" is "fp" and "16" as well.
      const std::size_t digit = lower.find_first_of("0123456789");
      if (digit != std::string::npos && digit > 0) {
        token.parts.push_back(lower.substr(0, digit));
        token.parts.push_back(lower.substr(digit));
      }
    }
  }
  return token;
}

std::vector<Token> Tokenizer::OfStatement(std::string_view text, const std::vector<bool>& is_code) {
  std::vector<Token> tokens;
  std::uint32_t position = 0;
  std::uint32_t clause = 0;
  for (std::size_t at = 0; at < text.size() && tokens.size() < kMostWords;) {
    if (!IsNameByte(text[at])) {
      const bool in_code = at < is_code.size() && is_code[at];
      const bool ends_clause =
          std::string_view(",;:().").find(text[at]) != std::string_view::npos &&
          (at + 1 == text.size() || !IsNameByte(text[at + 1]));
      if (ends_clause && !in_code) ++clause;
      if (static_cast<unsigned char>(text[at]) == 0xE2 && !in_code) ++clause;  // dashes
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() &&
           (IsNameByte(text[end]) || (text[end] == '.' && IsDigit(text[at]) &&
                                      end + 1 < text.size() && IsDigit(text[end + 1])))) {
      ++end;
    }
    Token token = Make(text, at, end);
    token.in_code = at < is_code.size() && is_code[at];
    token.in_compound = IsCompound(text, at, end);
    if (!token.in_code && StartsClause(token.lower)) ++clause;
    token.clause = clause;
    token.position = ++position;
    tokens.push_back(std::move(token));
    at = end;
  }
  return tokens;
}

std::vector<Token> Tokenizer::OfSource(std::string_view text) {
  constexpr std::uint32_t kLineGap = 2;
  constexpr std::uint32_t kSentenceGap = 4;
  std::vector<Token> tokens;
  std::uint32_t position = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (!IsNameByte(c)) {
      if (c == '\n') position += kLineGap;
      if (c == '.' && at + 1 < text.size() && IsBlank(text[at + 1])) position += kSentenceGap;
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() &&
           (IsNameByte(text[end]) ||
            (text[end] == '.' && IsDigit(c) && end + 1 < text.size() && IsDigit(text[end + 1])))) {
      ++end;
    }
    constexpr std::size_t kLongest = 100;
    if (end - at <= kLongest) {
      Token token = Make(text, at, end);
      token.position = ++position;
      tokens.push_back(std::move(token));
    }
    at = end;
  }
  return tokens;
}

}  // namespace sibyl::support
