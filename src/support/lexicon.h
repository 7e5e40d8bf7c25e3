// SPDX-License-Identifier: Apache-2.0
// The words of plain technical English: which carry no content, which mean the
// same, and which mean the opposite. The tables are src/support/words/*.txt,
// which the build embeds; the first lines of each describe its format.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "index/words/term_forms.h"

namespace sibyl::support {

/// How much a word says.
enum class WordWeight : std::uint8_t {
  kNone,   ///< the, of, is
  kLight,  ///< use, value, given
  kFull,
};

/// How far a statement goes.
enum class Strength : std::uint8_t {
  kPlain,
  kUniversal,  ///< always, all, guaranteed
  kHedge,      ///< may, usually
  kCondition,  ///< if, unless, only
};

/// One side of a pair of opposites.
struct Pole {
  std::uint16_t axis = 0;  ///< Line of opposites.txt.
  bool is_left = false;

  bool operator==(const Pole&) const = default;
};

/// So that a map of words can be asked with a view.
struct WordHash {
  using is_transparent = void;  // NOLINT(readability-identifier-naming): of the standard
  std::size_t operator()(std::string_view word) const {
    return std::hash<std::string_view>{}(word);
  }
};

class Lexicon {
 public:
  /// The embedded tables, read once.
  static const Lexicon& Ours();

  /// In the format of words/*.txt; for tests.
  Lexicon(std::string_view weights, std::string_view synonyms, std::string_view opposites,
          std::string_view strengths);

  WordWeight WeightOf(std::string_view lower, std::string_view stem) const;

  /// By the word as it is written.
  Strength StrengthOf(std::string_view lower) const;

  /// Groups of synonyms of a word, by its stem; usually none or one.
  std::span<const std::uint16_t> GroupsOf(std::string_view stem) const;

  /// Whether the other side of this axis contradicts: left and right, before and after.
  bool IsSure(Pole pole) const { return sure_.at(pole.axis); }

  /// The sides on which a word is, by the word as it is written or its stem.
  std::span<const Pole> PolesOf(std::string_view lower, std::string_view stem) const;

 private:
  using Groups = std::vector<std::uint16_t>;
  template <typename Value>
  using WordMap = std::unordered_map<std::string, Value, WordHash, std::equal_to<>>;

  WordMap<WordWeight> weights_;
  WordMap<Strength> strengths_;
  WordMap<Groups> groups_;
  WordMap<std::vector<Pole>> exact_poles_;  // of words in exactly this form
  WordMap<std::vector<Pole>> poles_;        // by stem
  std::vector<bool> sure_;                  // by axis
};

/// The stem under which words are compared: lower case, American spelling.
class Stems {
 public:
  std::string Of(std::string_view lower);

 private:
  index::TermForms forms_;
};

}  // namespace sibyl::support
