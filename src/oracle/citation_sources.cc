// SPDX-License-Identifier: Apache-2.0
#include "oracle/citation_sources.h"

#include <optional>
#include <utility>

#include "oracle/lab_runs.h"
#include "oracle/made_here.h"

namespace sibyl::oracle {

Result<std::unique_ptr<CitationSources>> CitationSources::Open(
    const Context& context, const evidence::Lock& lock, const evidence::Surroundings& around) {
  CitedFacts facts = SIBYL_TRY(CitedFacts::Open(lock, around, MadeHere(context)));
  return std::unique_ptr<CitationSources>(
      new CitationSources(context, lock, around, std::move(facts)));
}

CitationSources::CitationSources(const Context& context, const evidence::Lock& lock,
                                 const evidence::Surroundings& around, CitedFacts facts)
    : oracle_(around.oracle),
      resolver_(gate::CitationResolver::Open(lock, around)),
      facts_(std::move(facts)),
      labs_(ResolverOfLabs(around.oracle, MadeHere(context))) {}

gate::OtherResolver CitationSources::other() const {
  return [this](const evidence::Citation& citation) -> std::optional<gate::OtherAnswer> {
    const MutexLock lock(mutex_);
    std::optional<gate::OtherAnswer> answer = ResolverOfFacts(facts_)(citation);
    return answer ? answer : labs_(citation);
  };
}

Result<gate::GateResult> CitationSources::Check(draft::Draft draft) const {
  gate::OraclePages pages(oracle_);
  return gate::Gate::Check(std::move(draft),
                           {.resolver = resolver_, .oracle = pages, .other = other()});
}

}  // namespace sibyl::oracle
