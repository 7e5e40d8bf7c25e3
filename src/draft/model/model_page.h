// SPDX-License-Identifier: Apache-2.0
// Builds a page from a model's answer: its units under the plan's headings, its
// keys as citations. Reports units without a citation, or whose words are not
// in the cited lines; the gate checks the rest.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "draft/extract/gather.h"
#include "draft/extract/passage_keys.h"
#include "draft/model/model_text.h"
#include "draft/page_frame.h"
#include "evidence/cited_words.h"

namespace sibyl::draft {

struct ModelPageInputs {
  const plan::Plan& plan;
  const plan::Part& part;
  const index::Searcher& searcher;  ///< For the rarity of words.
  const Gathered& gathered;
  const PassageKeys& keys;
  /// By section and point; a point without units is not delivered.
  const std::vector<std::vector<ModelPoint>>& written;
};

struct ModelPageOptions {
  std::string program;
  Time time;
  std::string model;                    ///< As the stamp names it.
  std::set<std::size_t> left_out = {};  ///< Units that failed, by their identities.
  evidence::WordsFinder find_words = {};
};

/// "unit 12", by its identity.
std::string UnitName(std::size_t id);

/// "2.1.table3": the head of a table, by the group of its rows.
std::string TableName(std::size_t section, std::size_t point, std::size_t group);

/// Blocks are named by UnitName, and heads of tables by TableName.
WrittenPage WriteModelPage(const ModelPageInputs& inputs, const ModelPageOptions& options);

/// The lines that a unit cites; keys that were never issued are passed over.
std::vector<CitedLines> CitedBy(const ModelUnit& unit, const PassageKeys& keys);
std::string TextOf(const CitedLines& lines);
/// All lines of the passage, without words.
CitedLines WholePassage(const CitedLines& lines);

/// The share of a statement's words, weighted by rarity, that occur in the
/// lines it cites: 0 to 1. Low for an off-topic statement.
/// Words of `context` count as if the lines had them.
double WordSupport(TermReader& reader, const ModelUnit& unit, const std::vector<CitedLines>& cited,
                   std::string_view context = {});
/// Paraphrases of a passage have two thirds and more; invented statements less
/// than half.
inline constexpr double kWordSupport = 0.5;
/// Enough if the rest of the passage has the other words: a paraphrase names its
/// subject, which is often above the cited lines.
inline constexpr double kCitedWordSupport = 0.25;
inline constexpr double kPassageWordSupport = 0.5;

/// Enough for a sentence that leads in what is cited: it only names it, and the
/// gate refuses those that claim something.
inline constexpr double kLeadInSupport = 0.3;

/// Whether a statement has numbers or words in code font, and the lines have all of them
/// as they are written: "| Smallest exponent | -14 |" is about "MIN_EXPONENT = -14".
bool HasItsLiterals(const ModelUnit& unit, const std::vector<CitedLines>& cited);

/// Whether the words of a statement are in the lines that it cites, or at least in
/// their passages, or all its numbers and names.
bool HasWordSupport(TermReader& reader, const ModelUnit& unit,
                    const std::vector<CitedLines>& cited);

}  // namespace sibyl::draft
