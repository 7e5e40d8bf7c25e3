// SPDX-License-Identifier: Apache-2.0
// Alternatives in source lines: `c ? a : b`, `a if c else b`, if and else,
// #ifdef and #else; and statements about them: "a on GFX9, otherwise b".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/evidence_text.h"
#include "support/read_statement.h"

namespace sibyl::support {

struct Branch {
  struct Bytes {
    std::size_t begin = 0;
    std::size_t end = 0;

    bool Contains(std::size_t at) const { return at >= begin && at < end; }
  };
  Bytes condition;
  Bytes then;
  Bytes otherwise;
  bool is_negated = false;  ///< "#ifndef X", "!x", "x is None"
  bool is_filled = false;   ///< "!x.empty()": the negation of a word that denies.
  int direction = 0;        ///< 1: "x > 4", -1: "x < 4", 0: neither.
  Bytes literal;            ///< "xpu" of `x == "xpu"`; empty if there is none.
};

/// In the order of the text; at most 100. Alternatives with more than two
/// branches and conditions that join a negated part are not read.
std::vector<Branch> ReadBranches(std::string_view lines);

struct BranchFit {
  bool fits = false;                 ///< An alternative of the lines has it this way.
  std::optional<std::string> wrong;  ///< What the statement puts into the wrong branch.
};

/// Neither if the lines have no such alternative.
BranchFit CompareBranches(const ReadStatement& read, const EvidenceText& evidence,
                          const std::vector<Branch>& branches);

}  // namespace sibyl::support
