// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/files/root.h"
#include "base/strings.h"
#include "draft/answer/answer.h"
#include "engine/answer/commit_search.h"
#include "engine/answer/field_answers.h"
#include "engine/answer/known_statements.h"
#include "engine/answer/last_question.h"
#include "engine/answer/page_search.h"
#include "engine/answer/receipt_json.h"
#include "engine/answer/recorded_answers.h"
#include "engine/answer/written_answer.h"
#include "engine/arguments.h"
#include "engine/expand_operations.h"
#include "engine/outcome.h"
#include "engine/runs/model_request.h"
#include "engine/searched_sources.h"
#include "engine/text/render.h"
#include "evidence/citation.h"
#include "expansion/expansion_inputs.h"
#include "oracle/context.h"
#include "oracle/oracle.h"
#include "oracle/page_index.h"
#include "oracle/source_index.h"
#include "plan/plan.h"

namespace sibyl::engine {
namespace {

constexpr std::size_t kStatements = 3;
constexpr std::size_t kMoreStatements = 12;

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

// Without a question the last one is asked again, if something else is wanted of it.
Result<AskedQuestion> QuestionOf(const oracle::Context& context, const Arguments& arguments) {
  AskedQuestion asked{.text = std::string(arguments.Text("question")),
                      .context = std::string(arguments.Text("context"))};
  if (arguments.Has("question")) return asked;
  const bool wants_more = arguments.Has("more") || arguments.Has("source") ||
                          arguments.Has("context") || arguments.Has("writer");
  std::optional<AskedQuestion> last;
  if (wants_more) last = LastQuestion(context);
  if (!last) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = wants_more ? "missing QUESTION: none was asked in this oracle before"
                                       : "missing QUESTION",
                 .hint = "for example: sibyl ask how does cmake find cupti"};
  }
  if (asked.context.empty()) asked.context = last->context;
  asked.text = last->text;
  return asked;
}

// Those that are not there yet.
void AddUnits(const std::vector<draft::AnswerUnit>& units, Json& statements) {
  std::set<std::string> said;
  for (const Json& statement : statements) said.insert(statement["citation"]);
  for (const draft::AnswerUnit& unit : units) {
    Json statement = StatementOf(unit);
    if (!said.contains(statement["citation"])) statements.push_back(std::move(statement));
  }
}

Json PagesOf(const draft::Answer& answer) {
  Json pages = Json::array();
  for (const draft::KnownPlace& page : answer.pages) {
    pages.push_back({{"page", page.path}, {"anchor", page.anchor}, {"title", page.title}});
  }
  return pages;
}

Result<Outcome> RunAsk(const oracle::Context& context, const Arguments& arguments) {
  const AskedQuestion asked = SIBYL_TRY(QuestionOf(context, arguments));
  SIBYL_TRY(oracle::RequireOracleFor(context, "ask " + asked.text));
  const auto request = SIBYL_TRY(ReadModelRequest(arguments));
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
  const std::string& question = asked.text;
  const draft::Answer answer =
      draft::AnswerQuestion({.text = question, .context = asked.context},
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
  if (answer.absent.empty()) {
    AddRecordedAnswers(context, lock, around, answer.question, statements);
  }
  AddUnits(answer.units, statements);
  if (AsksWhy(question)) AddReasons(indexes, question, statements);
  const Json searched = SearchedSources(indexes);
  // The pages may answer without the sources.
  for (Finding& finding : indexes.findings) {
    if (!statements.empty()) finding.severity = Severity::kNote;
  }
  Outcome outcome{.data = {{"question", question}, {"known", !statements.empty()}},
                  .findings = std::move(indexes.findings),
                  .holds = !statements.empty()};
  outcome.data["statements"] = std::move(statements);
  if (request) {
    outcome.data["written"] = SIBYL_TRY(
        WriteAnswer(asked, *request,
                    {.context = context, .searcher = searcher, .lock = lock, .around = around}));
    outcome.holds = outcome.holds || !outcome.data["written"]["text"].is_null();
    outcome.data["known"] = outcome.holds;
  }
  RememberQuestion(context, asked);
  outcome.data["searched_sources"] = searched;
  outcome.data["pages"] = PagesOf(answer);
  if (!outcome.holds) {
    outcome.data["nearest"] = NearestOf(answer);
    outcome.data["missing"] = answer.missing;
    outcome.data["absent"] = answer.absent;
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
     .takes_words = true,
     .required_of_tools = true},
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
    {.name = "writer",
     .value_name = "WRITER",
     .help = "quote the sources, or also have a model write an answer",
     .type = ValueType::kChoice,
     .choices = kWriters,
     .default_text = "extract",
     .people_only = true,
     .uses_network = true},
    PeopleOnly(kNoJudgeParameter),
    PeopleOnly(kMaxTokensParameter),
    PeopleOnly(kMaxCostParameter),
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

A question why something is so is also answered by up to two commits of sources with a history, if
their messages have nearly all of its words.

With `--writer llm` the model that `[model]` in `sibyl.toml` names also writes a short answer, shown
first, its statements marked with the numbers of their receipts. It is made like a point of a page
(see `sibyl expand`): the model searches, chooses, writes and repairs; what the gate or the judge
refuses is left out, and listed with `--json`. What the sources say follows as without it.

Without QUESTION, `--more`, `--source`, `--context` and `--writer` ask the last question again.

What GPUs, toolkits and drivers need of each other is answered before all that from the tables that
`inspect` uses, with the public documents that they were read from.

If no pinned source answers the question, it prints "not known here", the nearest places and the
words of the question that the first of them does not mention, and repositories that the oracle's
plans name but that are not pinned. Exit status 1 means not known.

  sibyl -C @cuda ask what does CUDA error 904 mean      # the oracle that comes with sibyl
  sibyl ask which driver does CUDA 13 need
  sibyl ask how does cmake find cupti
  sibyl ask 'what is the default of CMAKE_CUDA_RUNTIME_LIBRARY?'
  sibyl ask --more 'difference between cudaMalloc and cudaMallocAsync'
  sibyl ask --more
  sibyl ask --writer llm why does pinned memory make copies faster
  sibyl ask --context 'PyTorch build' what does USE_KINETO do)",
    .parameters = kAskParameters,
    .effects = {.reads = true, .writes = true, .network = NetworkUse::kOnRequest},
    .rules = oracle::SourceIndexRules,
    .tool = {.name = "ask", .is_read_only = true, .is_idempotent = true},
    .run = RunAsk,
    .render = RenderAsk,
};

}  // namespace sibyl::engine
