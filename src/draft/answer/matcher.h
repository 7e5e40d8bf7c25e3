// SPDX-License-Identifier: Apache-2.0
// The words of a question with their weights, and which of them a text has. A
// rare word weighs more than an everyday one, a name more than a word.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "draft/answer/question/question.h"
#include "draft/extract/terms.h"
#include "support/lexicon.h"

namespace sibyl::draft {

struct AskedTerm {
  std::string stem;
  std::string american;  ///< Its stem in American spelling.
  std::string written;
  double weight = 0;
  bool is_name = false;
  bool is_frame = false;
  bool is_everyday = false;
  bool is_rare = false;
  bool is_abbreviation = false;  ///< DDP: met by DistributedDataParallel too.
};

/// One bit for each term of a question.
using TermMask = std::uint64_t;

/// What a text has of a question.
struct TextMatch {
  TermMask terms = 0;
  TermMask similar = 0;  ///< Has another word for it.
  /// The same of the few consecutive words that have most of the question: what
  /// is far apart was not said together.
  TermMask together = 0;
  TermMask similar_together = 0;
  bool opens = false;  ///< A rare word is the first of the text.
  double pairs = 0;    ///< The share of neighbouring words that are near each other here too.
};

class Matcher {
 public:
  Matcher(const Question& question, TermReader& reader);

  const std::vector<AskedTerm>& terms() const { return terms_; }

  /// The terms that are names.
  TermMask names() const { return names_; }

  TextMatch Match(std::string_view text);
  TermMask MaskOf(std::string_view text) { return Match(text).terms; }

  /// The share of the weight: 0 to 1.
  double Share(TermMask mask) const;
  /// How much of a title the question has, by rarity, parts of names apart: a page
  /// "generator-expressions" is about them, one "POLICY_WARNING" is not about policies.
  double Coverage(std::string_view title);
  bool HasRare() const { return rare_terms_ != 0; }
  std::size_t CountRare() const { return static_cast<std::size_t>(std::popcount(rare_terms_)); }
  /// The same of the terms that are rare or names.
  double RareShare(TermMask mask) const;

 private:
  struct WordHits {
    TermMask terms = 0;
    TermMask similar = 0;
    std::vector<std::size_t> ends_forms = {};  ///< Other forms of several words that it ends.
  };
  /// Another spelling of terms.
  struct Form {
    std::vector<std::string> words;
    TermMask terms = 0;
  };
  struct ViewHash {
    using is_transparent = void;  // NOLINT(readability-identifier-naming): the standard's name
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  void Add(const QuestionWord& word);
  void AddForms(const Question& question);
  const WordHits& HitsOf(std::string_view word);
  double PairShare(TermMask pairs) const;
  struct TermHits {
    TermMask terms = 0;
    TermMask similar = 0;
  };
  struct Place {
    std::size_t position = 0;
    TermMask terms = 0;
    TermMask similar = 0;
  };
  void FindTogether(const std::vector<Place>& places, TextMatch& match) const;

  TermReader* reader_;
  Asker asker_ = Asker::kPerson;
  bool has_abbreviation_ = false;
  support::Stems stems_;
  std::vector<AskedTerm> terms_;
  std::vector<Form> forms_;
  std::vector<std::vector<std::uint16_t>> groups_;  // of synonyms, per term
  bool has_head_ = false;
  TermMask names_ = 0;
  TermMask rare_terms_ = 0;
  double all_ = 0;
  double rare_ = 0;
  std::unordered_map<std::string, WordHits, ViewHash, std::equal_to<>> hits_;
  std::vector<Place> found_;       // of the text at hand
  std::vector<std::size_t> seen_;  // the last position of each term, counted from one
};

}  // namespace sibyl::draft
