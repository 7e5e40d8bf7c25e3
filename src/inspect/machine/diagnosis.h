// SPDX-License-Identifier: Apache-2.0
// What is wrong with a machine, worst first, each with the command that mends
// it; and the answer to "do I need CUPTI here, and do I have it?". Decides from
// what was seen; looks at nothing itself.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/finding.h"
#include "inspect/artifact.h"
#include "inspect/machine/machine.h"
#include "inspect/rules.h"

namespace sibyl::inspect {

std::vector<Finding> Diagnose(const Machine& machine);

/// The codes of those findings.
std::span<const Rule> MachineRules();

struct CuptiAnswer {
  bool is_needed = false;
  bool is_there = false;
  std::string why;   ///< Who needs it.
  std::string have;  ///< What there is.
};

CuptiAnswer AnswerCupti(const Machine& machine);

/// The facts, under the inspector "machine". They have no citation: a machine
/// is no file.
std::vector<Fact> MachineFacts(const Machine& machine);

}  // namespace sibyl::inspect
