// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>

#include "base/nearest_name.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "cards/file_cards.h"
#include "engine/agent/agent_operations.h"
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "evidence/evidence.h"
#include "index/document_traits.h"
#include "index/rank/searcher.h"
#include "oracle/context.h"
#include "oracle/oracle.h"
#include "oracle/source_index.h"
#include "passages/language.h"

namespace sibyl::engine {
namespace {

struct Symbol {
  bool is_secondary = false;  // of a test, an example or a generated file
  std::string path;
  std::uint32_t first_line = 0;
  std::uint32_t last_line = 0;
  cards::CardKind kind = cards::CardKind::kFunction;
  std::string name;
  std::string value;
};

// Case does not matter: an agent guesses at names.
bool IsWantedSymbol(const Symbol& symbol, const Arguments& arguments) {
  if (!arguments.Has("match")) return true;
  return LowerCase(symbol.name).find(LowerCase(arguments.Text("match"))) != std::string::npos;
}

Result<std::vector<Symbol>> SymbolsOfFile(std::string_view target,
                                          const evidence::Surroundings& around) {
  const evidence::CitedText cited = SIBYL_TRY(evidence::MakeCitation(target, around));
  if (!cited.citation.lines.IsWhole()) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "symbols are those of a whole file or source",
                 .hint = "leave out the lines"};
  }
  const std::string_view language = passages::Classify(cited.citation.path, cited.text).language;
  std::vector<Symbol> symbols;
  for (const cards::Card& card : cards::ReadFileCards(
           {.path = cited.citation.path, .language = language, .text = cited.text})) {
    symbols.push_back({.path = cited.citation.path,
                       .first_line = static_cast<std::uint32_t>(card.first_line),
                       .last_line = static_cast<std::uint32_t>(card.last_line),
                       .kind = card.kind,
                       .name = card.name,
                       .value = card.value});
  }
  return symbols;
}

void AddDocument(const index::Segment& segment, std::size_t number, std::vector<Symbol>& symbols) {
  const index::DocumentRecord& document = segment.document(number);
  const auto traits = index::DocumentTraits::FromBits(document.traits);
  const index::Segment::CardRange cards = segment.cards_of(number);
  for (std::uint32_t i = cards.first; i < cards.end; ++i) {
    const index::CardRecord& card = segment.card(i);
    symbols.push_back({.is_secondary = traits.is_test || traits.is_generated || traits.is_example,
                       .path = std::string(segment.path(document)),
                       .first_line = card.first_line,
                       .last_line = card.first_line + card.more_lines,
                       .kind = static_cast<cards::CardKind>(card.kind),
                       .name = std::string(segment.card_name(card)),
                       .value = std::string(segment.card_value(card))});
  }
}

// Its own files before tests and examples; each file from its first line.
Result<std::vector<Symbol>> SymbolsOfSource(const std::string& name, const evidence::Lock& lock,
                                            const evidence::Surroundings& around,
                                            const Arguments& arguments) {
  oracle::SourceIndexes indexes = SIBYL_TRY(oracle::OpenSourceIndexes(lock, around, {name}));
  const index::Searcher searcher(indexes.Borrow());
  std::vector<Symbol> symbols;
  for (const index::Searcher::Part& part : searcher.parts()) {
    const index::Segment& segment = part.part->segment;
    std::vector<Symbol> all;
    for (std::size_t i = 0; i < segment.document_count(); ++i) {
      all.clear();
      const std::vector<std::uint64_t>& dead = part.part->dead_documents;
      if (!dead.empty() && (dead[i / 64] >> i % 64 & 1U) != 0) continue;
      AddDocument(segment, i, all);
      for (Symbol& symbol : all) {
        if (IsWantedSymbol(symbol, arguments)) symbols.push_back(std::move(symbol));
      }
    }
  }
  std::sort(symbols.begin(), symbols.end(), [](const Symbol& a, const Symbol& b) {
    return std::tie(a.is_secondary, a.path, a.first_line, a.name) <
           std::tie(b.is_secondary, b.path, b.first_line, b.name);
  });
  return symbols;
}

Json SymbolAsJson(const Symbol& symbol) {
  Json json = {{"kind", cards::CardKindName(symbol.kind)},
               {"name", ReplaceInvalidUtf8(symbol.name)},
               {"path", symbol.path},
               {"lines", {symbol.first_line, symbol.last_line}}};
  if (!symbol.value.empty()) json["value"] = ReplaceInvalidUtf8(symbol.value);
  return json;
}

Result<Outcome> RunSourceSymbols(const oracle::Context& context, const Arguments& arguments) {
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const evidence::Lock lock = SIBYL_TRY(evidence::ReadLock(around));
  const std::string target(arguments.Text("target"));
  const bool is_source =
      std::any_of(lock.pins.begin(), lock.pins.end(),
                  [&target](const evidence::Pin& pin) { return pin.name == target; });
  std::vector<Symbol> symbols = is_source
                                    ? SIBYL_TRY(SymbolsOfSource(target, lock, around, arguments))
                                    : SIBYL_TRY(SymbolsOfFile(target, around));
  std::erase_if(symbols,
                [&arguments](const Symbol& symbol) { return !IsWantedSymbol(symbol, arguments); });
  const auto limit = static_cast<std::size_t>(arguments.Integer("limit").value_or(200));
  Outcome outcome{
      .data = {{"target", target}, {"total", symbols.size()}, {"symbols", Json::array()}},
      .holds = !symbols.empty()};
  for (std::size_t i = 0; i < std::min(limit, symbols.size()); ++i) {
    outcome.data["symbols"].push_back(SymbolAsJson(symbols[i]));
  }
  return outcome;
}

std::vector<Rule> SymbolRules() { return oracle::SourceIndexRules(); }

constexpr Parameter kSymbolsParameters[] = {
    {.name = "target",
     .value_name = "TARGET",
     .help = "a pinned source, or a file of one (SOURCE:PATH)",
     .kind = ParameterKind::kPositional,
     .required = true},
    {.name = "match",
     .short_name = 'm',
     .value_name = "TEXT",
     .help = "only names that contain this, whatever its case"},
    {.name = "limit",
     .short_name = 'n',
     .value_name = "N",
     .help = "maximum names",
     .type = ValueType::kInteger,
     .default_text = "200",
     .minimum = 1,
     .maximum = 100'000},
};

}  // namespace

constexpr Operation kSourceSymbols = {
    .name = "source symbols",
    .summary = "list the names that a file or a source defines",
    .description =
        R"(Lists functions, types, macros, enumerators, variables of the environment, options and what
documentation defines, with kind, value and lines. Files of the source come before its tests and
examples. `sibyl card NAME` shows one of them with its documentation; `sibyl source outline` shows
how a file is divided. Exit status 1 means that there are none.

  sibyl source symbols cutlass:include/cute/layout.hpp
  sibyl source symbols pytorch --match CUDA_ARCH)",
    .parameters = kSymbolsParameters,
    .effects = {.reads = true, .writes = true},
    .rules = SymbolRules,
    .tool = {.name = "symbols", .is_read_only = true, .is_idempotent = true},
    .run = RunSourceSymbols,
    .render = RenderSourceSymbols,
};

}  // namespace sibyl::engine
