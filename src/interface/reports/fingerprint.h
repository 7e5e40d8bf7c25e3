// SPDX-License-Identifier: Apache-2.0
// What identifies a finding from one run to the next.
#pragma once

#include <map>
#include <string>

#include "base/finding.h"

namespace sibyl::interface {

/// Identifies findings by their code, file and words, not by the number of their
/// line: a line added above must not make every finding below new. The same words
/// again are told apart by counting.
class Fingerprints {
 public:
  struct Fingerprint {
    std::string hash;  ///< SHA-256 in hexadecimal.
    int occurrence = 1;
  };
  Fingerprint Next(const Finding& finding);

 private:
  std::map<std::string, int> seen_;
};

/// The column in characters, since reports count those and places count bytes.
std::size_t CharacterColumn(const Finding& finding);

/// The message, with the hint if there is one.
std::string MessageWithHint(const Finding& finding);

}  // namespace sibyl::interface
