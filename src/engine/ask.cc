// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "base/files/root.h"
#include "base/strings.h"
#include "draft/answer.h"
#include "engine/arguments.h"
#include "engine/expand_operations.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "evidence/citation.h"
#include "evidence/pages/page_citation.h"
#include "evidence/permalink.h"
#include "expansion/expansion_inputs.h"
#include "gate/cited_instructions.h"
#include "gate/knowledge.h"
#include "oracle/context.h"
#include "oracle/oracle.h"
#include "oracle/source_index.h"
#include "plan/plan.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kDefaultLines = 24;

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
  json["source"] = source != nullptr ? Json(receipt.resolution.pin->name) : Json(nullptr);
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

Json StatementsOf(const draft::PointChoice& choice) {
  Json statements = Json::array();
  for (const draft::ChosenQuote& quote : choice.quotes) {
    statements.push_back(
        FromSource("quote", quote.text, *quote.excerpt, quote.first_line, quote.last_line));
  }
  if (choice.table) {
    for (const draft::OptionRow& row : choice.table->rows) {
      Json json =
          FromSource("option", row.name, *choice.table->excerpt, row.first_line, row.last_line);
      json["default"] = row.value;
      json["meaning"] = row.meaning;
      statements.push_back(std::move(json));
    }
  }
  for (const draft::ChosenCode& code : choice.code) {
    Json json = FromSource("code", Join(code.code.lines, "\n"), *code.excerpt, code.code.first_line,
                           code.code.last_line);
    json["language"] = code.language;
    statements.push_back(std::move(json));
  }
  return statements;
}

// A sentence of a page is used only if its citation still holds.
class KnownStatements {
 public:
  KnownStatements(const std::vector<draft::KnowledgeFile>& knowledge, const evidence::Lock& lock,
                  const evidence::Surroundings& around)
      : knowledge_(knowledge), resolver_(gate::CitationResolver::Open(lock, around)) {}

  void Add(const draft::KnownStatement& known, Json& statements) {
    gate::Page* page = PageOf(known.path);
    if (page == nullptr) return;
    for (const auto& [label, receipt] : page->receipts) {
      if (known.text.find("[^" + label + "]") == std::string::npos) continue;
      if (!receipt.Resolves() || !gate::CitedInstruction(receipt).empty()) return;
      Json json = {{"kind", "known"},
                   {"text", WithoutMarks(known.text)},
                   {"page", known.path},
                   {"page_line", known.line}};
      AddReceipt(receipt, json);
      statements.push_back(std::move(json));
      return;
    }
  }

 private:
  gate::Page* PageOf(const std::string& path) {
    for (const auto& page : pages_) {
      if (page->source.path == path) return page.get();
    }
    for (const draft::KnowledgeFile& file : knowledge_) {
      if (file.path != path) continue;
      gate::Pages read = gate::ReadPages({{.path = path, .name = path, .text = file.text}}, 1);
      if (read.front()->problem) return nullptr;
      gate::ResolveReceipts({&read.front()->receipts}, resolver_);
      pages_.push_back(std::move(read.front()));
      return pages_.back().get();
    }
    return nullptr;
  }

  static std::string WithoutMarks(std::string_view text) {
    std::string plain;
    while (!text.empty()) {
      const std::size_t mark = text.find("[^");
      const std::size_t end = text.find(']', mark);
      if (mark == std::string_view::npos || end == std::string_view::npos) break;
      plain += text.substr(0, mark);
      text.remove_prefix(end + 1);
    }
    return plain + std::string(text);
  }

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

Json NearestOf(const draft::GatheredPoint& point) {
  const draft::Excerpt* nearest = point.nearest             ? &*point.nearest
                                  : !point.excerpts.empty() ? &point.excerpts.front()
                                                            : nullptr;
  if (nearest == nullptr) return nullptr;
  Json json = Json::object();
  AddReceipt(*nearest, nearest->first_line, nearest->last_line, json);
  json["missing"] = point.missing;
  return json;
}

Result<Outcome> RunAsk(const oracle::Context& context, const Arguments& arguments) {
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const evidence::Lock lock = SIBYL_TRY(evidence::ReadLock(around));
  oracle::SourceIndexes indexes =
      SIBYL_TRY(oracle::OpenSourceIndexes(lock, around, arguments.All("source")));
  const index::Searcher searcher(indexes.Borrow());
  const std::vector<draft::KnowledgeFile> knowledge = expansion::ReadKnowledge(context);
  const std::string question(arguments.Text("question"));
  const draft::AnsweredPoint answer = draft::AnswerQuestion(
      {.text = question, .context = std::string(arguments.Text("context"))},
      {.searcher = searcher, .lock = lock, .knowledge = knowledge},
      static_cast<std::size_t>(arguments.Integer("lines").value_or(kDefaultLines)));
  Json statements = Json::array();
  if (!answer.known.empty()) {
    KnownStatements known(knowledge, lock, around);
    for (const draft::KnownStatement& statement : answer.known) known.Add(statement, statements);
  }
  std::set<std::string> said;
  for (const Json& statement : statements) said.insert(statement["citation"]);
  for (Json& statement : StatementsOf(answer.choice)) {
    if (!said.contains(statement["citation"])) statements.push_back(std::move(statement));
  }
  Outcome outcome{.data = {{"question", question}, {"known", !statements.empty()}},
                  .findings = std::move(indexes.findings),
                  .holds = !statements.empty()};
  outcome.data["statements"] = std::move(statements);
  outcome.data["pages"] = Json::array();
  for (const draft::KnownPlace& page : answer.pages) {
    outcome.data["pages"].push_back(
        {{"page", page.path}, {"anchor", page.anchor}, {"title", page.title}});
  }
  if (!outcome.holds) {
    outcome.data["nearest"] = NearestOf(answer.point);
    const Root oracle = SIBYL_TRY(oracle::OpenOracle(context));
    outcome.data["unpinned"] = SIBYL_TRY(Unpinned(oracle, lock));
  }
  return outcome;
}

constexpr Parameter kAskParameters[] = {
    {.name = "question",
     .value_name = "QUESTION",
     .help = "the question, in quotes",
     .kind = ParameterKind::kPositional,
     .required = true},
    {.name = "context",
     .short_name = 'c',
     .value_name = "TEXT",
     .help = "the broader topic of the question"},
    {.name = "source",
     .short_name = 's',
     .value_name = "NAME",
     .help = "use this source only",
     .repeated = true},
    {.name = "lines",
     .value_name = "N",
     .help = "target length in lines",
     .type = ValueType::kInteger,
     .default_text = "24",
     .minimum = 6,
     .maximum = 400},
};

}  // namespace

constexpr Operation kAsk = {
    .name = "ask",
    .summary = "answer a question with what the sources say",
    .description =
        R"(Answers with a few statements, each with its citation: sentences from the oracle's pages whose
citations hold, sentences from documentation and comments, the declaration of an option, the
relevant lines of code. Everything is quoted; nothing is generated, and no model is used.

If no pinned source covers the question, it prints "not known here", the nearest passage and the
words of the question that this passage does not mention, and repositories that the oracle's plans
name but that are not pinned. Exit status 1 means not known.

  sibyl ask 'how does cmake find cupti'
  sibyl ask --context 'PyTorch build' 'what does USE_KINETO do')",
    .parameters = kAskParameters,
    .effects = {.reads = true, .writes = true},
    .rules = oracle::SourceIndexRules,
    .tool = {.name = "ask", .is_read_only = true, .is_idempotent = true},
    .run = RunAsk,
    .render = RenderAsk,
};

}  // namespace sibyl::engine
