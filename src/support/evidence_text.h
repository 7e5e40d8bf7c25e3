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

#include "support/layout.h"
#include "support/lexicon.h"
#include "support/numbers/quantity.h"
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

struct WordGround {
  Ground ground = Ground::kNone;
  std::vector<std::uint32_t> positions;  ///< In the lines; sorted.
  std::string by;                        ///< The word of the source.
};

class EvidenceText {
 public:
  /// Borrows `lines`. `context` is the path and the names around the lines.
  EvidenceText(std::string_view lines, std::string_view context, Tokenizer& tokenizer);
  EvidenceText(EvidenceText&&) = default;
  EvidenceText& operator=(EvidenceText&&) = default;
  EvidenceText(const EvidenceText&) = delete;
  EvidenceText& operator=(const EvidenceText&) = delete;
  ~EvidenceText() = default;

  WordGround Find(const Token& token) const;
  /// A word or name of the lines that has this stem or a part with it; empty if none.
  std::string_view WordOfStem(std::string_view stem) const;

  /// Where the lines have a word of this side of a pair of opposites.
  const std::vector<std::uint32_t>& PositionsOf(Pole pole) const;
  /// Where the lines have this number, by value; sorted.
  std::vector<std::uint32_t> PositionsOf(const Quantity& said) const;

  std::string_view lines() const { return lines_view_; }
  const std::vector<Token>& tokens() const { return tokens_; }
  const std::vector<Quantity>& quantities() const { return quantities_; }
  const UnitHints& hints() const { return hints_; }
  /// Exactly this word, in lower case.
  bool HasWord(const std::string& lower) const { return words_.contains(lower); }
  /// Where the lines have exactly this word; empty if they do not.
  const std::vector<std::uint32_t>& PositionsOfWord(const std::string& lower) const;
  const Layout& layout() const { return layout_; }
  /// Where comments and prose deny something; sorted.
  const std::vector<std::uint32_t>& prose_negations() const { return prose_negations_; }
  bool HasNegation() const { return !negations_.empty(); }
  /// Whether code or words of the lines may mean a negation: `!`, `else`, `false`,
  /// "ignored", NotImplementedError.
  bool DeniesInCode() const;
  /// Whether a negation is near one of the positions.
  bool IsNegatedAt(const std::vector<std::uint32_t>& positions) const;

  /// Whether a comment, or a line that does not look like code, hedges or gives
  /// a condition.
  bool Hedges() const { return hedges_; }
  bool HasCondition() const { return has_condition_; }
  /// Where they do; sorted, at most 32.
  const std::vector<std::uint32_t>& limits() const { return limits_; }

  /// The position of a byte of the lines.
  std::uint32_t PositionAt(std::size_t byte) const;

 private:
  // Views of the tokens, which stay where they are when the text is moved.
  struct Entry {
    std::vector<std::uint32_t> positions;
    std::string_view by;
  };

  void ReadProse();
  const Entry* Lookup(std::string_view stem) const;

  std::string_view lines_view_;
  std::vector<Token> tokens_;
  Layout layout_;
  bool hedges_ = false;
  bool has_condition_ = false;
  std::vector<Quantity> quantities_;
  UnitHints hints_;
  std::vector<std::uint32_t> negations_;
  std::vector<std::uint32_t> prose_negations_;
  std::vector<std::uint32_t> limits_;
  std::unordered_map<std::string_view, Entry> words_;  // as written, lower case
  std::unordered_map<std::string_view, Entry> stems_;  // with those of the parts of names
  std::unordered_map<std::uint16_t, Entry> groups_;
  std::map<std::pair<std::uint16_t, bool>, std::vector<std::uint32_t>> poles_;
  std::unordered_set<std::string, WordHash, std::equal_to<>> context_;
  std::unordered_set<std::uint16_t> context_groups_;
};

}  // namespace sibyl::support
