// SPDX-License-Identifier: Apache-2.0
#include "engine/audit_sources.h"

#include "evidence/source.h"

namespace sibyl::engine {

std::vector<audit::WitnessSource> WitnessSources(const oracle::SourceIndexes& indexes) {
  std::vector<audit::WitnessSource> sources;
  for (const oracle::SourceIndex& source : indexes.sources) {
    sources.push_back({.name = source.pin.name,
                       .pin = evidence::ShortPin(source.pin),
                       .origin = source.pin.origin});
  }
  return sources;
}

}  // namespace sibyl::engine
