// SPDX-License-Identifier: Apache-2.0
#include "cards/card.h"

#include <utility>

#include "engine/arguments.h"
#include "engine/evidence_operations.h"
#include "engine/outcome.h"
#include "engine/search_json.h"
#include "engine/searched_sources.h"
#include "engine/text/render.h"
#include "index/rank/find_cards.h"
#include "oracle/context.h"
#include "oracle/oracle.h"
#include "oracle/source_index.h"

namespace sibyl::engine {
namespace {

// Where another card is, without what it says.
Json PlaceAsJson(Json card) {
  for (const char* key : {"signature", "documentation", "parameters", "returns", "choices"}) {
    card.erase(key);
  }
  return card;
}

Result<Outcome> RunCard(const oracle::Context& context, const Arguments& arguments) {
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const evidence::Lock lock = SIBYL_TRY(evidence::ReadLock(around));
  oracle::SourceIndexes indexes =
      SIBYL_TRY(oracle::OpenSourceIndexes(lock, around, arguments.All("source")));
  const index::Searcher searcher(indexes.Borrow());
  const std::string name(arguments.Text("name"));
  const index::CardQuery query{
      .text = name, .limit = static_cast<std::size_t>(arguments.Integer("limit").value_or(6))};
  Outcome outcome{.data = {{"name", name}, {"card", nullptr}, {"others", Json::array()}}};
  for (const index::CardHit& hit : index::FindCards(searcher, query)) {
    const evidence::Pin* pin = indexes.FindPin(hit.source_view);
    if (pin == nullptr) continue;
    Json card = CardAsJson(searcher, hit, *pin);
    if (outcome.data["card"].is_null() && hit.match != index::CardMatch::kWords) {
      outcome.data["card"] = std::move(card);
    } else {
      outcome.data["others"].push_back(PlaceAsJson(std::move(card)));
    }
  }
  outcome.data["searched_sources"] = SearchedSources(indexes);
  outcome.holds = !outcome.data["card"].is_null();
  for (Finding& finding : indexes.findings) {
    if (finding.severity == Severity::kError) outcome.holds = false;
    outcome.findings.push_back(std::move(finding));
  }
  return outcome;
}

constexpr Parameter kCardParameters[] = {
    {.name = "name",
     .value_name = "NAME",
     .help = "a name, or an error with its number",
     .kind = ParameterKind::kPositional,
     .required = true},
    {.name = "source",
     .short_name = 's',
     .value_name = "NAME",
     .help = "search this source only",
     .repeated = true},
    {.name = "limit",
     .short_name = 'n',
     .value_name = "N",
     .help = "maximum cards [6]",
     .type = ValueType::kInteger,
     .minimum = 1,
     .maximum = 1000},
};

std::vector<Rule> CardRules() { return oracle::SourceIndexRules(); }

}  // namespace

constexpr Operation kCard = {
    .name = "card",
    .summary = "show what a source defines under a name",
    .description =
        R"(Shows the definition of a name in the pinned sources with everything that is said about it there:
signature, parameters, value, documentation, the version that added it, and the citation of its
lines. Definitions in headers, modules and documentation come before those in tests and examples;
the other places are listed below it.

A name is found whatever its case and separators: `--max-model-len`, `max_model_len` and
`maxModelLen` are one. An error is also found by its number. Exit status 1 means that no source
defines the name; the nearest cards are listed.

  sibyl card cudaMemcpyAsync
  sibyl card torch.nn.Linear --source pytorch
  sibyl card 'runtime error 719')",
    .parameters = kCardParameters,
    .effects = {.reads = true, .writes = true},
    .rules = CardRules,
    .tool = {.name = "card", .is_read_only = true, .is_idempotent = true},
    .run = RunCard,
    .render = RenderCardOperation,
};

}  // namespace sibyl::engine
