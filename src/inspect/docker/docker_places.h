// SPDX-License-Identifier: Apache-2.0
// What is done with findings and corrections when all checks of a Dockerfile have made theirs.
#pragma once

#include "base/json.h"
#include "inspect/artifact.h"
#include "inspect/docker/dockerfile.h"

namespace sibyl::inspect {

/// Findings are made for instructions; a script may be a hundred lines long.
void PlaceInHereDocuments(const Dockerfile& file, Artifact& artifact);

/// Several checks may see one mistake: the same words for one line are said once.
void DropRepeated(Artifact& artifact);

/// A correction that makes an instruction of what an ONBUILD triggers would do it at once.
void DropCorrectionsOfTriggers(const Dockerfile& file, Json& corrections);

}  // namespace sibyl::inspect
