// SPDX-License-Identifier: Apache-2.0
// The words of a point, how much each of them says, and how many of them a text
// has. One measure decides what is evidence for a point, which sentence is
// quoted, and whether what was written covers it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "index/rank/searcher.h"
#include "index/words/term_forms.h"

namespace sibyl::draft {

struct WeightedTerm {
  std::string stem;     ///< As it is looked for.
  std::string written;  ///< As the plan has it.
  double weight = 0;
  double rarity = 0;        ///< Of the word itself, wherever it stands.
  bool is_subject = false;  ///< Of a point: its section or title has the word too.
};

/// What a text has, as stems of its words and of the parts of its names.
using TermSet = std::unordered_set<std::string>;

/// The words of a point and of its surroundings, none twice.
struct PointTerms {
  std::vector<WeightedTerm> point;
  std::vector<WeightedTerm> context;  ///< Section, then part; what the point has is left out.
};

/// The share of the weight that the text has: 0 to 1. No terms: 0.
double ShareOf(const std::vector<WeightedTerm>& terms, const TermSet& text);

/// How many of the terms that are at least so rare the text has; and how many
/// there are.
std::size_t CountTelling(const std::vector<WeightedTerm>& terms, double rarity,
                         const TermSet& text);
std::size_t CountTelling(const std::vector<WeightedTerm>& terms, double rarity);

/// Point and context together; the context counts for little.
double Support(const PointTerms& terms, const TermSet& text);

/// Not safe to share between threads: it keeps a stemmer and what it has seen.
class TermReader {
 public:
  /// Borrows the searcher, whose sources say how rare a word is.
  explicit TermReader(const index::Searcher& searcher);

  /// `context`: the section's title first, then what is further away.
  PointTerms TermsOf(std::string_view point, const std::vector<std::string>& context);

  /// The weight from which on a word tells one passage from most others.
  double TellingWeight() const;

  /// Adds the terms of a text to a set.
  void Read(std::string_view text, TermSet& terms);

 private:
  const std::vector<std::string>& Forms(std::string_view word);
  std::vector<WeightedTerm> Weigh(std::string_view text, double factor);
  double Rarity(const std::string& stem) const;

  const index::Searcher* searcher_;
  double passages_ = 0;
  index::TermForms forms_;
  std::unordered_map<std::string, std::vector<std::string>> seen_;
};

/// Names as programs write them: USE_CUDA, torch.profiler, cudaGraphLaunch,
/// -gencode, cp.async. In order, none twice.
std::vector<std::string> SymbolsIn(std::string_view text);

/// "Tensor Cores gen 3" of "Tensor Cores gen 3 (TF32, BF16)"; all of the text
/// when nothing stands before the bracket.
std::string_view WithoutBrackets(std::string_view text);

}  // namespace sibyl::draft
