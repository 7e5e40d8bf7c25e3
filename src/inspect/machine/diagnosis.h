// SPDX-License-Identifier: Apache-2.0
// Lists the problems of a machine, worst first, each with the command that fixes it; and
// answers "do I need CUPTI here, and do I have it?". Uses only the given Machine; reads no
// files.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/finding.h"
#include "inspect/artifact.h"
#include "inspect/machine/machine.h"
#include "inspect/rules.h"

namespace sibyl::inspect {

std::vector<Finding> Diagnose(const Machine& machine);

/// Why no CUDA program can run here: what is wrong with the GPU or its driver; nullopt if one may.
std::optional<Finding> WhyNoGpu(const Machine& machine);

/// The codes of these findings.
std::span<const Rule> MachineRules();

struct CuptiAnswer {
  bool is_needed = false;
  bool is_there = false;
  std::string why;   ///< What needs it.
  std::string have;  ///< What is installed.
};

CuptiAnswer AnswerCupti(const Machine& machine);

/// The facts, under the inspector "machine". They have no citation: a machine is not a file.
std::vector<Fact> MachineFacts(const Machine& machine);

}  // namespace sibyl::inspect
