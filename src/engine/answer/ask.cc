// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/files/root.h"
#include "base/line_span.h"
#include "base/strings.h"
#include "draft/answer/answer.h"
#include "engine/answer/field_answers.h"
#include "engine/answer/page_search.h"
#include "engine/answer/recorded_answers.h"
#include "engine/arguments.h"
#include "engine/expand_operations.h"
#include "engine/outcome.h"
#include "engine/searched_sources.h"
#include "engine/text/render.h"
#include "evidence/citation.h"
#include "evidence/origins/permalink.h"
#include "evidence/pages/page_citation.h"
#include "expansion/expansion_inputs.h"
#include "gate/cited/cited_instructions.h"
#include "gate/knowledge.h"
#include "oracle/context.h"
#include "oracle/lab_runs.h"
#include "oracle/oracle.h"
#include "oracle/page_index.h"
#include "oracle/source_index.h"
#include "plan/plan.h"

namespace sibyl::engine {
namespace {

constexpr std::size_t kStatements = 3;
constexpr std::size_t kMoreStatements = 12;

void AddReceipt(const draft::Excerpt& excerpt, std::uint32_t first, std::uint32_t last,
                Json& json) {
  const std::string link = excerpt.Link(first, last);
  json["source"] = excerpt.pin->name;
  json["path"] = excerpt.path;
  json["lines"] = {first, last};
  json["citation"] = evidence::FormatCitation(excerpt.Cite(first, last));
  json["link"] = link.empty() ? Json(nullptr) : Json(link);
}

// Of a statement of another page, which cites lines or a page.
void AddReceipt(const gate::Receipt& receipt, Json& json) {
  const evidence::SourceCitation* source = receipt.source();
  const auto* web = std::get_if<evidence::WebCitation>(&*receipt.citation);
  std::string link = source != nullptr ? evidence::Permalink(*source) : std::string();
  if (web != nullptr) link = web->url + evidence::TextFragment(receipt.Span().value_or(""));
  const evidence::Pin* pin = receipt.resolution.pin;
  json["source"] = source != nullptr && pin != nullptr ? Json(pin->name) : Json(nullptr);
  json["path"] = source != nullptr ? Json(source->path) : Json(nullptr);
  json["lines"] = source != nullptr ? Json{source->lines.first, source->lines.last} : Json(nullptr);
  json["citation"] = evidence::FormatCitation(*receipt.citation);
  json["link"] = link.empty() ? Json(nullptr) : Json(link);
}

Json FromSource(std::string_view kind, std::string text, const draft::Excerpt& excerpt,
                std::size_t first, std::size_t last) {
  Json json = {{"kind", kind}, {"text", std::move(text)}, {"heading", excerpt.heading}};
  AddReceipt(excerpt, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last), json);
  return json;
}

std::string_view KindName(draft::UnitKind kind) {
  switch (kind) {
    case draft::UnitKind::kText:
      return "quote";
    case draft::UnitKind::kSample:
      return "sample";
    case draft::UnitKind::kTable:
      return "table";
    case draft::UnitKind::kCode:
      break;
  }
  return "code";
}

Json StatementOf(const draft::AnswerUnit& answer) {
  const draft::Unit& unit = answer.unit;
  Json json =
      FromSource(KindName(unit.kind), unit.text, answer.excerpt, unit.first_line, unit.last_line);
  json["lead"] = unit.lead;
  json["language"] = answer.excerpt.language;
  json["met"] = answer.met;
  json["sureness"] = answer.sureness;
  return json;
}

// A unit of a page is used only if every citation in its lines still holds. One whose source
// is not on this machine is used too, and marked.
class KnownStatements {
 public:
  KnownStatements(const oracle::Context& context,
                  const std::vector<draft::KnowledgeFile>& knowledge, const evidence::Lock& lock,
                  const evidence::Surroundings& around)
      : context_(context),
        knowledge_(knowledge),
        resolver_(gate::CitationResolver::Open(lock, around)) {}

  void Add(const draft::AnswerUnit& known, Json& statements) {
    gate::Page* page = PageOf(known.excerpt.path);
    if (page == nullptr) return;
    const LineRange span{known.unit.first_line, known.unit.last_line};
    const std::optional<std::string_view> lines = TextOfLines(page->source.text, span);
    if (!lines) return;
    gate::Receipts cited;
    for (const auto& [label, receipt] : page->receipts) {
      if (lines->find("[^" + label + "]") != std::string::npos) cited.emplace(label, receipt);
    }
    gate::ResolveReceipts({&cited}, resolver_);
    const PlaceOnPage place =
        FindPlaceOnPage(page->source.text, static_cast<std::uint32_t>(span.first));
    Json json = {{"kind", "known"},
                 {"section", place.heading},
                 {"anchor", place.anchor},
                 {"text", HeaderOf(page->source.text, span.first) + known.unit.text},
                 {"lead", known.unit.lead},
                 {"page", known.excerpt.path},
                 {"page_line", known.unit.first_line},
                 {"page_last", known.unit.last_line},
                 {"checked", true}};
    const gate::Receipt* first = nullptr;
    for (const auto& [label, receipt] : cited) {
      if (!receipt.citation) return;
      if (!receipt.Resolves() && !IsNotHere(receipt)) return;
      if (receipt.Resolves() && !gate::CitedInstruction(receipt).empty()) return;
      if (!receipt.Resolves() && !IsKeptMeasurement(receipt)) json["checked"] = false;
      const bool is_earlier = first == nullptr || lines->find("[^" + label + "]") <
                                                      lines->find("[^" + first->label + "]");
      if (is_earlier) first = &receipt;
    }
    if (first == nullptr) return;
    AddReceipt(*first, json);
    statements.push_back(std::move(json));
  }

