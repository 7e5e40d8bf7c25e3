// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

#include "engine/answer/commit_search.h"
#include "engine/answer/opinions_json.h"
#include "engine/answer/page_search.h"
#include "engine/arguments.h"
#include "engine/evidence_operations.h"
#include "engine/outcome.h"
#include "engine/search_json.h"
#include "engine/searched_sources.h"
#include "engine/text/render.h"
#include "engine/web_search.h"
#include "index/grep/grep.h"
#include "index/rank/find_cards.h"
#include "index/rank/searcher.h"
#include "oracle/argument_file.h"
#include "oracle/context.h"
#include "oracle/oracle.h"
#include "oracle/source_index.h"

namespace sibyl::engine {
namespace {

constexpr std::string_view kKindNames[] = {"window", "prose", "definition", "command", "stage"};

index::Filter FilterOf(const Arguments& arguments) {
  index::Filter filter{.path_globs = arguments.All("path"), .languages = arguments.All("language")};
  for (const std::string& name : arguments.All("kind")) {
    for (std::size_t i = 0; i < std::size(kKindNames); ++i) {
      if (name == kKindNames[i]) filter.kinds.push_back(static_cast<index::PassageKind>(i));
    }
  }
  return filter;
}

// A language that no file has is misspelt more often than missing.
Status CheckLanguages(const index::Searcher& searcher, const std::vector<std::string>& wanted) {
  if (wanted.empty()) return {};
  std::set<std::string_view> known;
  for (const index::Searcher::Part& part : searcher.parts()) {
    const index::Segment& segment = part.part->segment;
    for (std::size_t i = 0; i < segment.document_count(); ++i) {
      known.insert(segment.language(segment.document(i)));
    }
  }
  known.erase("");
  for (const std::string& name : wanted) {
    if (known.contains(name)) continue;
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("no pinned source has files in the language '{}'", name),
                 .hint = known.empty() ? "none of their files is in a language that sibyl knows"
                                       : fmt::format("they have {}", fmt::join(known, ", "))};
  }
  return {};
}

struct Search {
  const index::Searcher& searcher;
  const PageSearch* pages;  // null: they are not searched
  const oracle::SourceIndexes& indexes;
  index::Filter filter;
  std::size_t limit = 10;
  std::size_t snippet_lines = 6;
  bool explains = false;
};

Json Ranked(const Search& search, std::string text, std::string context) {
  const index::Query query{.text = std::move(text),
                           .context = std::move(context),
                           .limit = search.limit,
                           .filter = search.filter};
  Json hits = Json::array();
  for (const index::Hit& hit : search.searcher.Search(query)) {
    const evidence::Pin* pin = search.indexes.FindPin(hit.source_view);
    const index::Searcher::Snippet snippet =
        search.searcher.MakeSnippet(hit, query, search.snippet_lines);
    if (pin == nullptr) continue;
    hits.push_back(HitAsJson(search.searcher, hit, snippet, *pin));
    if (search.explains) hits.back()["opinions"] = OpinionsAsJson(search.searcher, hit, query);
  }
  return hits;
}

Json FoundCards(const Search& search, std::string text, const std::vector<std::string>& sources) {
  constexpr std::size_t kLookedAt = 20;  // for each that is wanted in one language
  const std::vector<std::string>& languages = search.filter.languages;
  const index::CardQuery query{.text = std::move(text),
                               .limit = languages.empty() ? search.limit : search.limit * kLookedAt,
                               .sources = sources};
  Json found = Json::array();
  for (const index::CardHit& hit : index::FindCards(search.searcher, query)) {
    const bool is_wanted = languages.empty() || std::find(languages.begin(), languages.end(),
                                                          hit.language_view) != languages.end();
    const evidence::Pin* pin = search.indexes.FindPin(hit.source_view);
    if (pin == nullptr || !is_wanted || found.size() >= search.limit) continue;
    found.push_back(CardAsJson(search.searcher, hit, *pin));
  }
  return found;
}

Result<Json> AnswerLine(const Search& search, std::string_view line) {
  const Json request = SIBYL_TRY(ParseJson(line));
  if (!request.is_object() || !request.contains("query") || !request["query"].is_string()) {
    return Error{.kind = ErrorKind::kUsage, .message = "not an object with a string 'query'"};
  }
  const auto text = [&request](const char* name) {
    const auto member = request.find(name);
    return member != request.end() && member->is_string() ? member->get<std::string>()
                                                          : std::string();
  };
  Json answer = Json::object();
  if (request.contains("id")) answer["id"] = request["id"];
  answer["query"] = request["query"];
  answer["hits"] = Ranked(search, text("query"), text("context"));
  return answer;
}

// One bad line spoils its own answer, not the batch.
Result<Outcome> RunBatch(const oracle::Context& context, const Search& search,
                         std::string_view file) {
  const std::string text = SIBYL_TRY(oracle::ReadInput(context, file));
  Outcome outcome{.data = {{"json_lines", Json::array()}}};
  std::istringstream lines(text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    Result<Json> answer = AnswerLine(search, line);
    if (!answer.ok()) {
      outcome.holds = false;
      outcome.data["json_lines"].push_back({{"line", number}, {"error", answer.error().message}});
      continue;
    }
    outcome.data["json_lines"].push_back(std::move(*answer));
  }
  return outcome;
}

void AddMatches(const Search& search, const index::MatchedDocument& matched, Json& matches) {
  const index::Searcher::Part& part = search.searcher.parts()[matched.part];
  const evidence::Pin* pin = search.indexes.FindPin(part.index->name());
  if (pin == nullptr) return;
  const index::Segment& segment = part.part->segment;
  const index::DocumentRecord& document = segment.document(matched.document);
  for (const std::string_view path : segment.paths(document)) {
    if (!index::PathIsAllowed(search.filter.path_globs, path)) continue;
    for (const index::MatchedLine& line : matched.lines) {
      matches.push_back(MatchAsJson({.searcher = search.searcher,
                                     .pin = *pin,
                                     .passage = {matched.part, line.passage},
                                     .path = path,
                                     .line = line.line,
                                     .text = line.text,
                                     .match = line.match,
                                     .match_bytes = line.match_bytes}));
    }
  }
}

Result<Outcome> RunGrep(const Search& search, const Arguments& arguments) {
  constexpr std::size_t kAllLines = 1'000'000;
  constexpr std::size_t kLinesOfFiles = 1'000;
  const bool is_grouped = arguments.Has("by-file");
  const std::size_t most = is_grouped ? kLinesOfFiles : kAllLines;
  index::Pattern pattern{.text = std::string(arguments.Text("regex")),
                         .syntax = arguments.Has("fixed") ? index::PatternSyntax::kLiteral
                                                          : index::PatternSyntax::kRegex,
                         .letter_case = arguments.Has("ignore-case") ? index::LetterCase::kIgnored
                                                                     : index::LetterCase::kMatters,
                         .filter = search.filter,
                         .max_lines = arguments.Has("limit") ? search.limit : most,
                         .order = index::MatchOrder::kRelevance};
  const index::Matches found = SIBYL_TRY(index::Grep(search.searcher, pattern));
  Json pages = Json::array();
  if (search.pages != nullptr) {
    pattern.order = index::MatchOrder::kIndex;
    pages = SIBYL_TRY(search.pages->Grep(pattern));
  }
  Json matches = Json::array();
  for (const index::MatchedDocument& document : found.documents) {
    AddMatches(search, document, matches);
  }
  Outcome outcome{.data = {{"pattern", arguments.Text("regex")}, {"complete", found.is_complete}},
                  .holds = !matches.empty() || !pages.empty()};
  if (!pages.empty()) outcome.data["page_matches"] = std::move(pages);
  if (is_grouped) {
    outcome.data["line_count"] = matches.size();
    outcome.data["files"] = GroupByFile(matches);
  } else {
    outcome.data["matches"] = std::move(matches);
  }
  return outcome;
}

constexpr std::size_t kMostPages = 5;  // before the hits

// What is said about sources only is not looked for in pages.
bool SearchesPages(const Arguments& arguments) {
  for (const char* name : {"batch", "cards", "history", "source", "path", "language", "kind"}) {
    if (arguments.Has(name)) return false;
  }
  return true;
}

// One query; its results under a name that says what they are.
Json AnswerQuery(const Search& search, const std::string& query, const Arguments& arguments) {
  if (arguments.Has("cards")) {
    return {{"query", query}, {"cards", FoundCards(search, query, arguments.All("source"))}};
  }
  if (arguments.Has("history")) {
    return {{"query", query}, {"commits", FindCommits(search.indexes, query, search.limit)}};
  }
  Json hits = Ranked(search, query, std::string(arguments.Text("context")));
  Json answer = {{"query", query}};
  if (search.pages != nullptr) {
    // A clone may have no sources: then the pages are all there is.
    const std::size_t most = hits.empty() ? search.limit : std::min(search.limit, kMostPages);
    Json pages = search.pages->Find(query, {.most = most, .snippet_lines = search.snippet_lines});
    if (!pages.empty()) answer["pages"] = std::move(pages);
  }
  if (arguments.Has("by-file")) {
    answer["files"] = GroupByFile(hits);
  } else {
    answer["hits"] = std::move(hits);
  }
  return answer;
}

bool HasResults(const Json& answer) {
  for (const char* list : {"cards", "commits", "files", "hits", "pages"}) {
    if (answer.contains(list) && !answer[list].empty()) return true;
  }
  return false;
}

Result<Outcome> Answer(const oracle::Context& context, const Arguments& arguments,
                       const Search& search) {
  if (arguments.Has("batch")) return RunBatch(context, search, arguments.Text("batch"));
  if (arguments.Has("regex")) return RunGrep(search, arguments);
  std::vector<std::string> queries = arguments.All("queries");
  if (queries.empty()) {
    Json answer = AnswerQuery(search, std::string(arguments.Text("query")), arguments);
    const bool any = HasResults(answer);
    return Outcome{.data = std::move(answer), .holds = any};
  }
  if (arguments.Has("query")) queries.insert(queries.begin(), std::string(arguments.Text("query")));
  Outcome outcome{.data = {{"answers", Json::array()}}, .holds = false};
  for (const std::string& query : queries) {
    Json answer = AnswerQuery(search, query, arguments);
    outcome.holds = outcome.holds || HasResults(answer);
    outcome.data["answers"].push_back(std::move(answer));
  }
  return outcome;
}

// Ignoring them would look as if pages had been fetched.
Status CheckWebOptions(const Arguments& arguments) {
  if (arguments.Has("web")) return {};
  for (const char* name : {"fetch", "max-requests", "max-mb", "max-minutes"}) {
    if (!arguments.Has(name)) continue;
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("--{} needs --web", name),
                 .hint = fmt::format("add --web to search the web, or drop --{} to search the "
                                     "pinned sources",
                                     name)};
  }
  return {};
}

