// SPDX-License-Identifier: Apache-2.0
// A run as a picture: a bar for each variant of each case, and a line at its
// floor.
#pragma once

#include <string>

#include "lab/run.h"

namespace sibyl::lab {

/// A self-contained SVG file, without scripts; readable in dark and light mode.
std::string PlotRun(const Run& run);

}  // namespace sibyl::lab
