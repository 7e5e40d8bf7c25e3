// SPDX-License-Identifier: Apache-2.0
#include "inspect/artifact.h"

#include "evidence/citation.h"

namespace sibyl::inspect {

std::string CitationOf(const Artifact& artifact, const Fact& fact) {
  if (artifact.sha256.empty() || !fact.is_of_its_bytes) return {};
  return evidence::FormatCitation(evidence::FactCitation{
      .sha256 = artifact.sha256, .inspector = fact.inspector, .key = fact.key});
}

const Fact* FindFact(const Artifact& artifact, std::string_view inspector, std::string_view key) {
  for (const Fact& fact : artifact.facts) {
    if (fact.inspector == inspector && fact.key == key) return &fact;
  }
  return nullptr;
}

}  // namespace sibyl::inspect
