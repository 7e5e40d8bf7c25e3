// SPDX-License-Identifier: Apache-2.0
// Which labs can be run here: programs that are built, and sources that were
// installed with sibyl and are built when they are needed. Nothing that an
// oracle or the working folder contains is ever run.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/programs.h"
#include "lab/sources.h"
#include "oracle/context.h"

namespace sibyl::oracle {

struct Labs {
  std::vector<lab::Program> programs;      ///< Built, sorted by name.
  std::optional<lab::LabSources> sources;  ///< Of this installation.
};

/// The programs in SIBYL_LABS and nothing else, or those beside `program`, with
/// the sources that were installed with it. kNotFound, with what to do, if there
/// are none.
Result<Labs> FindLabs(const std::filesystem::path& program);
/// Beside the program that is running.
Result<Labs> FindLabs();

/// The program of a lab, built from the sources if it is not built yet
/// (lab/build.h). kNotFound with the nearest name.
Result<lab::Program> OpenLab(const Context& context, const Labs& labs, std::string_view name);

}  // namespace sibyl::oracle
