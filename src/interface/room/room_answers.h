// SPDX-License-Identifier: Apache-2.0
// For the paths of the reading room: running operations, and reading a query.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "engine/arguments.h"
#include "interface/room/page_html.h"
#include "interface/web/http_message.h"
#include "oracle/context.h"

namespace sibyl::interface {

/// How pages call the oracle: by the name of its folder.
std::string NameOfOracle(const oracle::Context& context);

OracleDescription DescribeOracle(const oracle::Context& context);

/// Runs operations of the table for one request.
class RoomAnswers {
 public:
  /// `context` is copied.
  RoomAnswers(const oracle::Context& context, std::stop_token stop);

  /// The same, with a folder that operations may read too.
  RoomAnswers WithFolder(const std::filesystem::path& folder) const;

  /// The same for operations that can end early, with what they have done by then.
  RoomAnswers Within(std::chrono::milliseconds limit) const;

  const oracle::Context& context() const { return context_; }

  /// The answer as JSON, as on the command line.
  Result<Json> Run(std::string_view operation, std::vector<engine::GivenValue> given) const;

 private:
  oracle::Context context_;
};

class RoomQuery {
 public:
  explicit RoomQuery(std::string_view query) : values_(ReadQuery(query)) {}

  /// The first of that name, empty if there is none.
  std::string_view Text(std::string_view name) const;
  std::size_t Number(std::string_view name, std::size_t otherwise) const;
  /// Whether only the part is wanted that the script inserts.
  bool IsPart() const { return Text("part") == "1"; }

 private:
  std::vector<HttpHeader> values_;
};

}  // namespace sibyl::interface
