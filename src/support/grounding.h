// SPDX-License-Identifier: Apache-2.0
// Start here: is a statement carried by the lines that it cites? Compares
// content, not only names: words by their stems, parts and synonyms, numbers by
// their value, opposites and negations clause by clause, defaults by the
// definitions in the lines.
//
// A check that is sure refuses; a check that only doubts leaves the statement
// undecided and says why. docs/formats/gate.md has what this proves and what it
// does not.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "passages/cards.h"
#include "statement/statement.h"
#include "statement/verdict.h"
#include "support/evidence_text.h"
#include "support/quantity.h"
#include "support/tokens.h"

namespace sibyl::support {

/// The lines that a statement cites, and what encloses them.
struct CitedLines {
  std::string_view text;
  std::string_view context;  ///< Path, headings, name and signature of the definition.
};

/// What was measured; the verdict is made from it.
struct Measures {
  double coverage = 0;      ///< Share of the statement's content that the lines have.
  double least_clause = 1;  ///< The same for the clause that has least.
  double words = 0;         ///< Content words, weighted.
  double found = 0;
  double strong_found = 0;  ///< Distinct full words and names in the lines themselves.
  double numbers_missing = 0;
  double numbers_doubtful = 0;
  double missing_fit = 0;  ///< How well a number of the lines fits where one is missing.
  double missing_word = 0;
  double names_missing = 0;  ///< Words in code font that neither the lines nor their context have.
  double values_wrong = 0;   ///< Definitions in the lines that give another value.
  double values_doubtful = 0;
  double opposed = 0;     ///< Words of which the lines have only the opposite.
  double pole_gain = 0;   ///< How much better the opposite fits where the lines have both.
  double swap_gain = 0;   ///< How much better it fits with two of its words exchanged.
  double rival_gain = 0;  ///< How much better another number of the lines fits.
  double universal = 0;   ///< Universal words that the lines do not have.
  double negation = 0;    ///< Negations in the statement and not in the lines, or the reverse.
  double spread = 0;      ///< Mean distance between neighbouring words in the lines.
};

struct GroundedWord {
  std::string text;
  Ground ground = Ground::kNone;
  std::string by;  ///< The word of the lines.
};

struct Grounding {
  statement::Verdict verdict = statement::Verdict::kUndecidable;
  std::string code;     ///< "support/ungrounded", "number/ungrounded"…
  std::string text;     ///< What it is about: the number, the name; empty for the whole statement.
  std::string message;  ///< One sentence, lower case, no full stop.
  std::string nearest;
  std::vector<std::string> doubts;
  std::vector<GroundedWord> words;  ///< For --explain.
  Measures measures;
};

/// Cited lines, read once for all statements that cite them. Borrows them.
struct PreparedLines {
  EvidenceText evidence;
  std::vector<Quantity> context_numbers;
  std::vector<passages::Card> cards;
};

/// Not safe to share between threads.
class Grounder {
 public:
  PreparedLines Prepare(const CitedLines& lines);
  Grounding Judge(const statement::Statement& statement, const PreparedLines& lines);
  Grounding Judge(const statement::Statement& statement, const CitedLines& lines) {
    return Judge(statement, Prepare(lines));
  }

 private:
  Tokenizer tokenizer_;
};

/// "queue (word), holds (synonym: contains), fast (none)": for --explain.
std::string ExplainWords(const Grounding& grounding);

}  // namespace sibyl::support
