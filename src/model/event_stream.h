// SPDX-License-Identifier: Apache-2.0
// Server-sent events, as models stream their answers: read piece by piece,
// however the network cut them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sibyl::model {

struct StreamEvent {
  std::string name;  ///< Of the "event:" line; empty when there was none.
  std::string data;  ///< The "data:" lines, joined by line ends.
};

class EventStream {
 public:
  using Take = std::function<Status(const StreamEvent&)>;

  explicit EventStream(Take take) : take_(std::move(take)) {}

  /// Passes every complete event to `take`. Returns an error of `take`, or
  /// kCorrupt for an event over the size limit.
  Status Feed(std::string_view piece);

 private:
  Status TakeLine(std::string_view line);

  static constexpr std::size_t kMostBytes = std::size_t{4} << 20;  // of one event

  Take take_;
  std::string line_;  // what there is of a line
  StreamEvent event_;
  bool has_data_ = false;
  bool skips_newline_ = false;  // after a carriage return
};

}  // namespace sibyl::model
