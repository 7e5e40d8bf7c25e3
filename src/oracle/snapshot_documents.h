// SPDX-License-Identifier: Apache-2.0
// Provides the files of a pinned snapshot to the index: read from the object
// store, classified and split into passages, on any number of threads.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "evidence/snapshot.h"
#include "git/object_reader.h"
#include "index/document.h"

namespace sibyl::oracle {

/// Changes whenever the same bytes would be split differently into passages or
/// terms, or have other cards: the fingerprint for reusing segments.
inline constexpr std::string_view kPassageRules = "passages-3";

/// Fills in language, passages and cards of a document that has its text.
void SplitDocument(std::string_view path, index::Document& document);

class SnapshotDocuments : public index::DocumentSource {
 public:
  /// `snapshot` must outlive it.
  explicit SnapshotDocuments(const evidence::Snapshot& snapshot);

  std::size_t size() const override { return keys_.size(); }
  const index::DocumentKey& key(std::size_t item) const override { return keys_[item]; }
  Result<index::Loaded> Load(std::size_t item, index::Document& document) override;

 private:
  std::unique_ptr<git::ObjectReader> TakeReader();
  void GiveBack(std::unique_ptr<git::ObjectReader> reader);

  const evidence::Snapshot& snapshot_;
  std::vector<index::DocumentKey> keys_;
  Mutex mutex_;
  // A reader caches delta bases; each load borrows one for a file.
  std::vector<std::unique_ptr<git::ObjectReader>> idle_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::oracle
