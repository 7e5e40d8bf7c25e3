// SPDX-License-Identifier: Apache-2.0
// How many of the words of a query a card has, in its name and beside it.
#pragma once

#include <string_view>
#include <vector>

#include "index/words/wanted_stems.h"

namespace sibyl::index {

class CardWords {
 public:
  /// Question words and other words without content do not count.
  explicit CardWords(std::string_view query);

  bool empty() const { return stems_.size() == 0; }

  /// From 0 to 1; a word in the name counts whole, one beside it counts less.
  float Share(std::string_view name, std::string_view lines) const;

 private:
  void Mark(std::string_view word, float weight, std::vector<float>& has) const;
  void MarkAll(std::string_view text, float weight, std::vector<float>& has) const;

  WantedStems stems_;
};

}  // namespace sibyl::index
