// SPDX-License-Identifier: Apache-2.0
// The words of a point with their weights, and how many of them a text has. One
// measure decides what is evidence for a point, which sentence is quoted, and
// whether the page covers it.
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
  std::string stem;     ///< As searched for.
  std::string written;  ///< As the plan has it.
  double weight = 0;
  double rarity = 0;        ///< Of the word itself.
  bool is_subject = false;  ///< For a point: its section or title has the word too.
};

/// The words of a text, as stems of its words and of the parts of its names.
using TermSet = std::unordered_set<std::string>;

/// The words of a point and of its context, each once.
struct PointTerms {
  std::vector<WeightedTerm> point;
  std::vector<WeightedTerm> context;  ///< Section, then part; without words of the point.
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

/// Not thread-safe: it has a stemmer and a cache.
class TermReader {
 public:
  /// Borrows the searcher, for the rarity of words.
  explicit TermReader(const index::Searcher& searcher);

  /// `context`: the section's title first, then wider context.
  PointTerms TermsOf(std::string_view point, const std::vector<std::string>& context);

  /// The weight from which on a word is distinctive.
  double TellingWeight() const;

  /// Adds the terms of a text to a set.
  void Read(std::string_view text, TermSet& terms);

  /// The stems of a word's parts and, last, of the word itself.
  const std::vector<std::string>& Forms(std::string_view word);

  /// Of a stem in the passages of all sources: the logarithm of how few have it.
  double Rarity(const std::string& stem) const;

 private:
  std::vector<WeightedTerm> Weigh(std::string_view text, double factor);

  const index::Searcher* searcher_;
  double passages_ = 0;
  index::TermForms forms_;
  std::unordered_map<std::string, std::vector<std::string>> seen_;
};

/// Words that plans use for any subject: "overview", "patterns".
bool IsPlanWord(std::string_view lower);

/// Names as programs write them: USE_CUDA, torch.profiler, cudaGraphLaunch,
/// -gencode, cp.async. In order, none twice.
std::vector<std::string> SymbolsIn(std::string_view text);

/// "Tensor Cores gen 3" of "Tensor Cores gen 3 (TF32, BF16)"; the whole text if
/// there is nothing before the parenthesis.
std::string_view WithoutBrackets(std::string_view text);

}  // namespace sibyl::draft
