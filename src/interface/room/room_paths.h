// SPDX-License-Identifier: Apache-2.0
// The table of the reading room's paths, and what each one makes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interface/room/page_html.h"
#include "interface/room/room_answers.h"
#include "interface/room/room_cache.h"
#include "interface/web/http_message.h"

namespace sibyl::interface {

/// A request as the functions of the table see it.
struct RoomRequest {
  const RoomStyle& style;
  const RoomAnswers& answers;
  const HttpRequest& http;
  const RoomQuery& query;
  std::string_view rest;  ///< Of the path, after that of the row.
  RoomCache& cache;       ///< Also keeps answers of operations that several pages use.
  RoomCache::Time now;
};

struct RoomPage {
  int status = 200;
  std::string type = "text/html; charset=utf-8";
  std::string body;
  std::vector<std::string> next = {};  ///< Paths that a reader will open next.
  /// When what it is made from was looked up; nothing: now.
  std::optional<RoomCache::Time> looked_up = {};
};

struct RoomPath {
  std::string_view path;  ///< "/page/": a row that ends with a slash has more after it.
  RoomPage (*make)(const RoomRequest&) = nullptr;  ///< Null: answered by Room itself.
  bool is_kept = true;      ///< In the cache, until a file of the oracle changes.
  bool takes_post = false;  ///< Of a form.
  /// Makes the page at once, without checking anything, for a reader who would wait otherwise.
  RoomPage (*make_unchecked)(const RoomRequest&) = nullptr;
};

/// The row of a path; null if it is not one of the room's.
const RoomPath* FindRoomPath(std::string_view path);

/// An error as a page with its status, or as the part that the script inserts.
RoomPage FailedPage(const RoomStyle& style, const RoomQuery& query, const Error& error);

}  // namespace sibyl::interface
