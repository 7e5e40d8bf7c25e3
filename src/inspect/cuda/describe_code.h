// SPDX-License-Identifier: Apache-2.0
// What is said of an artifact's device code, wherever it was found: facts,
// findings, and whether it runs on the GPUs that were asked for.
#pragma once

#include "inspect/artifact.h"
#include "inspect/inspect_options.h"

namespace sibyl::inspect {

void DescribeCode(const InspectOptions& options, Artifact& artifact);

}  // namespace sibyl::inspect
