// SPDX-License-Identifier: Apache-2.0
// Checks citations of pages: are the characters in the stored text, and does
// the currently pinned page still contain them?
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "evidence/citation.h"
#include "evidence/lock.h"
#include "evidence/pages/page_snapshot.h"
#include "evidence/store.h"
#include "gate/other_answer.h"

namespace sibyl::gate {

/// Thread-safe. Every snapshot is read once.
class CitedPages {
 public:
  /// `lock` is borrowed.
  CitedPages(const evidence::Lock& lock, evidence::Store store)
      : lock_(lock), store_(std::move(store)) {}

  /// Supported when the text with that hash is here, is of that page and has these
  /// characters; stale when the page has another text now that does not have them.
  OtherAnswer Resolve(const evidence::WebCitation& citation);

 private:
  using Snapshot = std::shared_ptr<const Result<evidence::PageSnapshot>>;

  Snapshot Load(const std::string& text_sha256) SIBYL_EXCLUDES(mutex_);

  const evidence::Lock& lock_;
  evidence::Store store_;
  Mutex mutex_;
  // Shared with threads that are using it.
  std::map<std::string, Snapshot> loaded_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::gate
