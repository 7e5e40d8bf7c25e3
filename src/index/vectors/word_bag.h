// SPDX-License-Identifier: Apache-2.0
// A text as the words in it that have vectors, by number, each with its saturated count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "index/words/term_forms.h"
#include "index/words/words.h"

namespace sibyl::index {

/// Four bytes: a source has tens of millions.
struct CountedWord {
  std::uint32_t word : 24 = 0;
  std::uint32_t hundredths : 8 = 0;

  /// Saturated like that of BM25; 1 for a single occurrence, at most 2.2.
  float count() const { return static_cast<float>(hundredths) / 100; }
};
static_assert(sizeof(CountedWord) == 4);
using WordBag = std::vector<CountedWord>;  ///< Ascending by word.

/// Counts them.
WordBag BagOf(std::vector<std::uint32_t> words);

/// Finds the words of texts: the stem of a plain word; of an identifier the whole in lower
/// case and the stems of its parts. Training and queries share it. Not thread-safe.
class BagWords {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  /// `number` gives the number of a word, or kNone; it is asked once for every word that is
  /// written differently.
  explicit BagWords(std::function<std::uint32_t(std::string_view)> number)
      : number_(std::move(number)) {}

  void Append(std::string_view text, std::vector<std::uint32_t>& words);

 private:
  const std::vector<std::uint32_t>& NumbersOf(std::string_view written);

  std::function<std::uint32_t(std::string_view)> number_;
  TermForms forms_;
  WordScanner scanner_;
  struct Hash {
    using is_transparent = void;  // NOLINT(readability-identifier-naming): the standard's name
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::unordered_map<std::string, std::vector<std::uint32_t>, Hash, std::equal_to<>> known_;
};

}  // namespace sibyl::index
