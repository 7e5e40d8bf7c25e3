// SPDX-License-Identifier: Apache-2.0
// Numbers of a statement that follow from others: sums and products that it gives
// itself, the same size in another unit, examples and what comes out of them.
#pragma once

#include <vector>

#include "support/evidence_text.h"
#include "support/numbers/quantity.h"
#include "support/read_statement.h"

namespace sibyl::support {

/// Borrows both.
class DerivedNumbers {
 public:
  DerivedNumbers(const ReadStatement& read, const EvidenceText& evidence);

  /// From other numbers of the statement, or as a power that the lines write as a shift.
  bool IsCalculatedHere(const Quantity& said) const;
  /// An example ("a request for 1,300 bytes"), or what follows from one and the lines.
  bool Follows(const Quantity& said) const;
  /// A part of "2^64 - 2" where the lines have the largest number of a type.
  bool IsOfLimit(const Quantity& said) const;

 private:
  const ReadStatement& read_;
  const EvidenceText& evidence_;
  std::vector<const Quantity*> given_;
  bool concludes_ = false;
  bool has_example_ = false;
};

}  // namespace sibyl::support
