// SPDX-License-Identifier: Apache-2.0
// Cited lines, ready to be asked where they say a word: by itself, as a part of
// a name, by another form, by a synonym, or shortened.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "support/lexicon.h"
#include "support/quantity.h"
#include "support/tokens.h"

namespace sibyl::support {

/// How a word of a statement is found. In the order of what it is worth.
enum class Ground : std::uint8_t {
  kNone,
  kContext,    ///< In the path, the heading or the name of what encloses the lines.
  kShortened,  ///< "configuration" by `cfg`, "sequence" by `seqlen`.
  kSynonym,
  kForm,  ///< Another form of the word, or a part of a name.
  kWord,
};

/// "word", "form", "synonym", "shortened", "context", "none"
std::string_view GroundName(Ground ground);

struct WordGround {
  Ground ground = Ground::kNone;
  std::vector<std::uint32_t> positions;  ///< In the lines; sorted.
  std::string by;                        ///< The word of the source.
};

class EvidenceText {
 public:
  /// Borrows `lines`. `context` is the path and the names around the lines.
  EvidenceText(std::string_view lines, std::string_view context, Tokenizer& tokenizer);

  WordGround Find(const Token& token) const;

  /// Where the lines have a word of this side of a pair of opposites.
  const std::vector<std::uint32_t>& PositionsOf(Pole pole) const;

  std::string_view lines() const { return lines_view_; }
  const std::vector<Token>& tokens() const { return tokens_; }
  const std::vector<Quantity>& quantities() const { return quantities_; }
  const UnitHints& hints() const { return hints_; }
  bool HasNegation() const { return !negations_.empty(); }
  /// Whether a negation is near one of the positions.
  bool IsNegatedAt(const std::vector<std::uint32_t>& positions) const;

  /// Whether a comment, or a line that does not look like code, hedges or gives
  /// a condition.
  bool Hedges() const { return hedges_; }
  bool HasCondition() const { return has_condition_; }

  /// The position of a byte of the lines.
  std::uint32_t PositionAt(std::size_t byte) const;

 private:
  struct Entry {
    std::vector<std::uint32_t> positions;
    std::string by;
  };

  void ReadProse();
  const Entry* Lookup(const std::string& stem) const;

  std::string_view lines_view_;
  std::vector<Token> tokens_;
  bool hedges_ = false;
  bool has_condition_ = false;
  std::vector<Quantity> quantities_;
  UnitHints hints_;
  std::vector<std::uint32_t> negations_;
  std::unordered_map<std::string, Entry> words_;  // as written, lower case
  std::unordered_map<std::string, Entry> stems_;  // with those of the parts of names
  std::unordered_map<std::uint16_t, Entry> groups_;
  std::map<std::pair<std::uint16_t, bool>, std::vector<std::uint32_t>> poles_;
  std::unordered_set<std::string> context_;
};

}  // namespace sibyl::support
