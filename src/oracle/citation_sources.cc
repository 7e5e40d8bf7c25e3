// SPDX-License-Identifier: Apache-2.0
#include "oracle/citation_sources.h"

#include <optional>
#include <utility>

#include "oracle/lab_runs.h"
#include "oracle/made_here.h"
#include "oracle/oracle.h"

namespace sibyl::oracle {

Result<std::unique_ptr<CitationSources>> CitationSources::Open(
    const Context& context, const evidence::Lock& lock, const evidence::Surroundings& around) {
  CitedFacts facts = SIBYL_TRY(CitedFacts::Open(lock, around, MadeHere(context)));
  const Root oracle = SIBYL_TRY(OpenOracle(context));
  const std::string text = SIBYL_TRY(oracle.Read(evidence::kConfigFile));
  const gate::GateConfig config = SIBYL_TRY(gate::ParseGateConfig(
      text, ShownPath(context, around.oracle / evidence::kConfigFile).string()));
  return std::unique_ptr<CitationSources>(
      new CitationSources(context, lock, around, std::move(facts), config));
}

CitationSources::CitationSources(const Context& context, const evidence::Lock& lock,
                                 const evidence::Surroundings& around, CitedFacts facts,
                                 const gate::GateConfig& config)
    : oracle_(around.oracle),
      resolver_(gate::CitationResolver::Open(lock, around)),
      facts_(std::move(facts)),
      config_(config),
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
  return gate::Gate::Check(std::move(draft), {.resolver = resolver_,
                                              .oracle = pages,
                                              .other = other(),
                                              .max_undecided = config_.max_undecided});
}

}  // namespace sibyl::oracle
