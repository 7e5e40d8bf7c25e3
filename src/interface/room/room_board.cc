// SPDX-License-Identifier: Apache-2.0
// The part of the room that watches runs, stops them and starts them.
#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/numbers.h"
#include "base/strings.h"
#include "interface/room/json_text.h"
#include "interface/room/room.h"
#include "interface/room/room_answers.h"
#include "interface/room/views.h"

namespace sibyl::interface {
namespace {

// Each holds a worker of the server; further ones get the board once and ask again.
constexpr int kMostWatchers = 4;
constexpr std::chrono::milliseconds kBoardPause{400};

constexpr std::string_view kRunPath = "/run/";

// "data: " before each line.
std::string EventOf(std::string_view html) {
  std::string event = "event: board\n";
  for (const std::string_view line : SplitLines(html)) {
    event.append("data: ").append(line).append("\n");
  }
  return event + '\n';
}

}  // namespace

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

}  // namespace sibyl::interface
