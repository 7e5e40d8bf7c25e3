// SPDX-License-Identifier: Apache-2.0
// Which RUN downloads the package lists of apt that a later one installs from. Lists that are still
// needed must not be removed, and an install without any fails.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "inspect/docker/docker_layers.h"
#include "inspect/docker/dockerfile.h"

namespace sibyl::inspect {

struct PackageListUse {
  struct Later {
    std::size_t line = 0;
    bool is_script = false;  ///< It runs a script, which may install.
  };
  /// By the line of the RUN that downloads the lists: the first one that needs them after it.
  std::map<std::size_t, Later> later;
  /// Stages that install from the lists of the stage that they are built on.
  std::set<std::size_t> stages_with_lists_of_base;
  struct Lacking {
    const DockerInstruction* run = nullptr;
    std::size_t removed_at = 0;  ///< The line that removed the lists.
  };
  std::vector<Lacking> lacking;
};

/// Stops when the budget is spent.
PackageListUse FindPackageListUse(const Dockerfile& file, ScriptBudget& budget);

}  // namespace sibyl::inspect
