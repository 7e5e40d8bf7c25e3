// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "engine/arguments.h"
#include "engine/judgement_json.h"
#include "engine/lab/lab_json.h"
#include "engine/outcome.h"
#include "engine/reading/checked_pages.h"
#include "engine/reading/newest_commit.h"
#include "engine/reading/reading_operations.h"
#include "engine/reading/receipt_json.h"
#include "engine/reading/statement_units.h"
#include "engine/text/render.h"
#include "gate/structure.h"
#include "oracle/lab_runs.h"
#include "oracle/oracle.h"

namespace sibyl::engine {
namespace {

std::string_view KindName(statement::StatementKind kind) {
  switch (kind) {
    case statement::StatementKind::kItem:
      return "item";
    case statement::StatementKind::kCell:
      return "row";
    case statement::StatementKind::kHeading:
      return "heading";
    case statement::StatementKind::kCode:
      return "code";
    case statement::StatementKind::kQuote:
      return "quote";
    default:
      return "sentence";
  }
}

Json CheckAsJson(const statement::Judgement& judgement) {
  Json json = {{"verdict", statement::VerdictName(judgement.verdict)},
               {"code", judgement.code},
               {"kind", judgement.kind},
               {"text", judgement.text},
               {"message", judgement.message}};
  if (!judgement.nearest.empty()) json["nearest"] = judgement.nearest;
  if (!judgement.where.empty()) json["where"] = judgement.where;
  return json;
}

Json UnitAsJson(const StatementUnit& unit) {
  Json json = {{"id", unit.id},     {"kind", KindName(unit.kind)}, {"begin", unit.begin},
               {"end", unit.end},   {"line", unit.line},           {"verdict", unit.verdict},
               {"text", unit.text}, {"citations", Json::array()},  {"checks", Json::array()}};
  for (const gate::Receipt* receipt : unit.receipts) json["citations"].push_back(receipt->label);
  for (const statement::Judgement* judgement : unit.judgements) {
    json["checks"].push_back(CheckAsJson(*judgement));
    if (judgement->words == nullptr || json.contains("words")) continue;
    json["words"] = Json::array();
    for (const statement::JudgedWord& word : *judgement->words) {
      json["words"].push_back({{"text", word.text}, {"ground", word.ground}, {"by", word.by}});
    }
  }
  return json;
}

// The receipts of one statement, or all that the page uses, in the order of the
// first use.
std::vector<const gate::Receipt*> ReceiptsToShow(const std::vector<StatementUnit>& units,
                                                 const gate::Page& page) {
  std::vector<const gate::Receipt*> shown;
  std::set<const gate::Receipt*> seen;
  const auto add = [&](const gate::Receipt* receipt) {
    if (seen.insert(receipt).second) shown.push_back(receipt);
  };
  std::vector<std::pair<std::size_t, const gate::Receipt*>> unused;
  for (const StatementUnit& unit : units)
    std::for_each(unit.receipts.begin(), unit.receipts.end(), add);
  for (const auto& [label, receipt] : page.receipts) {
    if (receipt.uses > 0 && !IsNote(page, receipt)) unused.emplace_back(receipt.line, &receipt);
  }
  std::sort(unused.begin(), unused.end());
  for (const auto& [line, receipt] : unused) add(receipt);
  return shown;
}

// Footnotes that are remarks, in the order of their lines.
Json NotesOf(const gate::Page& page) {
  std::vector<std::pair<std::size_t, std::string>> notes;
  for (const auto& [label, receipt] : page.receipts) {
    if (receipt.uses > 0 && IsNote(page, receipt)) notes.emplace_back(receipt.line, label);
  }
  std::sort(notes.begin(), notes.end());
  Json json = Json::array();
  for (const auto& [line, label] : notes) json.push_back({{"label", label}, {"line", line}});
  return json;
}

// What the receipt does not have itself: the newest commit here, the measurement
// with its floor and device, all that was recorded about the artifact.
class ReceiptDetails {
 public:
  ReceiptDetails(const oracle::Context& context, const evidence::Surroundings& around,
                 const oracle::CitationSources& sources)
      : context_(context), newest_(around), sources_(sources) {}

  Json Describe(const gate::Receipt& receipt, std::size_t around) {
    Json json = ReceiptAsJson(receipt, around);
    if (Json newest = newest_.Look(receipt); !newest.is_null()) json["newest"] = std::move(newest);
    if (!receipt.citation) return json;
    if (const auto* lab = std::get_if<evidence::LabCitation>(&*receipt.citation)) {
      AddMeasurement(*lab, json);
    } else if (const auto* fact = std::get_if<evidence::FactCitation>(&*receipt.citation)) {
      AddArtifact(fact->sha256, json);
    }
    return json;
  }

