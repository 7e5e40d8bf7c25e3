// SPDX-License-Identifier: Apache-2.0
// Texts that need no citation of their own: does a heading, a label, a table
// header, an introduction or an alt text claim more than the lines that are
// cited next to it?
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "statement/number.h"
#include "statement/statement.h"
#include "support/evidence_text.h"
#include "support/tokens.h"

namespace sibyl::gate {

/// What a text may repeat: cited lines, what encloses them, and the statements
/// that cite them, which are checked themselves.
struct ClaimTexts {
  std::string lines;
  std::string context;
  std::string statements;
};

class ClaimGround {
 public:
  ClaimGround(ClaimTexts texts, support::Tokenizer& tokenizer);

  bool empty() const { return texts_->lines.empty() && texts_->statements.empty(); }
  const ClaimTexts& texts() const { return *texts_; }
  support::Ground Find(const support::Token& token) const;
  bool HasWord(const std::string& lower) const { return words_.contains(lower); }
  /// Byte for byte.
  bool HasText(std::string_view text) const;
  /// Only in the lines.
  bool LinesHave(std::string_view text) const;
  /// The same, without blanks.
  bool HasCompact(std::string_view text) const;
  /// Whether the lines have the letters, digits and signs of comparison of a text
  /// one after the other.
  bool HasLetters(std::string_view text) const;
  /// Whether the lines or the statements have a number in this unit, or its name.
  bool Measures(const statement::Unit& unit) const;
  bool HasNumber(const support::Quantity& number) const;
  bool HasContext(const std::string& lower) const { return context_words_.contains(lower); }
  /// Whether it has the opposite of a word, and not the word.
  bool HasOnlyOpposite(const support::Token& token) const;
  bool HasNegation() const { return lines_.HasNegation() || statements_.HasNegation(); }

 private:
  std::unique_ptr<const ClaimTexts> texts_;  // borrowed by the two
  support::EvidenceText lines_;
  support::EvidenceText statements_;
  std::vector<support::Quantity> context_numbers_;
  std::unordered_set<std::string> context_words_;
  std::unordered_set<std::string> words_;  // of lines and statements
  mutable std::string letters_;            // of the lines; read when they are asked for
};

/// How much a text may add.
enum class ClaimRule : std::uint8_t {
  kTopic,         ///< Names a subject: most of its nouns may be new.
  kCaption,       ///< Describes what is shown: a third of them.
  kAssertion,     ///< Says something: hardly any.
  kIntroduction,  ///< Ends with a colon: as a caption, and may count what follows.
  kLink,          ///< Names another page, in its words.
  kClause,        ///< Part of a cited sentence: half of its words.
  kTail,          ///< What follows its last mark: the same, and no new quality.
};

/// Whether a text is a sentence: it has a verb after its subject. Not if it
/// begins as a question does ("How the cache finds its entries").
bool IsAssertion(const statement::Statement& text, support::Tokenizer& tokenizer);

/// Words that carry content; names in code font count, words that only lead on do not.
std::size_t CountContent(const statement::Statement& text, support::Tokenizer& tokenizer);

/// "Repetition is a matter of its own.": names a subject of its section at most,
/// and says nothing about it.
bool IsTransition(const statement::Statement& text, const ClaimGround& ground,
                  support::Tokenizer& tokenizer);

/// "Further options:", "The steps are:": names nothing, counts nothing and denies nothing,
/// so that it fits whatever follows.
bool OnlyLeadsOn(std::string_view text);

/// Whether a text has the content words of a statement, in its order, and leaves
/// out no negation, condition or hedge between them.
bool Repeats(const statement::Statement& text, const statement::Statement& said,
             support::Tokenizer& tokenizer);

/// The first words of another script that the ground does not have; empty: none.
std::string ForeignWord(const statement::Statement& text, const ClaimGround& ground);

/// Why a text claims more than its ground has: "'never' is not in the cited
/// lines"; empty: it does not.
std::string ClaimBeyond(const statement::Statement& text, const ClaimGround& ground, ClaimRule rule,
                        support::Tokenizer& tokenizer);

/// Which word shows that the lines have nothing of a text: it has so many words with
/// content, and none of them is there. Empty: some are.
std::string AllNew(const statement::Statement& text, const ClaimGround& ground, std::size_t fewest,
                   support::Tokenizer& tokenizer);

/// Why the label of a cited sentence claims more than its lines: a quality, a superlative or
/// a proper name that they do not have. Empty: it does not.
std::string LabelBeyond(const statement::Statement& text, const ClaimGround& ground,
                        support::Tokenizer& tokenizer);

}  // namespace sibyl::gate
