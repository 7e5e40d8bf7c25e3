// SPDX-License-Identifier: Apache-2.0
#include "model/event_stream.h"

#include <utility>

namespace sibyl::model {

Status EventStream::Feed(std::string_view piece) {
  while (!piece.empty()) {
    if (skips_newline_ && piece.front() == '\n') piece.remove_prefix(1);
    skips_newline_ = false;
    const std::size_t end = piece.find_first_of("\r\n");
    line_ += piece.substr(0, end);
    if (line_.size() + event_.data.size() > kMostBytes) {
      return Error{.kind = ErrorKind::kCorrupt,
                   .message = "an event in the stream exceeds the size limit"};
    }
    if (end == std::string_view::npos) return {};
    skips_newline_ = piece[end] == '\r';
    piece.remove_prefix(end + 1);
    const std::string line = std::exchange(line_, {});
    SIBYL_TRY(TakeLine(line));
  }
  return {};
}

Status EventStream::TakeLine(std::string_view line) {
  if (line.empty()) {
    const StreamEvent event = std::exchange(event_, {});
    if (!std::exchange(has_data_, false)) return {};
    return take_(event);
  }
  // A line that begins with a colon is a comment: servers send them to keep the
  // connection.
  const std::size_t colon = line.find(':');
  const std::string_view field = line.substr(0, colon);
  std::string_view value =
      colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (field == "event") event_.name = value;
  if (field == "data") {
    if (has_data_) event_.data += '\n';
    event_.data += value;
    has_data_ = true;
  }
  return {};
}

}  // namespace sibyl::model
