// SPDX-License-Identifier: Apache-2.0
#include "interface/room/room_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>
#include <variant>

#include "base/hex.h"
#include "base/line_span.h"
#include "base/markdown/heading_anchor.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "engine/lab/lab_plot.h"
#include "engine/oracle_pages_list.h"
#include "engine/shown_lines.h"
#include "evidence/citation.h"
#include "interface/json_answer.h"
#include "interface/room/checking/room_check.h"
#include "interface/room/json_text.h"
#include "interface/room/receipt_html.h"
#include "interface/room/room.h"
#include "interface/room/views.h"

namespace sibyl::interface {
namespace {

const Json kNoAnswer;

// The titles of the pages; what holds of them takes seconds to find out.
RoomPage MakeUncheckedHome(const RoomRequest& request) {
  if (!request.answers.context().oracle) return {.status = 404, .body = {}};  // MakeHome says why
  Json pages = {{"pages", Json::array()}, {"unchecked", true}};
  RoomPage home;
  for (const engine::ListedPage& page : engine::ListPages(request.answers.context())) {
    const std::size_t slash = page.path.rfind('/');
    pages["pages"].push_back(
        {{"file", page.path},
         {"title", WithoutNumber(page.title)},
         {"topic", slash == std::string::npos ? std::string() : page.path.substr(0, slash)},
         {"unchecked", true}});
    home.next.push_back(request.style.links.Page(page.path) + '?');
  }
  home.body = HomePage(request.style, {.pages = pages,
                                       .sources = kNoAnswer,
                                       .status = kNoAnswer,
                                       .oracle = DescribeOracle(request.answers.context())});
  return home;
}

RoomPage MakeHome(const RoomRequest& request) {
  const Result<Json> pages = request.answers.Run("page list", {});
  if (!pages.ok()) return FailedPage(request.style, request.query, pages.error());
  const Result<Json> sources = request.answers.Run("source list", {});
  const Result<Json> status = request.answers.Run("status", {});
  RoomPage home{.body =
                    HomePage(request.style, {.pages = *pages,
                                             .sources = sources.ok() ? *sources : kNoAnswer,
                                             .status = status.ok() ? *status : kNoAnswer,
                                             .oracle = DescribeOracle(request.answers.context())})};
  for (const Json& page : JsonList(*pages, "pages")) {
    home.next.push_back(request.style.links.Page(JsonText(page, "file")) + '?');
  }
  return home;
}

// Checking a page takes longer than everything else, and its receipts are made
// from the same answer.
std::string KeyOfAnswer(std::string_view file) { return fmt::format("page show {}", file); }

Result<Json> ShowPage(const RoomRequest& request, std::string_view file) {
  const std::uint64_t state = request.cache.State();
  Json answer = SIBYL_TRY(request.answers.Run("page show", {{"file", std::string(file)}}));
  request.cache.Put(KeyOfAnswer(file),
                    std::make_shared<const KeptResponse>(
                        KeepResponse("application/json", FormatJson(answer, JsonLayout::kCompact))),
                    state, request.now);
  return answer;
}

struct ShownAnswer {
  Json page;
  RoomCache::Time looked_up;
};

// The sources may have newer commits than an old answer says.
Result<ShownAnswer> KeptOrShownPage(const RoomRequest& request, std::string_view file) {
  const auto kept = request.cache.Find(KeyOfAnswer(file), request.now);
  if (kept.response && !kept.is_old) {
    constexpr int kDepth = 64;
    Result<Json> answer = ParseJson(kept.response->Body(), {.max_depth = kDepth});
    if (answer.ok()) return ShownAnswer{.page = *std::move(answer), .looked_up = kept.made};
  }
  Json page = SIBYL_TRY(ShowPage(request, file));
  return ShownAnswer{.page = std::move(page), .looked_up = request.now};
}

// Its text, before its statements are checked.
RoomPage MakeUncheckedPage(const RoomRequest& request) {
  Result<std::string> text = engine::ReadPage(request.answers.context(), request.rest);
  if (!text.ok()) return FailedPage(request.style, request.query, text.error());
  const Json answer = {
      {"file", request.rest}, {"text", ReplaceInvalidUtf8(*text)}, {"unchecked", true}};
  Result<std::string> page = KnowledgePage(request.style, answer);
  if (!page.ok()) return FailedPage(request.style, request.query, page.error());
  return {.body = *std::move(page)};
}

RoomPage MakePage(const RoomRequest& request) {
  // Other files of the folder may hold secrets, such as .env.
  if (!engine::IsPage(request.answers.context(), request.rest)) {
    return FailedPage(
        request.style, request.query,
        {.kind = ErrorKind::kNotFound, .message = "The oracle does not have this page."});
  }
  const Result<Json> answer = ShowPage(request, request.rest);
  if (!answer.ok()) return FailedPage(request.style, request.query, answer.error());
  Result<std::string> page = KnowledgePage(request.style, *answer);
  if (!page.ok()) return FailedPage(request.style, request.query, page.error());
  return {.body = *std::move(page)};
}

// The lines of a receipt with those around them, from the bytes that it cites.
void AddLinesAround(const RoomRequest& request, std::size_t context, Json& receipt) {
  constexpr std::size_t kMostLines = 400;
  if (JsonList(receipt, "lines").empty()) return;
  Result<evidence::Citation> citation = evidence::ParseCitation(JsonText(receipt, "citation"));
  auto* source = citation.ok() ? std::get_if<evidence::SourceCitation>(&*citation) : nullptr;
  if (source == nullptr || source->lines.IsWhole()) return;
  const std::size_t begin = source->lines.first > context ? source->lines.first - context : 1;
  const std::size_t end = std::min<std::size_t>(
      {source->lines.last + context, JsonNumber(receipt, "file_lines"), begin + kMostLines - 1});
  source->lines = {.first = begin, .last = end};
  source->words.reset();
  const Result<Json> read =
      request.answers.Run("source read", {{"target", evidence::FormatCitation(*citation)},
                                          {"lines", std::to_string(kMostLines)},
                                          {"plain", ""}});
  if (!read.ok()) return;
  // The cited ones stay as they are: the places of their words are those of the shown text.
  std::map<std::uint64_t, Json> cited;
  for (Json& line : receipt["lines"]) cited.emplace(line[0].get<std::uint64_t>(), line);
  std::uint64_t number = JsonNumber(*read, "first_line");
  Json lines = Json::array();
  for (const std::string_view line : LinesWithoutEnds(JsonText(*read, "text"))) {
    const auto known = cited.find(number);
    lines.push_back(known != cited.end()
                        ? known->second
                        : Json::array({number, engine::ShownLineWithMark(line, 0, 0).text}));
    ++number;
  }
  receipt["lines"] = std::move(lines);
}

RoomPage MakeReceipt(const RoomRequest& request) {
  const std::string_view path = request.rest;
  const std::size_t slash = std::min(path.rfind('/'), path.size());
  const std::size_t context = std::min<std::size_t>(request.query.Number("context", 0), 200);
  const std::optional<std::size_t> number =
      ParseNumber<std::size_t>(path.substr(std::min(slash + 1, path.size())));
  if (!number) {
    return FailedPage(request.style, request.query,
                      {.kind = ErrorKind::kUsage, .message = "A receipt is named by a number."});
  }
  const Result<ShownAnswer> shown = KeptOrShownPage(request, path.substr(0, slash));
  if (!shown.ok()) return FailedPage(request.style, request.query, shown.error());
  std::optional<Json> answer = AnswerOfStatement(shown->page, *number);
  if (!answer) {
    return FailedPage(
        request.style, request.query,
        {.kind = ErrorKind::kNotFound, .message = "The page has no statement of that number."});
  }
  for (Json& receipt : (*answer)["receipts"]) {
    if (context > 0) AddLinesAround(request, context, receipt);
  }
  return {.body = request.query.IsPart() ? ReceiptPart(request.style, *answer, context).Take()
                                         : ReceiptPage(request.style, *answer, context),
          .looked_up = shown->looked_up};
}

constexpr std::size_t kMostLinesCounted = 1'000;

// The command line has an option for plain text; a page has none.
Error ErrorOfSearch(Error error, bool is_regex) {
  if (is_regex && Contains(error.hint, "-F")) {
    error.hint = "the syntax is RE2's; write \\ before a sign that is meant as it is, such as \\(";
  }
  return error;
}

RoomPage MakeSearch(const RoomRequest& request) {
  const RoomQuery& query = request.query;
  const bool is_regex = query.Text("mode") == "regex";
  const SearchForm form{
      .query = std::string(query.Text("q").substr(0, 1'000)),
      .source = std::string(query.Text("source")),
      .language = std::string(query.Text("language")),
      .mode = std::string(query.Text("mode")),
      .most = std::clamp<std::size_t>(query.Number("n", 20), 1, is_regex ? 500 : 100)};
  Html results;
  if (!form.query.empty()) {
    std::vector<engine::GivenValue> given{
        {is_regex ? "regex" : "query", form.query},
        // Of lines, all are counted.
        {"limit", std::to_string(is_regex ? kMostLinesCounted : form.most)}};
    if (form.mode == "cards") given.push_back({"cards", ""});
    if (!form.source.empty()) given.push_back({"source", form.source});
    if (!form.language.empty()) given.push_back({"language", form.language});
    const Result<Json> answer = request.answers.Run("search", given);
    Result<Json> cards = Json();
    // A name has definitions; of several words, one would hide the passages.
    if (answer.ok() && form.mode.empty() && !Contains(form.query, " ")) {
      given[1].value = "3";
      given.push_back({"cards", ""});
      cards = request.answers.Run("search", std::move(given));
    }
    results = answer.ok() ? SearchPart(request.style, form,
                                       {.found = *answer, .cards = cards.ok() ? *cards : kNoAnswer})
                          : ErrorPart(ErrorOfSearch(answer.error(), is_regex));
  }
  if (query.IsPart()) return {.body = results.Take()};
  const Result<Json> sources = request.answers.Run("source list", {});
  return {.body = SearchPage(request.style, form, sources.ok() ? *sources : kNoAnswer, results)};
}

RoomPage MakeAsk(const RoomRequest& request) {
  const std::string question(request.query.Text("question").substr(0, 1'000));
  if (question.empty()) return {.body = AskPage(request.style, question, kNoAnswer)};
  const Result<Json> answer = request.answers.Run("ask", {{"question", question}});
  if (!answer.ok()) return FailedPage(request.style, request.query, answer.error());
  return {.body = AskPage(request.style, question, *answer)};
}

// Of a whole file of a source, by the id of its bytes.
std::string CitationOfFile(const RoomRequest& request, std::string_view source,
                           const std::string& path, std::string_view blob) {
  const std::optional<git::ObjectId> id = git::ObjectId::FromHex(blob);
  const Result<Json> sources = request.answers.Run("source list", {});
  if (!id || !sources.ok()) return {};
  for (const Json& one : JsonList(*sources, "sources")) {
    if (JsonText(one, "name") != source) continue;
    evidence::SourceCitation citation;
    citation.blob = *id;
    citation.origin = std::string(JsonText(one, "origin"));
    citation.path = path;
    return evidence::FormatCitation(citation);
  }
  return {};
}

Result<Json> ReadSource(const RoomRequest& request, const std::string& target, std::size_t from,
                        std::size_t lines) {
  return request.answers.Run("source read", {{"from", std::to_string(from)},
                                             {"lines", std::to_string(lines)},
                                             {"plain", ""},
                                             {"target", target}});
}

RoomPage MakeSource(const RoomRequest& request) {
  const std::string_view rest = request.rest;
  if (rest.empty()) {
    const Result<Json> sources = request.answers.Run("source list", {});
    if (!sources.ok()) return FailedPage(request.style, request.query, sources.error());
    return {.body = SourcesPage(request.style, *sources)};
  }
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  const std::string name(rest.substr(0, slash));
  const std::string path(rest.substr(std::min(slash + 1, rest.size())));
  if (path.empty() || path.ends_with('/')) {
    std::vector<engine::GivenValue> given{{"name", name}};
    if (!path.empty()) given.push_back({"folder", path});
    const Result<Json> folder = request.answers.Run("source files", std::move(given));
    if (!folder.ok()) return FailedPage(request.style, request.query, folder.error());
    return {.body = FolderPage(request.style, *folder)};
  }
  constexpr std::size_t kLines = 2'000;
  constexpr std::size_t kBefore = 200;
  const std::size_t first = request.query.Number("from", 0);
  const std::size_t last = std::max(first, request.query.Number("to", 0));
  const std::size_t start = std::max<std::size_t>(
      request.query.Number("start", first > kBefore ? first - kBefore : 1), 1);
  const std::string target = name + ':' + path;
  std::string of = target;
  Result<Json> text = ReadSource(request, of, start, kLines);
  const std::string_view at = request.query.Text("at");
  std::string note;
  bool is_other = false;
  if (!at.empty() && (!text.ok() || BlobOf(JsonText(*text, "citation")) != at)) {
    note = "The pin has another version of this file; this is the one that was cited.";
    const std::string other = CitationOfFile(request, name, path, at);
    Result<Json> cited = ReadSource(request, other, start, kLines);
    is_other = cited.ok();
    if (is_other) {
      of = other;
      text = std::move(cited);
    } else {
      note = "The version that was cited is not on this machine; this is the one of the pin.";
    }
  }
  if (!text.ok()) return FailedPage(request.style, request.query, text.error());
  // What is cited is what is marked.
  Result<Json> marked = Json();
  if (first > 0) marked = ReadSource(request, of, first, last - first + 1);
  // It is that of the pin.
  Result<Json> outline = Json();
  if (!is_other) outline = request.answers.Run("source outline", {{"target", target}});
  return {.body =
              SourcePage(request.style, {.text = *text,
                                         .outline = outline.ok() ? *outline : kNoAnswer,
                                         .marked = first > 0 && marked.ok() ? &*marked : nullptr,
                                         .first = first,
                                         .last = last,
                                         .note = note})};
}

RoomPage MakeLabs(const RoomRequest& request) {
  const std::string before(request.query.Text("before"));
  const std::string after(request.query.Text("after"));
  if (!before.empty() || !after.empty()) {
    if (before.empty() || after.empty()) {
      return FailedPage(request.style, request.query,
                        {.kind = ErrorKind::kUsage,
                         .message = fmt::format("No run was chosen for '{}'.",
                                                before.empty() ? "before" : "after"),
                         .hint = "choose one before and one after on the page of labs: /labs"});
    }
    // The operation takes files too.
    if (!IsLowerHex(before) || !IsLowerHex(after)) {
      return FailedPage(request.style, request.query,
                        {.kind = ErrorKind::kNotFound,
                         .message = "Two runs that the oracle keeps are compared.",
                         .hint = "choose one before and one after on the page of labs: /labs"});
    }
    const Result<Json> compared =
        request.answers.Run("lab compare", {{"before", before}, {"after", after}});
    if (!compared.ok()) return FailedPage(request.style, request.query, compared.error());
    return {.body = LabComparePage(request.style, *compared)};
  }
  const Result<Json> runs = request.answers.Run("lab results", {});
  if (!runs.ok()) return FailedPage(request.style, request.query, runs.error());
  return {.body = LabsPage(request.style, *runs)};
}

RoomPage MakeLab(const RoomRequest& request) {
  constexpr std::string_view kDrawing = ".svg";
  const bool is_drawing = request.rest.ends_with(kDrawing);
  const std::string run(
      request.rest.substr(0, request.rest.size() - (is_drawing ? kDrawing.size() : 0)));
  // The operation takes files too.
  if (!IsLowerHex(run)) {
    return FailedPage(request.style, request.query,
                      {.kind = ErrorKind::kNotFound, .message = "The oracle keeps no such run."});
  }
  if (const std::string beside(request.query.Text("beside"));
      is_drawing && !beside.empty() && IsLowerHex(beside)) {
    Result<std::string> plot = engine::PlotBeside(request.answers.context(), run, beside);
    if (!plot.ok()) return FailedPage(request.style, request.query, plot.error());
    return {.type = "image/svg+xml", .body = *std::move(plot)};
  }
  std::vector<engine::GivenValue> given{{"run", run}};
  if (is_drawing) given.push_back({"plot", ""});
  if (const auto metric = request.query.Text("metric"); is_drawing && !metric.empty()) {
    given.push_back({"metric", std::string(metric)});
  }
  const Result<Json> answer = request.answers.Run("lab results", std::move(given));
  if (!answer.ok()) return FailedPage(request.style, request.query, answer.error());
  if (!is_drawing) return {.body = LabPage(request.style, *answer)};
  return {.type = "image/svg+xml", .body = std::string(JsonText(*answer, "svg"))};
}

RoomPage MakeAsset(const RoomRequest& request) {
  const RoomAsset asset = FindRoomAsset(request.rest);
  if (!asset.bytes.empty())
    return {.type = std::string(asset.type), .body = std::string(asset.bytes)};
  return FailedPage(request.style, request.query,
                    {.kind = ErrorKind::kNotFound, .message = "There is no such file."});
}

constexpr RoomPath kPaths[] = {
    {.path = "/", .make = MakeHome, .make_unchecked = MakeUncheckedHome},
    {.path = "/page/", .make = MakePage, .make_unchecked = MakeUncheckedPage},
    {.path = "/receipt/", .make = MakeReceipt},
    {.path = "/search", .make = MakeSearch},
    {.path = "/ask", .make = MakeAsk},
    {.path = "/source", .make = MakeSource},
    {.path = "/source/", .make = MakeSource},
    {.path = "/check", .make = MakeCheck, .is_kept = false, .takes_post = true},
    {.path = "/labs", .make = MakeLabs},
    {.path = "/labs/", .make = MakeLab},
    {.path = "/static/", .make = MakeAsset},
    {.path = "/runs", .is_kept = false},
    {.path = "/run/", .is_kept = false},
    {.path = "/runs/start", .is_kept = false, .takes_post = true},
    {.path = "/runs/stop", .is_kept = false, .takes_post = true},
    {.path = "/events", .is_kept = false},
};

}  // namespace

const RoomPath* FindRoomPath(std::string_view path) {
  for (const RoomPath& row : kPaths) {
    const bool has_more = row.path.size() > 1 && row.path.ends_with('/');
    if (has_more ? path.starts_with(row.path) : path == row.path) return &row;
  }
  return nullptr;
}

RoomPage FailedPage(const RoomStyle& style, const RoomQuery& query, const Error& error) {
  const int status = error.kind == ErrorKind::kNotFound  ? 404
                     : error.kind == ErrorKind::kUsage   ? 400
                     : error.kind == ErrorKind::kCorrupt ? 422
                                                         : 503;
  return {.status = status,
          .body = query.IsPart() ? ErrorPart(error).Take() : ErrorPage(style, status, error)};
}

}  // namespace sibyl::interface
