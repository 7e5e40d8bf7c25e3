// SPDX-License-Identifier: Apache-2.0
// The numbers of a statement against those of the cited lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "support/evidence_text.h"
#include "support/proximity.h"
#include "support/read_statement.h"

namespace sibyl::support {

struct SaidNumbers {
  double weight = 0;                 ///< Of all numbers, as words count.
  double found = 0;                  ///< Of those that the lines have.
  std::size_t same = 0;              ///< How many the lines have.
  std::set<std::uint32_t> clauses;   ///< Of those that the lines have.
  std::vector<std::string> missing;  ///< As they are written. They refuse the statement.
  /// For the first of `missing`: the only number of the lines that measures or
  /// counts the same; may be empty.
  std::string instead;
  std::vector<std::string> doubtful;  ///< Not there as such, but not surely wrong.
};

/// Numbers that are not written in the lines. Borrows them.
struct OtherNumbers {
  const std::vector<Quantity>& around;      ///< In their context.
  const std::vector<Quantity>& calculated;  ///< Values of their definitions.
  const std::vector<std::size_t>& counted;  ///< How many things they list; sorted.
};

SaidNumbers JudgeNumbers(const ReadStatement& read, const EvidenceText& evidence,
                         const OtherNumbers& others, Stems& stems);

}  // namespace sibyl::support