 private:
  // The header of the table that a line is a row of, or nothing.
  static std::string HeaderOf(std::string_view page, std::size_t line) {
    const auto is_row = [](std::string_view text) { return Trim(text).starts_with('|'); };
    std::vector<std::string_view> lines = SplitLines(page);
    if (line == 0 || line > lines.size() || !is_row(lines[line - 1])) return {};
    std::size_t top = line - 1;
    while (top > 0 && is_row(lines[top - 1])) --top;
    if (top + 1 >= line) return {};
    return fmt::format("{}\n{}\n", lines[top], lines[top + 1]);
  }

  // Of a run in the oracle, which is kept under the hash of its bytes.
  bool IsKeptMeasurement(const gate::Receipt& receipt) const {
    const auto* lab =
        receipt.citation ? std::get_if<evidence::LabCitation>(&*receipt.citation) : nullptr;
    if (lab == nullptr) return false;
    const Result<oracle::KeptRun> kept = oracle::ReadKeptRun(context_, lab->run);
    return kept.ok() && kept->run.Find(lab->metric) != nullptr;
  }

  // Facts are checked by `verify`, which can read what they are about.
  static bool IsNotHere(const gate::Receipt& receipt) {
    if (receipt.source() == nullptr) return receipt.page() == nullptr;
    using State = gate::Resolution::State;
    return receipt.resolution.state == State::kNoStore;
  }

  gate::Page* PageOf(const std::string& path) {
    for (const auto& page : pages_) {
      if (page->source.path == path) return page.get();
    }
    for (const draft::KnowledgeFile& file : knowledge_) {
      if (file.path != path) continue;
      gate::Pages read = gate::ReadPages({{.path = path, .name = path, .text = file.text}}, 1);
      if (read.front()->problem) return nullptr;
      pages_.push_back(std::move(read.front()));
      return pages_.back().get();
    }
    return nullptr;
  }

  const oracle::Context& context_;
  const std::vector<draft::KnowledgeFile>& knowledge_;
  gate::CitationResolver resolver_;
  gate::Pages pages_;
};

// Repositories that the oracle's plans name but that are not pinned.
Result<Json> Unpinned(const Root& oracle, const evidence::Lock& lock) {
  constexpr std::size_t kMost = 6;
  std::set<std::string> names;
  if (!oracle.IsFolder("_ingest-auto")) return Json::array();
  const Walked walked = SIBYL_TRY(oracle.Walk("_ingest-auto"));
  for (const RootEntry& entry : walked.entries) {
    if (!entry.name.ends_with("/ingestion.md") || entry.kind != FileKind::kFile) continue;
    const Result<std::string> text = oracle.Read(entry.name);
    if (!text.ok()) continue;
    for (const plan::Part& part : plan::Parse("plan", *text).plan.parts) {
      for (const plan::Text& repository : part.repositories) {
        if (repository.text.find('/') != std::string::npos) names.insert(repository.text);
      }
    }
  }
  Json unpinned = Json::array();
  for (const std::string& name : names) {
    const bool is_pinned =
        std::any_of(lock.pins.begin(), lock.pins.end(), [&](const evidence::Pin& pin) {
          return LowerCase(pin.origin).find(LowerCase(name)) != std::string::npos ||
                 LowerCase(name).ends_with("/" + LowerCase(pin.name));
        });
    if (!is_pinned && unpinned.size() < kMost) unpinned.push_back(name);
  }
  return unpinned;
}

// Of the oracle's own pages; none if it has none, or nothing can be written to the cache.
class PageSearcher {
 public:
  PageSearcher(const std::vector<draft::KnowledgeFile>& knowledge,
               const evidence::Surroundings& around) {
    std::vector<oracle::OwnPage> pages;
    pages.reserve(knowledge.size());
    for (const draft::KnowledgeFile& file : knowledge) pages.push_back({file.path, file.text});
    if (pages.empty()) return;
    Result<index::Index> index = oracle::OpenPageIndex(pages, around);
    if (!index.ok()) return;
    index_ = std::make_unique<index::Index>(std::move(*index));
    searcher_.emplace(std::vector<const index::Index*>{index_.get()});
  }

  const index::Searcher* get() const { return searcher_ ? &*searcher_ : nullptr; }

