// SPDX-License-Identifier: Apache-2.0
// The messages of a source's commits as a field of its files: an index of the messages,
// one passage for each commit in the order of the history, and the commits of each file.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "evidence/history/history.h"
#include "index/manifest.h"
#include "index/segment/segment.h"

namespace sibyl::index {

class HistoryField {
 public:
  /// kCorrupt if the index is not that of this history: then build it again.
  static Result<HistoryField> Make(Index messages, evidence::History history);

  const Index& messages() const { return messages_; }
  const Segment& segment() const { return messages_.parts().front().segment; }
  const evidence::History& history() const { return history_; }

  /// The commits that changed a document of the source under any of its paths, the latest
  /// first; at most `most`. All are numbers of passages of segment().
  std::vector<std::uint32_t> CommitsOf(const std::vector<std::string_view>& paths,
                                       std::size_t most) const;

 private:
  HistoryField(Index messages, evidence::History history)
      : messages_(std::move(messages)), history_(std::move(history)) {}

  Index messages_;
  evidence::History history_;
};

}  // namespace sibyl::index