// Commits have no lines, no language and no kind. Agents always ask for a grouping by file: it is
// of no account here.
Status CheckHistoryOptions(const Arguments& arguments) {
  if (!arguments.Has("history")) return {};
  for (const char* name :
       {"regex", "cards", "batch", "web", "path", "language", "kind", "context", "explain"}) {
    if (!arguments.Has(name)) continue;
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("--history and --{} do not go together", name),
                 .hint = "sibyl search --history 'why is the buffer locked'"};
  }
  return {};
}

Result<Outcome> RunSearch(const oracle::Context& context, const Arguments& arguments) {
  const bool has_query = arguments.Has("query") || arguments.Has("queries");
  const int asked = static_cast<int>(has_query) + static_cast<int>(arguments.Has("regex")) +
                    static_cast<int>(arguments.Has("batch"));
  if (asked != 1) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "missing QUERY, -e REGEX or --batch FILE",
                 .hint = "sibyl search 'how does cmake find cupti'"};
  }
  SIBYL_TRY(CheckWebOptions(arguments));
  SIBYL_TRY(CheckHistoryOptions(arguments));
  if (arguments.Has("query") && !arguments.Has("web")) {
    SIBYL_TRY(oracle::RequireOracleFor(context, fmt::format("search {}", arguments.Text("query"))));
  }
  if (arguments.Has("web")) {
    if (arguments.Has("query")) return SearchWeb(context, arguments);
    return Error{.kind = ErrorKind::kUsage,
                 .message = "--web needs QUERY, without -e or --batch",
                 .hint = "sibyl search --web 'cuda graph capture modes'"};
  }
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const evidence::Lock lock = SIBYL_TRY(evidence::ReadLock(around));
  oracle::SourceIndexes indexes =
      SIBYL_TRY(oracle::OpenSourceIndexes(lock, around, arguments.All("source")));
  if (arguments.Has("history") && !indexes.sources.empty() && !HasHistories(indexes)) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = "no source that is searched has a history",
                 .hint =
                     "write 'history = true' into its table in sibyl.toml, and run 'sibyl "
                     "source sync'"};
  }
  const index::Searcher searcher(indexes.Borrow());
  SIBYL_TRY(CheckLanguages(searcher, arguments.All("language")));
  std::optional<PageSearch> pages;
  if (SearchesPages(arguments)) pages.emplace(context, around);
  const Search search{
      .searcher = searcher,
      .pages = pages ? &*pages : nullptr,
      .indexes = indexes,
      .filter = FilterOf(arguments),
      .limit = static_cast<std::size_t>(
          arguments.Integer("limit").value_or(arguments.Has("queries") ? 5 : 10)),
      .snippet_lines = static_cast<std::size_t>(arguments.Integer("lines").value_or(6)),
      .explains = arguments.Has("explain")};
  Outcome outcome = SIBYL_TRY(Answer(context, arguments, search));
  outcome.data["searched_sources"] = SearchedSources(indexes);
  const bool has_pages = outcome.data.contains("pages") || outcome.data.contains("page_matches");
  for (Finding& finding : indexes.findings) {
    // The pages may have it without the sources.
    if (has_pages) finding.severity = Severity::kNote;
    if (finding.severity == Severity::kError) outcome.holds = false;
    outcome.findings.push_back(std::move(finding));
  }
  return outcome;
}