 private:
  std::unique_ptr<index::Index> index_;
  std::optional<index::Searcher> searcher_;
};

Json NearestOf(const draft::Answer& answer) {
  Json nearest = Json::array();
  for (const draft::AnswerUnit& unit : answer.nearest) nearest.push_back(StatementOf(unit));
  return nearest;
}

Result<Outcome> RunAsk(const oracle::Context& context, const Arguments& arguments) {
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const evidence::Lock lock = SIBYL_TRY(evidence::ReadLock(around));
  oracle::SourceIndexes indexes =
      SIBYL_TRY(oracle::OpenSourceIndexes(lock, around, arguments.All("source")));
  const index::Searcher searcher(indexes.Borrow());
  std::vector<draft::KnowledgeFile> knowledge = expansion::ReadKnowledge(context);
  std::erase_if(knowledge, [](const draft::KnowledgeFile& file) {
    return !Contains(file.text, "\n[^");  // without a citation nothing on it can be shown
  });
  const PageSearcher pages(knowledge, around);
  const std::string question(arguments.Text("question"));
  const draft::Answer answer =
      draft::AnswerQuestion({.text = question, .context = std::string(arguments.Text("context"))},
                            {.searcher = searcher,
                             .lock = lock,
                             .knowledge = knowledge,
                             .pages = arguments.All("source").empty() ? pages.get() : nullptr},
                            {.most = arguments.Has("more") ? kMoreStatements : kStatements});
  Json statements = Json::array();
  if (arguments.All("source").empty()) AddFieldAnswer(question, statements);
  if (!answer.known.empty()) {
    KnownStatements known(context, knowledge, lock, around);
    for (const draft::AnswerUnit& unit : answer.known) known.Add(unit, statements);
  }
  AddRecordedAnswers(context, lock, around, answer.question, statements);
  std::set<std::string> said;
  for (const Json& statement : statements) said.insert(statement["citation"]);
  for (const draft::AnswerUnit& unit : answer.units) {
    Json statement = StatementOf(unit);
    if (!said.contains(statement["citation"])) statements.push_back(std::move(statement));
  }
  const Json searched = SearchedSources(indexes);
  // The pages may answer without the sources.
  for (Finding& finding : indexes.findings) {
    if (!statements.empty()) finding.severity = Severity::kNote;
  }
  Outcome outcome{.data = {{"question", question}, {"known", !statements.empty()}},
                  .findings = std::move(indexes.findings),
                  .holds = !statements.empty()};
  outcome.data["statements"] = std::move(statements);
  outcome.data["searched_sources"] = searched;
  outcome.data["pages"] = Json::array();
  for (const draft::KnownPlace& page : answer.pages) {
    outcome.data["pages"].push_back(
        {{"page", page.path}, {"anchor", page.anchor}, {"title", page.title}});
  }
  if (!outcome.holds) {
    outcome.data["nearest"] = NearestOf(answer);
    outcome.data["missing"] = answer.missing;
    const Root oracle = SIBYL_TRY(oracle::OpenOracle(context));
    outcome.data["unpinned"] = SIBYL_TRY(Unpinned(oracle, lock));
  }
  return outcome;
}

constexpr Parameter kAskParameters[] = {
    {.name = "question",
     .value_name = "QUESTION",
     .help = "the question; quotes are needed only around signs of the shell",
     .kind = ParameterKind::kPositional,
     .required = true,
     .takes_words = true},
    {.name = "context",
     .short_name = 'c',
     .value_name = "TEXT",
     .help = "the broader topic of the question"},
    {.name = "source",
     .short_name = 's',
     .value_name = "NAME",
     .help = "use this source only",
     .repeated = true},
    {.name = "more",
     .short_name = 'm',
     .help = "show up to 12 statements instead of three",
     .kind = ParameterKind::kFlag},
};

}  // namespace

constexpr Operation kAsk = {
    .name = "ask",
    .summary = "answer a question with what the sources say",
    .description =
        R"(Answers with whole units and their citations. First up to two of the oracle's own pages, whose
citations must hold; those whose source is not on this machine are marked as not checked. Then
measurements of kept lab runs and facts of sibyl.facts that were made on this machine, then up to
three units of the sources: a paragraph with its list, an option with its help, a declaration with
its comment, a command with its text. The page or the declaration of a name comes
before its uses; a comparison shows both sides. Everything is quoted; nothing is generated,
and no model is used.

What GPUs, toolkits and drivers need of each other is answered before all that from the tables that
`inspect` uses, with the public documents that they were read from.

If no pinned source answers the question, it prints "not known here", the nearest places and the
words of the question that the first of them does not mention, and repositories that the oracle's
plans name but that are not pinned. Exit status 1 means not known.

  sibyl ask which driver does CUDA 13 need
  sibyl ask how does cmake find cupti
  sibyl ask 'what is the default of CMAKE_CUDA_RUNTIME_LIBRARY?'
  sibyl ask --more 'difference between cudaMalloc and cudaMallocAsync'
  sibyl ask --context 'PyTorch build' what does USE_KINETO do)",
    .parameters = kAskParameters,
    .effects = {.reads = true, .writes = true},
    .rules = oracle::SourceIndexRules,
    .tool = {.name = "ask", .is_read_only = true, .is_idempotent = true},
    .run = RunAsk,
    .render = RenderAsk,
};

}  // namespace sibyl::engine
