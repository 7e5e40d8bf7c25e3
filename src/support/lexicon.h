// SPDX-License-Identifier: Apache-2.0
// The words of plain technical English: which carry no content, which mean the
// same, and which mean the opposite. The tables are src/support/words/*.txt,
// which the build embeds; the first lines of each describe its format.
#pragma once

#include <cstdint>
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

  /// The sides on which a word is, by the word as it is written or its stem.
  std::span<const Pole> PolesOf(std::string_view lower, std::string_view stem) const;

 private:
  using Groups = std::vector<std::uint16_t>;

  std::unordered_map<std::string, WordWeight> weights_;
  std::unordered_map<std::string, Strength> strengths_;
  std::unordered_map<std::string, Groups> groups_;
  std::unordered_map<std::string, std::vector<Pole>> poles_;
};

/// The stem under which words are compared: lower case, American spelling.
class Stems {
 public:
  std::string Of(std::string_view lower);

 private:
  index::TermForms forms_;
};

}  // namespace sibyl::support
