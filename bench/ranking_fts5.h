// SPDX-License-Identifier: Apache-2.0
// Plain BM25, to be better than: SQLite FTS5 with its default tokenizer over
// windows of 40 lines, any of the words, ranked by bm25().
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "evidence/snapshot.h"
#include "ranking_queries.h"

struct sqlite3;

namespace sibyl::bench {

class PlainBm25 {
 public:
  ~PlainBm25();
  PlainBm25(PlainBm25&&) noexcept;
  PlainBm25& operator=(PlainBm25&&) = delete;

  /// Opens the database if it was built for `corpus`, a name of all pins;
  /// otherwise empties it, to be filled with Add and Finish.
  static Result<PlainBm25> Open(const std::filesystem::path& file, std::string_view corpus);
  bool is_complete() const { return is_complete_; }

  /// Every text of the snapshot once, whatever the number of its paths.
  Status Add(std::string_view source, const evidence::Snapshot& snapshot);
  Status Finish(std::string_view corpus);

  /// The best windows that have any of the words. A word is what stands
  /// between blanks; what the tokenizer makes several tokens of
  /// (`TORCH_CUDA_ARCH_LIST`) is looked for as a phrase.
  Result<std::vector<SourceLines>> Search(const std::string& text) const;

 private:
  explicit PlainBm25(sqlite3* database) : database_(database) {}

  sqlite3* database_ = nullptr;
  bool is_complete_ = false;
};

}  // namespace sibyl::bench
