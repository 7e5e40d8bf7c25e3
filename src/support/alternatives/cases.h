// SPDX-License-Identifier: Apache-2.0
// The cases of a C switch: `case 3: case 5: value = 256; break;` gives 256 to 3
// and to 5.
#pragma once

#include <string_view>
#include <vector>

#include "support/alternatives/branches.h"
#include "support/read_statement.h"

namespace sibyl::support {

struct SwitchCase {
  std::vector<double> labels;
  std::vector<double> values;  ///< The numbers of its statements, up to the next label.
};

/// In the order of the text, at most 100; labels that are not numbers are not read.
std::vector<SwitchCase> ReadCases(std::string_view lines);

/// "256 for 3 and 5 to 12", "for 6 there are 2 or 4": whether each label has its
/// number. Neither if the statement has no label or no number of the switch.
BranchFit CompareCases(const ReadStatement& read, const std::vector<SwitchCase>& cases);

}  // namespace sibyl::support
