// SPDX-License-Identifier: Apache-2.0
// What the index is measured against: other people's engines, given the same
// passages and the same words.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/document.h"

namespace sibyl::bench {

/// A passage as every engine numbers them: in the order of the source.
struct PeerHit {
  std::size_t passage = 0;
  double score = 0;
};

class Peer {
 public:
  virtual ~Peer() = default;
  virtual std::string_view name() const = 0;

  /// From nothing to an index on disk that answers queries.
  virtual void Build(index::DocumentSource& source, const std::filesystem::path& folder) = 0;
  virtual void Open(const std::filesystem::path& folder) = 0;

  /// Ten best passages that have any of the words.
  virtual std::vector<PeerHit> Search(const std::string& words) = 0;
};

std::unique_ptr<Peer> MakeFts5();    ///< SQLite FTS5, contentless.
std::unique_ptr<Peer> MakeXapian();  ///< Xapian glass, BM25, no positions; null if not installed.

}  // namespace sibyl::bench
