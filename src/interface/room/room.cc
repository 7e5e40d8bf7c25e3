// SPDX-License-Identifier: Apache-2.0
#include "interface/room/room.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

#include "base/numbers.h"
#include "base/strings.h"
#include "engine/oracle_pages_list.h"
#include "interface/json_answer.h"
#include "interface/room/json_text.h"
#include "interface/room/room_answers.h"
#include "interface/room/room_paths.h"
#include "interface/room/views.h"

namespace sibyl::interface {
namespace {

constexpr std::size_t kMostKeptBytes = std::size_t{16} << 20;
// Of the eight requests that are answered at a time: readers must get their turn.
constexpr int kMostHeavy = 3;  // checks, and regular expressions over all sources

// Only what changes the page is part of the key.
std::string KeyOf(const HttpRequest& request) { return request.path + '?' + request.query; }

// Pages that were made before they are checked are kept beside the others.
std::string UncheckedKeyOf(const HttpRequest& request) { return "unchecked " + KeyOf(request); }

// For the keeper: to make the texts of all pages.
constexpr const char* kTexts = "texts";

HttpRequest RequestOf(const std::string& key) {
  const std::size_t mark = std::min(key.find('?'), key.size());
  HttpRequest request;
  request.method = "GET";
  request.path = key.substr(0, mark);
  request.query = key.substr(std::min(mark + 1, key.size()));
  return request;
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

}  // namespace

HttpResponse PlainRefusal(int status, std::string_view message) {
  const Error error{.kind = ErrorKind::kUsage, .message = std::string(message)};
  HttpResponse response{.status = status,
                        .headers = RoomHeaders(),
                        .body = FormatJson(ErrorAsJson({}, error)) + '\n'};
  response.headers.push_back({"Content-Type", "application/json"});
  return response;
}

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
      style_{
          .oracle = NameOfOracle(server.context()),
          .has_page =
              [&server](std::string_view page) { return engine::IsPage(server.context(), page); }},
      cache_(server.context().oracle.value_or(server.context().working_folder), kMostKeptBytes),
      runs_(server.context()),
      keeper_([this](const std::string& key, std::stop_token stop) {
        MakeAhead(key, std::move(stop));
      }) {}

void Room::MakeAhead(const std::string& key, std::stop_token stop) {
  if (key == kTexts) return KeepTexts(stop);
  const HttpRequest request = RequestOf(key);
  const auto found = cache_.Find(key, std::chrono::steady_clock::now());
  if ((found.response && !found.is_old) || !making_.Begin(key)) return;
  int status = 200;
  Make(request, std::move(stop), status);
  making_.End(key);
}

// Takes milliseconds for each, and is done before the first of them is checked.
void Room::KeepTexts(const std::stop_token& stop) {
  constexpr std::size_t kMostAhead = 300;
  std::vector<std::string> pages = KeepUnchecked("/?", stop);
  pages.resize(std::min(pages.size(), kMostAhead));
  for (const std::string& page : pages) {
    if (stop.stop_requested()) return;
    KeepUnchecked(page, stop);
  }
}

std::vector<std::string> Room::KeepUnchecked(const std::string& key, const std::stop_token& stop) {
  const HttpRequest request = RequestOf(key);
  const bool is_checked = cache_.Find(key, std::chrono::steady_clock::now()).response != nullptr;
  const std::uint64_t state = cache_.State();
  RoomPage page = Call(request, stop, FindRoomPath(request.path)->make_unchecked);
  std::vector<std::string> next = std::move(page.next);
  if (is_checked || page.status != 200) return next;
  cache_.Put(UncheckedKeyOf(request), KeptOnce(std::move(page)), state,
             std::chrono::steady_clock::now());
  return next;
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
  for (const char* key : {"/static/room.css?", "/static/room.js?"}) MakeAhead(key, {});
  KeepUnchecked("/?", {});
  Refresh();
}

void Room::Refresh() {
  // The first page takes seconds; the others are needed for whatever is shown before it.
  for (const char* key : {kTexts, "/static/room.css?", "/static/room.js?", "/static/icon.svg?",
                          "/search?", "/source?", "/?"}) {
    keeper_.Add(key);
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
       .cache = cache_,
       .now = std::chrono::steady_clock::now()});
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
    cache_.Put(KeyOf(request), made, state,
               page.looked_up.value_or(std::chrono::steady_clock::now()));
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

HttpResponse Room::Answer(HttpExchange& exchange) {
  const HttpRequest& request = exchange.request();
  if (request.path == "/events") return SendEvents(exchange);
  if (request.path == "/runs" || request.path.starts_with("/run/")) return AnswerRuns(exchange);
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
