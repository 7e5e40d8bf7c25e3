// SPDX-License-Identifier: Apache-2.0
// Describes an artifact's device code, wherever it was found: facts, findings, and whether it
// runs on the requested GPUs.
#pragma once

#include "inspect/artifact.h"
#include "inspect/inspect_options.h"

namespace sibyl::inspect {

void DescribeCode(const InspectOptions& options, Artifact& artifact);

}  // namespace sibyl::inspect
