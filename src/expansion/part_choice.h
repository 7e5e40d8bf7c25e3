// SPDX-License-Identifier: Apache-2.0
// Which parts of a plan are to be run, and why the others are not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.h"
#include "library/library.h"
#include "plan/plan.h"

namespace sibyl::expansion {

enum class PartState : std::uint8_t {
  kRuns,
  kDone,      ///< Ticked, and its file is there.
  kDisabled,  ///< The plan says so.
  kTbd,       ///< Still to be determined in the plan.
  kNotAsked,  ///< Other parts were requested.
  kRefused,   ///< Cannot be run; a finding says why.
};

/// "runs", "done", "disabled", "tbd", "not-asked", "refused"
std::string_view PartStateName(PartState state);

struct ChosenPart {
  std::size_t place = 0;  ///< In Plan::parts.
  PartState state = PartState::kRuns;
  library::ExistingFile existing = library::ExistingFile::kRefuse;
};

struct PartChoices {
  std::vector<ChosenPart> parts;  ///< As Plan::parts.
  std::vector<Finding> findings;  ///< About those that are refused.

  std::size_t running() const;
};

struct ChoiceOptions {
  std::filesystem::path oracle;
  std::string plan_name;            ///< As findings call it.
  std::string_view plan_text_view;  ///< For the lines that findings show.
  std::vector<int> numbers;         ///< Only these; empty: all.
  library::ExistingFile existing = library::ExistingFile::kRefuse;
};

/// A part that is ticked and whose file the oracle does not have is run: the
/// plan was carried out elsewhere.
PartChoices ChooseParts(const plan::Plan& plan, const ChoiceOptions& options);

}  // namespace sibyl::expansion
