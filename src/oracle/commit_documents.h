// SPDX-License-Identifier: Apache-2.0
// Provides the messages of a history to the index: one document for each commit, in
// the order of the history, with its subject as the heading.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "evidence/history/history.h"
#include "git/object_reader.h"
#include "index/document.h"

namespace sibyl::oracle {

/// Changes whenever the same messages would give other words.
inline constexpr std::string_view kMessageRules = "messages-1";

class CommitDocuments : public index::DocumentSource {
 public:
  /// `history` must outlive it.
  explicit CommitDocuments(const evidence::History& history);

  std::size_t size() const override { return keys_.size(); }
  const index::DocumentKey& key(std::size_t item) const override { return keys_[item]; }
  Result<index::Loaded> Load(std::size_t item, index::Document& document) override;

 private:
  std::unique_ptr<git::ObjectReader> TakeReader();
  void GiveBack(std::unique_ptr<git::ObjectReader> reader);

  const evidence::History& history_;
  std::vector<index::DocumentKey> keys_;
  Mutex mutex_;
  std::vector<std::unique_ptr<git::ObjectReader>> idle_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::oracle