 private:
  void AddMeasurement(const evidence::LabCitation& lab, Json& json) const {
    const Result<oracle::KeptRun> kept = oracle::ReadKeptRun(context_, lab.run);
    if (!kept.ok()) return;
    for (const lab::Measurement& measurement : kept->run.measurements) {
      if (lab::MetricKey(measurement) != lab.metric) continue;
      json["measurement"] = MeasurementAsJson(measurement, kept->id);
      json["measured"] = {{"command", kept->run.command},
                          {"time", kept->run.time},
                          {"here", kept->is_measured_here}};
    }
  }

  void AddArtifact(const std::string& sha256, Json& json) const {
    Json facts = Json::array();
    for (const auto& [citation, fact] : sources_.FactsOf(sha256)) {
      json["artifact"] = {{"kind", fact.kind}, {"bytes", fact.bytes}, {"path", fact.path}};
      facts.push_back(
          {{"inspector", citation.inspector}, {"key", citation.key}, {"value", fact.value}});
    }
    if (!facts.empty()) json["artifact"]["facts"] = std::move(facts);
  }

  const oracle::Context& context_;
  NewestCommits newest_;
  const oracle::CitationSources& sources_;
};

Result<Outcome> RunPageShow(const oracle::Context& context, const Arguments& arguments) {
  const CheckedPages checked = SIBYL_TRY(CheckPages(context, std::string(arguments.Text("file"))));
  if (checked.pages.size() != 1) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "showing a page: it names a folder",
                 .hint = "'sibyl page list' lists the pages"};
  }
  const gate::Page& page = *checked.pages.front();
  if (page.problem) return *page.problem;
  const std::vector<statement::Judgement>& judgements = checked.judgements.front();
  std::vector<StatementUnit> units = UnitsOf(page, judgements);
  const evidence::Surroundings surroundings = SIBYL_TRY(oracle::EvidenceAround(context));
  ReceiptDetails details(context, surroundings, *checked.sources);
  const auto around = static_cast<std::size_t>(arguments.Integer("context").value_or(0));
  const std::optional<std::int64_t> wanted = arguments.Integer("statement");
  Outcome outcome{.data = {{"file", page.source.path},
                           {"title", TitleOf(page)},
                           {"knowledge", page.IsKnowledge()},
                           {"citations", page.CountCitations()},
                           {"counts", CountsAsJson(statement::CountVerdicts(judgements))},
                           {"marks", UnitCountsAsJson(CountUnits(units))},
                           {"statements", Json::array()},
                           {"receipts", Json::array()}}};
  if (wanted) {
    std::erase_if(units, [&](const StatementUnit& unit) {
      return static_cast<std::int64_t>(unit.id) != *wanted;
    });
    if (units.empty()) {
      return Error{.kind = ErrorKind::kNotFound,
                   .message = "showing a page: it has no statement of that number"};
    }
    for (const gate::Receipt* receipt : units.front().receipts) {
      outcome.data["receipts"].push_back(details.Describe(*receipt, around));
    }
  } else {
    outcome.data["text"] = page.source.text;
    outcome.data["notes"] = NotesOf(page);
    for (const gate::Receipt* receipt : ReceiptsToShow(units, page)) {
      outcome.data["receipts"].push_back(details.Describe(*receipt, around));
    }
  }
  for (const StatementUnit& unit : units) {
    outcome.data["statements"].push_back(UnitAsJson(unit));
  }
  outcome.findings = checked.findings;
  return outcome;
}

constexpr Parameter kPageShowParameters[] = {
    {.name = "file",
     .value_name = "PAGE",
     .help = "a page of the oracle",
     .kind = ParameterKind::kPositional,
     .type = ValueType::kPath,
     .required = true},
    {.name = "statement",
     .value_name = "N",
     .help = "only this statement and its receipts",
     .type = ValueType::kInteger,
     .minimum = 1,
     .maximum = 1'000'000'000},
    {.name = "context",
     .value_name = "N",
     .help = "lines to show before and after the cited ones",
     .type = ValueType::kInteger,
     .default_text = "0",
     .minimum = 0,
     .maximum = 200},
};

}  // namespace

constexpr Operation kPageShow = {
    .name = "page show",
    .summary = "show a page's statements, each with its receipt",
    .description =
        R"(Shows each statement that has a citation or failed a check, with its verdict, and the receipts: the
cited lines, their pin and its date, whether they still hold, and where they are now if the source
has moved. With `--json`, also the text of the page, the place of each statement in it, and which
words of a statement the cited lines ground. The checks are those of `sibyl verify`.

  sibyl page show cuda/16-cupti.md
  sibyl page show cuda/16-cupti.md --statement 3 --context 10)",
    .parameters = kPageShowParameters,
    .effects = {.reads = true, .writes = true},
    .tool = {.name = "show_page", .is_read_only = true, .is_idempotent = true},
    .run = RunPageShow,
    .render = RenderPageShow,
};

}  // namespace sibyl::engine
