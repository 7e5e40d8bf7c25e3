// SPDX-License-Identifier: Apache-2.0
// The sentences of cited lines: of prose and comments by their full stops, of
// code by line. What is said in one sentence belongs together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "support/tokens.h"

namespace sibyl::support {

class LineSentences {
 public:
  struct Sentence {
    std::size_t begin = 0;  ///< Tokens.
    std::size_t end = 0;
    bool is_code = false;
    /// Whether a word or a sign in it may deny something: not, instead, ignored, `!`.
    bool denies = false;
  };

  LineSentences() = default;
  /// `tokens`: those of `text`, in order.
  LineSentences(std::string_view text, const std::vector<Token>& tokens);

  const std::vector<Sentence>& all() const { return all_; }
  /// The sentence of the token at this position of the lines.
  std::size_t At(std::uint32_t position) const;
  /// The token at this position.
  std::size_t TokenAt(std::uint32_t position) const;

 private:
  std::vector<Sentence> all_;
  std::vector<std::uint32_t> positions_;  // of the tokens
  std::vector<std::uint32_t> of_token_;   // the sentence of each token
};

}  // namespace sibyl::support
