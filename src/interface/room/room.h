// SPDX-License-Identifier: Apache-2.0
// Start here: the reading room of a server. Its paths, each answered from
// operations; room_paths.cc has the table.
//
//   /                          topics, what is new, coverage, health
//   /page/<path>               a page of the oracle
//   /receipt/<path>/<number>   the receipts of a statement
//   /search, /ask              search and answers
//   /source/<name>/<path>      pinned files
//   /runs, /run/<number>       the board, and one run point by point
//   /events                    their changes as they happen
//   /check                     a text or an artifact that is pasted
//   /labs, /labs/<run>         measurements
//   /static/<name>             stylesheet, script, icon
//
// With `part=1` in the query, the part of a page that the script inserts.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interface/mcp/server.h"
#include "interface/room/page_html.h"
#include "interface/room/room_cache.h"
#include "interface/room/room_keeper.h"
#include "interface/room/room_paths.h"
#include "interface/room/room_runs.h"
#include "interface/web/http_service.h"

namespace sibyl::interface {

/// Thread-safe.
class Room {
 public:
  /// `server` is borrowed.
  explicit Room(const McpServer& server);

  /// Makes what a browser needs first, in milliseconds, and lets the keeper make the pages of the
  /// oracle.
  void Begin();

  /// Whether a path is one of the room's.
  static bool Has(std::string_view path);
  /// The refusal of a method: 405, or 401 where the token is needed.
  std::optional<HttpResponse> Judge(const HttpRequest& head, bool may_write) const;
  /// Whether the answer is kept, so that it takes microseconds.
  bool IsQuick(const HttpRequest& head) const;
  HttpResponse Answer(HttpExchange& exchange);
  /// An error for a person. Those who may not read do not learn the oracle's name.
  HttpResponse ErrorAsPage(int status, const Error& error) const;

 private:
  /// Lets the keeper make the pages before somebody asks.
  void Refresh();
  std::shared_ptr<const KeptResponse> Find(const HttpRequest& request, std::stop_token stop,
                                           int& status);
  RoomPage Call(const HttpRequest& request, std::stop_token stop,
                RoomPage (*make)(const RoomRequest&));
  /// Null if the page is checked before it is sent.
  std::shared_ptr<const KeptResponse> FindUnchecked(const HttpRequest& request,
                                                    std::stop_token stop);
  /// Of the keeper. A key is a path with '?' and a query, or kTexts.
  void MakeAhead(const std::string& key, std::stop_token stop);
  void KeepTexts(const std::stop_token& stop);
  /// Returns the keys of the pages that it lists.
  std::vector<std::string> KeepUnchecked(const std::string& key, const std::stop_token& stop);
  std::shared_ptr<const KeptResponse> Make(const HttpRequest& request, std::stop_token stop,
                                           int& status);
  HttpResponse Send(const HttpRequest& request, const KeptResponse& kept, int status) const;
  HttpResponse SendEvents(HttpExchange& exchange);
  HttpResponse ChangeRun(const HttpRequest& request);
  /// The board, at most a moment old, for all who watch it. `run` is a number, or
  /// empty for all runs.
  Result<std::string> Board(const std::string& run, std::stop_token stop)
      SIBYL_EXCLUDES(boards_mutex_);
  Result<std::string> MakeBoard(const std::string& run, std::stop_token stop) const;
  HttpResponse AnswerRuns(HttpExchange& exchange);

  const McpServer& server_;
  RoomStyle style_;
  RoomCache cache_;
  RoomRuns runs_;
  std::atomic<int> watchers_ = 0;
  std::atomic<int> heavy_ = 0;
  struct KeptBoard {
    Result<std::string> html;
    std::chrono::steady_clock::time_point made;
  };
  Mutex boards_mutex_;
  std::map<std::string, KeptBoard> boards_ SIBYL_GUARDED_BY(boards_mutex_);
  RoomMaking making_;
  RoomKeeper keeper_;  // the last: its thread uses the others
};

/// The stylesheet, the script or the icon; empty for other names.
struct RoomAsset {
  std::string_view type;
  std::string_view bytes;
};
RoomAsset FindRoomAsset(std::string_view name);

/// An error for the script and for programs, as JSON.
HttpResponse PlainRefusal(int status, std::string_view message);

/// The headers of every page: what a browser may load and run for it.
std::vector<HttpHeader> RoomHeaders();

}  // namespace sibyl::interface
