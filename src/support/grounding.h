// SPDX-License-Identifier: Apache-2.0
// Start here: is a statement carried by the lines that it cites? Compares
// content, not only names: words by their stems, parts and synonyms, numbers by
// their value, opposites and negations clause by clause, defaults and relations
// by the definitions in the lines.
//
// A check that is sure refuses; a check that only doubts leaves the statement
// undecided and says why. docs/formats/gate.md has what this proves and what it
// does not.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cards/cards.h"
#include "cards/definition.h"
#include "statement/statement.h"
#include "statement/verdict.h"
#include "support/alternatives/branches.h"
#include "support/alternatives/cases.h"
#include "support/clauses/line_sentences.h"
#include "support/elsewhere.h"
#include "support/evidence_text.h"
#include "support/numbers/quantity.h"
#include "support/proximity.h"
#include "support/rows.h"
#include "support/tokens.h"

namespace sibyl::support {

/// The lines that a statement cites, and what encloses them.
struct CitedLines {
  std::string_view text;
  std::string_view context;  ///< Path, headings, name and signature of the definition.
  /// The whole files; may be empty. Only asked for code of several words that the
  /// lines do not have.
  std::vector<std::string_view> files = {};
};

/// What was measured; the verdict is made from it.
struct Measures {
  double content = 0;           ///< How much it says: its words, names and numbers, weighted.
  double coverage = 0;          ///< Share of the statement's content that the lines have.
  double least_clause = 1;      ///< The same for the clause that has least.
  std::size_t strong = 0;       ///< Distinct full words, names and numbers in the lines themselves.
  bool is_exchanged = false;    ///< Of a name that is missing, the lines have a sibling instead.
  bool has_all_names = false;   ///< It has names in code font, and the lines have them all.
  std::string interchangeable;  ///< "`A` and `B`": the lines do not say which is which.
  BetterFits better;            ///< What would fit better than what it says.
  OtherLines elsewhere;         ///< Only looked for if the cited lines have little of it.
};

struct GroundedWord {
  std::string text;
  Ground ground = Ground::kNone;
  std::string by;  ///< The word of the lines.
};

struct Grounding {
  statement::Verdict verdict = statement::Verdict::kUndecidable;
  std::string code;       ///< "support/ungrounded", "number/ungrounded"…
  std::string_view rule;  ///< Which check decided: "number", "name", "words", "value"…
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
  std::vector<cards::Definition> definitions;
  std::vector<cards::Card> cards;
  std::vector<Quantity> calculated;  ///< From the cards.
  std::vector<std::size_t> counted;  ///< How many things the lines list.
  std::vector<Branch> branches;
  std::vector<SwitchCase> cases;
  LineTables tables;
  LineSentences sentences;
  std::string_view context;
  std::vector<std::string_view> files;
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
  std::size_t searches_left_ = 500;  // of whole files
};

/// What the few words that a writer points at add to a verdict by the lines:
/// words that carry nothing refuse the statement, and words that carry it
/// dispel the doubt which of several things in the lines is meant.
Grounding WithWords(Grounding by_lines, Grounding by_words);

/// "in the lines: queue; in other words: holds (contains); missing: fast": for
/// --explain.
std::string ExplainWords(const Grounding& grounding);

}  // namespace sibyl::support
