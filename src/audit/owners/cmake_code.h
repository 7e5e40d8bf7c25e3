// SPDX-License-Identifier: Apache-2.0
// Checks properties and commands in blocks of CMake code against CMake's own help: what a project
// may not define itself.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "audit/witness.h"
#include "statement/atom.h"
#include "statement/statement.h"
#include "statement/verdict.h"

namespace sibyl::audit {

struct CMakeName {
  std::string name;
  std::size_t offset = 0;
  bool is_command = false;  ///< Otherwise a property.
};

/// The properties that a block sets or reads, and the commands that it calls; at most 500. Takes
/// linear time.
std::vector<CMakeName> FindCMakeNames(std::string_view code);

/// Those that CMake does not have, by offset; without their places. Nothing if CMake is not pinned.
std::map<std::size_t, statement::Judgement> JudgeCMakeCode(const statement::Statement& block,
                                                           const Witness& witness,
                                                           const statement::OwnNames& own);

}  // namespace sibyl::audit