std::vector<Rule> SearchRules() {
  std::vector<Rule> rules = oracle::SourceIndexRules();
  rules.push_back({.code = "web/provider", .meaning = "a search provider did not answer"});
  rules.push_back({.code = "web/unknown-key", .meaning = "unknown key in [web]"});
  return rules;
}

constexpr Parameter kSearchParameters[] = {
    {.name = "query",
     .value_name = "QUERY",
     .help = "words, names or a question; quotes are needed only around signs of the shell",
     .kind = ParameterKind::kPositional,
     .takes_words = true},
    {.name = "queries",
     .value_name = "QUERY",
     .help = "several queries at once, answered one after the other",
     .repeated = true},
    {.name = "regex",
     .short_name = 'e',
     .value_name = "REGEX",
     .help = "find every line that matches (RE2 syntax)"},
    {.name = "fixed",
     .short_name = 'F',
     .help = "with -e: match the pattern as plain text",
     .kind = ParameterKind::kFlag},
    {.name = "cards",
     .help = "find what the sources define, with its documentation",
     .kind = ParameterKind::kFlag},
    {.name = "history",
     .help = "find commits of sources with a history by what their messages say",
     .kind = ParameterKind::kFlag},
    {.name = "ignore-case",
     .short_name = 'i',
     .help = "with -e: ignore case",
     .kind = ParameterKind::kFlag},
    {.name = "limit",
     .short_name = 'n',
     .value_name = "N",
     .help = "maximum results [10; per query with --queries 5; with -e all]",
     .type = ValueType::kInteger,
     .minimum = 1,
     .maximum = 100'000},
    {.name = "context",
     .short_name = 'c',
     .value_name = "TEXT",
     .help = "the broader topic of the query, such as a plan's topic"},
    {.name = "source",
     .short_name = 's',
     .value_name = "NAME",
     .help = "search this source only",
     .repeated = true},
    {.name = "path",
     .short_name = 'p',
     .value_name = "GLOB",
     .help = "search matching paths only; with ! in front, all others",
     .repeated = true},
    {.name = "language",
     .short_name = 'l',
     .value_name = "NAME",
     .help = "search this language only: c++, cuda, python, cmake, markdown ...",
     .repeated = true},
    {.name = "kind",
     .short_name = 'k',
     .value_name = "KIND",
     .help = "search passages of this kind only",
     .type = ValueType::kChoice,
     .repeated = true,
     .choices = kKindNames},
    {.name = "lines",
     .value_name = "N",
     .help = "lines per snippet [6]",
     .type = ValueType::kInteger,
     .minimum = 1,
     .maximum = 200},
    {.name = "explain",
     .help = "say of each hit what ranked it: its words, and the messages of its file's commits",
     .kind = ParameterKind::kFlag},
    {.name = "by-file",
     .help = "in the JSON answer: group the results by file, without citations",
     .kind = ParameterKind::kFlag},
    {.name = "batch",
     .value_name = "FILE",
     .help = "read queries as JSON lines (id, query, context), print JSON lines; - is stdin",
     .type = ValueType::kPath,
     .people_only = true},
    {.name = "web",
     .short_name = 'w',
     .help = "search the web instead, and show who publishes each page",
     .kind = ParameterKind::kFlag,
     .people_only = true,
     .uses_network = true},
    {.name = "fetch",
     .help = "with --web: fetch the pages and pin them in the source web",
     .kind = ParameterKind::kFlag,
     .people_only = true},
    {.name = "max-requests",
     .value_name = "N",
     .help = "with --web: maximum requests [500]",
     .type = ValueType::kInteger,
     .minimum = 0,
     .maximum = 1'000'000,
     .people_only = true},
    {.name = "max-mb",
     .value_name = "N",
     .help = "with --web: maximum megabytes [200]",
     .type = ValueType::kInteger,
     .minimum = 0,
     .maximum = 1'000'000,
     .people_only = true},
    {.name = "max-minutes",
     .value_name = "N",
     .help = "with --web: maximum minutes [30]",
     .type = ValueType::kInteger,
     .minimum = 0,
     .maximum = 100'000,
     .people_only = true},
};

}  // namespace

