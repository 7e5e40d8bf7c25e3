// SPDX-License-Identifier: Apache-2.0
// Builds a page from a model's answer: its units under the plan's headings, its
// keys as citations. Reports units without a citation, or whose words are not
// in the cited lines; the gate checks the rest.
#pragma once

#include <cstddef>
#include <set>
#include <string>
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
  std::set<std::string> left_out = {};  ///< UnitName of units that failed.
  evidence::WordsFinder find_words = {};
};

/// "2.1.0": section, point and unit, counted from zero.
std::string UnitName(std::size_t section, std::size_t point, std::size_t unit);

/// Blocks are named by UnitName.
WrittenPage WriteModelPage(const ModelPageInputs& inputs, const ModelPageOptions& options);

/// The lines that a unit cites; keys that were never issued are passed over.
std::vector<CitedLines> CitedBy(const ModelUnit& unit, const PassageKeys& keys);
std::string TextOf(const CitedLines& lines);

/// The share of a statement's words, weighted by rarity, that occur in the
/// lines it cites: 0 to 1. Low for an off-topic statement.
double WordSupport(TermReader& reader, const ModelUnit& unit, const std::vector<CitedLines>& cited);
/// Paraphrases of a passage have two thirds and more; invented statements less
/// than half.
inline constexpr double kWordSupport = 0.5;

}  // namespace sibyl::draft
