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

bool IsNegation(std::string_view lower) {
  constexpr std::array<std::string_view, 12> kNegations = {"not",    "no",   "never",   "without",
                                                           "cannot", "none", "neither", "nor",
                                                           "t",      "non",  "lacks",   "lack"};
  return std::find(kNegations.begin(), kNegations.end(), lower) != kNegations.end();
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

Token Tokenizer::Make(std::string_view text, std::size_t begin, std::size_t end) {
  Token token;
  token.begin = begin;
  token.end = end;
  const std::string_view word = text.substr(begin, end - begin);
  token.kind = KindOf(word);
  index::AppendLower(word, token.lower);
  token.is_negation = token.kind == TokenKind::kWord && IsNegation(token.lower) &&
                      (token.lower != "t" || (begin > 0 && text[begin - 1] == '\''));
  token.stem = stems_.Of(token.lower);
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
