// SPDX-License-Identifier: Apache-2.0
#include "oracle/citation_sources.h"

#include <optional>
#include <utility>
#include <variant>

#include "oracle/lab_runs.h"
#include "oracle/made_here.h"
#include "oracle/oracle.h"
#include "statement/statement.h"

namespace sibyl::oracle {

Result<std::unique_ptr<CitationSources>> CitationSources::Open(
    const Context& context, const evidence::Lock& lock, const evidence::Surroundings& around) {
  CitedFacts facts = SIBYL_TRY(CitedFacts::Open(lock, around, MadeHere(context)));
  facts.ShareInspected(context.inspected);
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
    : around_(around),
      resolver_(gate::CitationResolver::Open(lock, around)),
      facts_(std::move(facts)),
      absent_(lock, around),
      config_(config),
      labs_(ResolverOfLabs(around.oracle, MadeHere(context))) {}

gate::OtherResolver CitationSources::other() const {
  return [this](const evidence::Citation& citation) -> std::optional<gate::OtherAnswer> {
    const MutexLock lock(mutex_);
    if (const auto* absent = std::get_if<evidence::AbsentCitation>(&citation)) {
      return absent_.Resolve(*absent);
    }
    std::optional<gate::OtherAnswer> answer = ResolverOfFacts(facts_)(citation);
    return answer ? answer : labs_(citation);
  };
}

evidence::WordsFinder CitationSources::words() const {
  return [this](const evidence::SourceCitation& citation,
                std::string_view words) -> Result<evidence::ByteRange> {
    const gate::Resolution found = resolver_.Resolve({citation}).front();
    if (!found.ok()) {
      return Error{.kind = ErrorKind::kNotFound, .message = "the cited lines were not found"};
    }
    return evidence::FindWords(*found.file, citation.lines, words);
  };
}

evidence::PlaceFinder CitationSources::places() const {
  return [this](std::string_view place) -> Result<evidence::Citation> {
    if (const std::optional<AbsentTarget> absent = ParseAbsentTarget(place)) {
      const MutexLock lock(mutex_);
      return evidence::Citation(SIBYL_TRY(absent_.Cite(*absent)));
    }
    evidence::CitedText cited = SIBYL_TRY(evidence::MakeCitation(place, around_));
    if (cited.page) return evidence::Citation(cited.page->citation);
    return evidence::Citation(std::move(cited.citation));
  };
}

std::vector<std::pair<evidence::FactCitation, inspect::RecordedFact>> CitationSources::FactsOf(
    std::string_view sha256) const {
  const MutexLock lock(mutex_);
  std::vector<std::pair<evidence::FactCitation, inspect::RecordedFact>> facts;
  for (const auto& [citation, fact] : facts_.book().All()) {
    if (citation.sha256 == sha256) facts.emplace_back(citation, *fact);
  }
  return facts;
}

Result<gate::GateResult> CitationSources::Check(draft::Draft draft,
                                                const Linkable& linkable) const {
  gate::OraclePages pages(around_.oracle);
  for (const std::string& page : linkable.planned) pages.PutPlanned(page);
  for (const draft::Draft* other : linkable.together) {
    const Result<statement::Statements> statements = statement::ReadStatements(other->text);
    if (statements.ok()) pages.Put(other->path, *statements, other->text);
  }
  return gate::Gate::Check(std::move(draft), {.resolver = resolver_,
                                              .oracle = pages,
                                              .other = other(),
                                              .max_undecided = config_.max_undecided});
}

}  // namespace sibyl::oracle
