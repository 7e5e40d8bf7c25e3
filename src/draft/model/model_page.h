// SPDX-License-Identifier: Apache-2.0
// A page out of what a model wrote: its units under the plan's headings, its
// keys as receipts. What has no receipt, or speaks of something that its lines
// do not, is told; the gate judges the rest.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "draft/extract/gather.h"
#include "draft/extract/passage_keys.h"
#include "draft/model/model_text.h"
#include "draft/page_frame.h"

namespace sibyl::draft {

struct ModelPageInputs {
  const plan::Plan& plan;
  const plan::Part& part;
  const index::Searcher& searcher;  ///< Says how rare a word is.
  const Gathered& gathered;
  const PassageKeys& keys;
  /// By section and point; a point without units is not delivered.
  const std::vector<std::vector<ModelPoint>>& written;
};

struct ModelPageOptions {
  std::string program;
  Time time;
  std::string model;                    ///< As the stamp names it.
  std::set<std::string> left_out = {};  ///< UnitName of what did not hold.
};

/// "2.1.0": section, point and unit, counted from zero.
std::string UnitName(std::size_t section, std::size_t point, std::size_t unit);

/// Blocks are named by UnitName.
WrittenPage WriteModelPage(const ModelPageInputs& inputs, const ModelPageOptions& options);

/// The lines that a unit cites; keys that were never issued are passed over.
std::vector<CitedLines> CitedBy(const ModelUnit& unit, const PassageKeys& keys);
std::string TextOf(const CitedLines& lines);

/// How much of what a statement says, by the rarity of its words, stands in the
/// lines it cites: 0 to 1. A statement about something else has little.
double WordSupport(TermReader& reader, const ModelUnit& unit, const std::vector<CitedLines>& cited);
/// Paraphrases of what a passage says have two thirds and more; what is made up
/// beside a passage has less than a half.
inline constexpr double kWordSupport = 0.5;

}  // namespace sibyl::draft