constexpr Operation kSearch = {
    .name = "search",
    .summary = "find passages in the pages and the pinned sources",
    .description =
        R"(Ranks the passages of the pinned sources by how well they answer a query, after up to five
sections of the oracle's own pages that have its words. A clone without its sources is searched
in its pages. `--source`, `--path`, `--language` and `--kind` leave the pages out. Matches words, parts of
identifiers (`cudaGraphLaunch` and `TORCH_CUDA_ARCH_LIST` are found whole and in parts) and word
stems in prose. Definitions, headings, file names and documentation count for more; duplicates are
folded. Every hit has the citation of its lines.

With `--cards`, finds definitions instead of passages: functions, types, macros, enumerators, error
codes, environment variables, options of programs and of CMake, and what documentation defines. They
are found by name, whatever its case and separators, by value (`error 719`), and by words.

With `-e`, finds every line that matches a regular expression, in the oracle's own pages (without
their footnotes) and then in all sources. Files that define what was matched come first, then
documentation; tests and generated files come last.

The hundred best passages are ordered anew if a source has a history: by what people wrote when they
changed their files, and by vectors of words, which are learned from the sources at the first search.
`--explain` shows what each gave, and which commits say most. With `--history`, finds the commits
themselves: why something was changed.

Lines of more than 1,000 bytes are cut around the match.

