// SPDX-License-Identifier: Apache-2.0
// Artifacts as JSON, the same for every front end.
#pragma once

#include <span>

#include "base/json.h"
#include "field/field.h"
#include "inspect/artifact.h"

namespace sibyl::engine {

/// {"path", "kind", "bytes", "sha256", "facts", "findings", "images", ...}
Json ArtifactAsJson(const inspect::Artifact& artifact);

/// The images of an artifact that these GPUs never load.
Json PruneAsJson(const inspect::Artifact& artifact, std::span<const field::GpuTarget> gpus);

/// The differences between the code of two artifacts.
Json ComparisonAsJson(const inspect::Artifact& before, const inspect::Artifact& after);

}  // namespace sibyl::engine
