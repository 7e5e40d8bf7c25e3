// SPDX-License-Identifier: Apache-2.0
#include "interface/room/room.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

#include "base/numbers.h"
#include "base/strings.h"
#include "interface/json_answer.h"
#include "interface/room/json_text.h"
#include "interface/room/room_answers.h"
#include "interface/room/room_paths.h"
#include "interface/room/views.h"

namespace sibyl::interface {
namespace {

constexpr std::size_t kMostKeptBytes = std::size_t{16} << 20;
// Each holds a worker of the server; further ones get the board once and ask again.
// Of the eight requests that are answered at a time: readers must get their turn.
constexpr int kMostWatchers = 4;
constexpr int kMostHeavy = 3;  // checks, and regular expressions over all sources
constexpr std::chrono::milliseconds kBoardPause{400};

constexpr std::string_view kRunPath = "/run/";

// Only what changes the page is part of the key.
std::string KeyOf(const HttpRequest& request) { return request.path + '?' + request.query; }

// Pages that were made before they are checked are kept beside the others.
constexpr std::string_view kUnchecked = "unchecked ";
std::string UncheckedKeyOf(const HttpRequest& request) {
  return std::string(kUnchecked) + KeyOf(request);
}

// Sent to few readers, and soon replaced: not compressed.
std::shared_ptr<const KeptResponse> KeptOnce(RoomPage page) {
  return std::make_shared<const KeptResponse>(
      KeptResponse{.type = std::move(page.type), .body = std::move(page.body)});
}

// A person opens the page in a browser. Its script, and all other programs, get the checked one.
bool TakesUnchecked(const RoomPath& row, const HttpRequest& request) {
  return row.make_unchecked != nullptr && request.Header("sec-fetch-mode") == "navigate";
}

bool AcceptsGzip(const HttpRequest& request) {
  const std::string_view accepted = request.Header("accept-encoding");
  const std::size_t at = accepted.find("gzip");
  if (at == std::string_view::npos) return false;
  const std::string_view weight = accepted.substr(at + 4, accepted.find(',', at) - at - 4);
  return Trim(weight) != ";q=0";
}

bool HasTag(std::string_view tags, std::string_view tag) {
  return Trim(tags) == "*" || Contains(tags, tag);
}

HttpResponse PlainRefusal(int status, std::string_view message) {
  const Error error{.kind = ErrorKind::kUsage, .message = std::string(message)};
  HttpResponse response{.status = status,
                        .headers = RoomHeaders(),
                        .body = FormatJson(ErrorAsJson({}, error)) + '\n'};
  response.headers.push_back({"Content-Type", "application/json"});
  return response;
}

// "data: " before each line.
std::string EventOf(std::string_view html) {
  std::string event = "event: board\n";
  for (const std::string_view line : SplitLines(html)) {
    event.append("data: ").append(line).append("\n");
  }
  return event + '\n';
}

}  // namespace

std::vector<HttpHeader> RoomHeaders() {
  return {{"Content-Security-Policy",
           "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
           "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"},
          // Not no-referrer: then browsers post a form with "Origin: null".
          {"Referrer-Policy", "same-origin"},
          {"Cross-Origin-Opener-Policy", "same-origin"},
          {"Cross-Origin-Resource-Policy", "same-origin"}};
}

Room::Room(const McpServer& server)
    : server_(server),
      style_{.oracle = NameOfOracle(server.context())},
      cache_(server.context().oracle.value_or(server.context().working_folder), kMostKeptBytes),
      runs_(server.context()),
      keeper_([this](const std::string& key, std::stop_token stop) {
        MakeAhead(key, std::move(stop));
      }) {}

void Room::MakeAhead(std::string_view key, std::stop_token stop) {
  const bool is_unchecked = key.starts_with(kUnchecked);
  if (is_unchecked) key.remove_prefix(kUnchecked.size());
  const std::size_t mark = std::min(key.find('?'), key.size());
  HttpRequest request;
  request.method = "GET";
  request.path = key.substr(0, mark);
  request.query = key.substr(std::min(mark + 1, key.size()));
  const auto found = cache_.Find(KeyOf(request), std::chrono::steady_clock::now());
  if (found.response && !found.is_old) return;
  if (is_unchecked) return KeepUnchecked(request, std::move(stop));
  if (!making_.Begin(KeyOf(request))) return;
  int status = 200;
  Make(request, std::move(stop), status);
  making_.End(KeyOf(request));
}

// Takes milliseconds, so that it is done for all pages before the first of them is checked.
void Room::KeepUnchecked(const HttpRequest& request, std::stop_token stop) {
  constexpr std::size_t kMostAhead = 300;
  const std::uint64_t state = cache_.State();
  RoomPage page = Call(request, std::move(stop), FindRoomPath(request.path)->make_unchecked);
  if (page.status != 200) return;
  for (std::size_t i = std::min(page.next.size(), kMostAhead); i > 0; --i) {
    keeper_.AddFirst(std::string(kUnchecked) + page.next[i - 1]);
  }
  cache_.Put(UncheckedKeyOf(request), KeptOnce(std::move(page)), state,
             std::chrono::steady_clock::now());
}

bool Room::Has(std::string_view path) { return FindRoomPath(path) != nullptr; }

std::optional<HttpResponse> Room::Judge(const HttpRequest& head, bool may_write) const {
  const RoomPath& row = *FindRoomPath(head.path);
  const bool is_get = head.method == "GET" || head.method == "HEAD";
  const bool is_change = row.make == nullptr && row.takes_post;
  if ((is_get && !is_change) || (head.method == "POST" && row.takes_post)) {
    if (!is_change || may_write) return std::nullopt;
    HttpResponse refusal = PlainRefusal(401, "this needs the server's token");
    refusal.headers.push_back({"WWW-Authenticate", "Bearer realm=\"sibyl\""});
    return refusal;
  }
  HttpResponse refusal = PlainRefusal(405, "this path does not take that method");
  refusal.headers.push_back({"Allow", is_change        ? "POST"
                                      : row.takes_post ? "GET, HEAD, POST"
                                                       : "GET, HEAD"});
  return refusal;
}

bool Room::IsQuick(const HttpRequest& head) const {
  const RoomPath* row = FindRoomPath(head.path);
  if (row == nullptr || !row->is_kept || head.method == "POST") return false;
  const auto now = std::chrono::steady_clock::now();
  return cache_.IsReady(KeyOf(head), now) ||
         (TakesUnchecked(*row, head) && cache_.IsReady(UncheckedKeyOf(head), now));
}

void Room::Begin() {
  for (const char* path : {"/static/room.css?", "/static/room.js?"}) MakeAhead(path, {});
  MakeAhead(std::string(kUnchecked) + "/", {});
  Refresh();
}

void Room::Refresh() {
  // The first page takes seconds; the others are needed for whatever is shown before it.
  keeper_.Add(std::string(kUnchecked) + "/");
  for (const char* path : {"/static/room.css?", "/static/room.js?", "/static/icon.svg?", "/search?",
                           "/source?", "/"}) {
    keeper_.Add(path);
  }
}

RoomPage Room::Call(const HttpRequest& request, std::stop_token stop,
                    RoomPage (*make)(const RoomRequest&)) {
  const RoomPath& row = *FindRoomPath(request.path);
  const RoomAnswers answers(server_.context(), std::move(stop));
  const RoomQuery query(request.query);
  return make(
      {.style = style_,
       .answers = answers,
       .http = request,
       .query = query,
       .rest =
           std::string_view(request.path).substr(std::min(row.path.size(), request.path.size())),
       .cache = cache_});
}

std::shared_ptr<const KeptResponse> Room::Make(const HttpRequest& request, std::stop_token stop,
                                               int& status) {
  const RoomPath& row = *FindRoomPath(request.path);
  const std::uint64_t state = cache_.State();
  RoomPage page = Call(request, std::move(stop), row.make);
  status = page.status;
  auto made = std::make_shared<const KeptResponse>(
      KeepResponse(std::move(page.type), std::move(page.body)));
  if (row.is_kept && page.status == 200) {
    cache_.Put(KeyOf(request), made, state, std::chrono::steady_clock::now());
  }
  for (const std::string& path : page.next) keeper_.Add(path);
  return made;
}

std::shared_ptr<const KeptResponse> Room::FindUnchecked(const HttpRequest& request,
                                                        std::stop_token stop) {
  const RoomPath& row = *FindRoomPath(request.path);
  if (!TakesUnchecked(row, request)) return {};
  const auto kept = cache_.Find(UncheckedKeyOf(request), std::chrono::steady_clock::now());
  if (kept.response) return kept.response;
  RoomPage page = Call(request, std::move(stop), row.make_unchecked);
  return page.status == 200 ? KeptOnce(std::move(page)) : nullptr;
}

std::shared_ptr<const KeptResponse> Room::Find(const HttpRequest& request, std::stop_token stop,
                                               int& status) {
  if (!FindRoomPath(request.path)->is_kept) return Make(request, std::move(stop), status);
  const std::string key = KeyOf(request);
  do {
    const RoomCache::Found found = cache_.Find(key, std::chrono::steady_clock::now());
    if (found.has_changed) Refresh();
    if (found.is_old) keeper_.Add(key);
    if (found.response) return found.response;
    if (auto made = FindUnchecked(request, stop)) {
      keeper_.AddFirst(key);
      return made;
    }
  } while (!making_.Begin(key));
  auto made = Make(request, std::move(stop), status);
  making_.End(key);
  return made;
}

HttpResponse Room::Send(const HttpRequest& request, const KeptResponse& kept, int status) const {
  HttpResponse response{.status = status, .headers = RoomHeaders(), .body = {}};
  // A drawing has its own style, and is only shown as an image.
  if (kept.type == "image/svg+xml") {
    response.headers.front().value = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
  }
  response.headers.push_back({"Content-Type", kept.type});
  response.headers.push_back({"Vary", "Accept-Encoding"});
  if (kept.tag.empty()) response.headers.push_back({"Cache-Control", "no-store"});
  if (status == 200 && request.method != "POST" && !kept.tag.empty()) {
    response.headers.push_back({"ETag", kept.tag});
    response.headers.push_back({"Cache-Control", "no-cache"});
    if (request.Has("if-none-match") && HasTag(request.Header("if-none-match"), kept.tag)) {
      response.status = 304;
      return response;
    }
  }
  if (!kept.compressed.empty() && AcceptsGzip(request)) {
    response.headers.push_back({"Content-Encoding", "gzip"});
    response.body = kept.compressed;
  } else {
    response.body = kept.Body();
  }
  return response;
}

HttpResponse Room::ErrorAsPage(int status, const Error& error) const {
  const bool may_read = status != 401 && status != 403;
  const RoomStyle style = may_read ? style_ : RoomStyle{.oracle = "sibyl"};
  HttpResponse response{
      .status = status, .headers = RoomHeaders(), .body = ErrorPage(style, status, error)};
  response.headers.push_back({"Content-Type", "text/html; charset=utf-8"});
  return response;
}

Result<std::string> Room::MakeBoard(const std::string& run, std::stop_token stop) const {
  const RoomAnswers answers(server_.context(), std::move(stop));
  std::vector<engine::GivenValue> given{{"all", ""}};
  if (!run.empty()) given = {{"run", run}};
  const Json status = SIBYL_TRY(answers.Run("status", std::move(given)));
  const BoardActions actions{.running_here = runs_.current().value_or(""),
                             .failure = runs_.failure(),
                             .can_start = FindTool(server_.tools(), "expand") != nullptr};
  return (run.empty() ? BoardPart(style_, status, actions) : RunPart(style_, status, actions))
      .Take();
}

Result<std::string> Room::Board(const std::string& run, std::stop_token stop) {
  constexpr std::size_t kMostBoards = 16;
  const auto now = std::chrono::steady_clock::now();
  {
    const MutexLock lock(boards_mutex_);
    const auto kept = boards_.find(run);
    if (kept != boards_.end() && now - kept->second.made < kBoardPause / 2) {
      return kept->second.html;
    }
  }
  Result<std::string> html = MakeBoard(run, std::move(stop));
  const MutexLock lock(boards_mutex_);
  if (boards_.size() >= kMostBoards) boards_.clear();
  boards_.insert_or_assign(run, KeptBoard{.html = html, .made = now});
  return html;
}

HttpResponse Room::SendEvents(HttpExchange& exchange) {
  HttpResponse head{.status = 200, .headers = RoomHeaders(), .body = {}};
  head.headers.push_back({"Content-Type", "text/event-stream"});
  const std::stop_token stop = exchange.gone();
  const std::string run(RoomQuery(exchange.request().query).Text("run"));
  // A run may begin while it is watched.
  const auto board = [&] {
    Result<std::string> made = Board(run, stop);
    return made.ok() ? *std::move(made) : ErrorPart(made.error()).Take();
  };
  std::string last = board();
  const bool is_one_too_many = watchers_.fetch_add(1) >= kMostWatchers;
  if (!exchange.BeginStream(head) || !exchange.Write("retry: 3000\n\n" + EventOf(last)) ||
      is_one_too_many) {
    watchers_.fetch_sub(1);
    return head;
  }
  constexpr int kSilent = 40;  // a comment keeps the connection, and finds out if it is gone
  for (int pauses = 0; !stop.stop_requested(); ++pauses) {
    std::this_thread::sleep_for(kBoardPause);
    if (stop.stop_requested()) break;
    std::string now = board();
    const bool has_changed = now != last;
    if (!has_changed && pauses % kSilent != kSilent - 1) continue;
    if (!exchange.Write(has_changed ? EventOf(now) : ": still here\n\n")) break;
    last = std::move(now);
  }
  watchers_.fetch_sub(1);
  return head;
}

HttpResponse Room::ChangeRun(const HttpRequest& request) {
  constexpr int kDepth = 4;
  const Result<Json> body = ParseJson(request.body, {.max_depth = kDepth});
  const std::string plan(body.ok() ? JsonText(*body, "plan") : std::string_view());
  if (plan.empty()) return PlainRefusal(400, "the body must name a plan");
  if (request.path == "/runs/stop") {
    const Status stopped = runs_.Stop(plan);
    if (!stopped.ok()) return PlainRefusal(404, stopped.error().message);
  } else {
    if (FindTool(server_.tools(), "expand") == nullptr) {
      return PlainRefusal(403, "start the server with '--tool expand' to start runs here");
    }
    const Status started = runs_.Start(plan);
    if (!started.ok()) return PlainRefusal(400, started.error().message);
  }
  HttpResponse response{.status = 202, .headers = RoomHeaders(), .body = "{}\n"};
  response.headers.push_back({"Content-Type", "application/json"});
  return response;
}

HttpResponse Room::AnswerRuns(HttpExchange& exchange) {
  const HttpRequest& request = exchange.request();
  const bool is_one = request.path.starts_with(kRunPath);
  const std::string run = is_one ? request.path.substr(kRunPath.size()) : std::string();
  Result<std::string> board = Error{.kind = ErrorKind::kNotFound,
                                    .message = "There is no run of that number.",
                                    .hint = "the board lists the runs: /runs"};
  if (!is_one || ParseNumber<std::uint64_t>(run)) board = Board(run, exchange.gone());
  if (!board.ok()) {
    const RoomPage none = FailedPage(style_, RoomQuery(request.query), board.error());
    return Send(request, KeepResponse(none.type, none.body), none.status);
  }
  return Send(request,
              KeepResponse("text/html; charset=utf-8", RunsPage(style_, run, *std::move(board))),
              200);
}

HttpResponse Room::Answer(HttpExchange& exchange) {
  const HttpRequest& request = exchange.request();
  if (request.path == "/events") return SendEvents(exchange);
  if (request.path == "/runs" || request.path.starts_with(kRunPath)) return AnswerRuns(exchange);
  if (FindRoomPath(request.path)->make == nullptr) return ChangeRun(request);
  const bool is_heavy =
      request.method == "POST" || RoomQuery(request.query).Text("mode") == "regex";
  if (is_heavy && heavy_.fetch_add(1) >= kMostHeavy) {
    heavy_.fetch_sub(1);
    const RoomPage busy = FailedPage(
        style_, RoomQuery(request.query),
        {.kind = ErrorKind::kUnavailable,
         .message = "Several long searches or checks are running. Try again in a moment."});
    return Send(request, KeepResponse(busy.type, busy.body), 503);
  }
  int status = 200;
  const auto kept = Find(request, exchange.gone(), status);
  if (is_heavy) heavy_.fetch_sub(1);
  return Send(request, *kept, status);
}

}  // namespace sibyl::interface