The index of a source is built when the source is first searched and is kept in the object store;
after `sibyl source sync` only changed files are read again. Exit status 1 means that nothing was
found.

With `--web`, queries search providers instead: SearXNG, Brave, Tavily, Exa, Serper, Bright Data or
a program of yours, as set in `[web]` of `sibyl.toml`; keys come from the environment. Pages by the
makers of a product rank before pages about it; `site:` and "official ... only" in the query are
enforced. Results are hints, never evidence: `--fetch` pins the pages in the source `web`, and then
they can be searched and cited.

  sibyl search 'how does cmake detect cupti'
  sibyl search --web --fetch 'cupti range profiling site:docs.nvidia.com'
  sibyl search --cards cudaMemcpyAsync
  sibyl search --history why was the pipeline depth changed
  sibyl search --context 'PyTorch builds' 'fatbin size'
  sibyl search --queries 'stream priority' --queries 'event flags' --json
  sibyl search -e 'TORCH_CHECK\(.*is_cuda' --path '*.cu'
  sibyl search --batch queries.jsonl > answers.jsonl)",
    .parameters = kSearchParameters,
    .effects = {.reads = true, .writes = true, .network = NetworkUse::kOnRequest},
    .rules = SearchRules,
    .tool = {.name = "search",
             .is_read_only = true,
             .is_idempotent = true,
             .preset_flag = "by-file"},
    .run = RunSearch,
    .render = RenderSearch,
};

}  // namespace sibyl::engine
