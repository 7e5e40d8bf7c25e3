// SPDX-License-Identifier: Apache-2.0
// The words of a statement or of cited lines, in the forms in which they are
// compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "support/lexicon.h"

namespace sibyl::support {

enum class TokenKind : std::uint8_t {
  kWord,
  kName,    ///< With an underscore, a digit, or capitals inside: `cudaMalloc`, TF32.
  kNumber,  ///< Begins with a digit; quantity.h reads it.
};

struct Token {
  std::size_t begin = 0;  ///< In the text.
  std::size_t end = 0;
  TokenKind kind = TokenKind::kWord;
  WordWeight weight = WordWeight::kFull;
  bool in_code = false;
  bool in_compound = false;  ///< A part of a word with hyphens: "all" of "all-reduce".
  bool is_negation = false;  ///< not, no, never, without, n't
  std::string lower;
  std::string stem;
  std::vector<std::string> parts;  ///< Stems of the parts of a name; empty if it has one part.
  /// Counts words, with gaps where a line, a sentence or a paragraph ends.
  std::uint32_t position = 0;
  std::uint32_t clause = 0;  ///< Of a statement.
};

/// Without underscores: `optical_flow` and `OpticalFlow` are one name.
std::string WithoutMarks(std::string_view lower);

/// "unsupported", "non-contiguous"; not "under", "until" or "unified".
bool DeniesByPrefix(std::string_view lower);

/// A longer statement is not read to its end; the gate does not decide it.
inline constexpr std::size_t kMostWords = 300;

class Tokenizer {
 public:
  /// Of a statement. `is_code` says for each byte whether it is in code font;
  /// empty: none is.
  std::vector<Token> OfStatement(std::string_view text, const std::vector<bool>& is_code);

  /// Of cited lines: names are cut into their parts everywhere.
  std::vector<Token> OfSource(std::string_view text);

  Stems& stems() { return stems_; }

 private:
  Token Make(std::string_view text, std::size_t begin, std::size_t end);
  Token Read(std::string_view word);

  Stems stems_;
  // Words that were read before, without their places: most words return.
  std::unordered_map<std::string, Token, WordHash, std::equal_to<>> known_;
  std::vector<std::string_view> cut_;
};

}  // namespace sibyl::support
