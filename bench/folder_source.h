// SPDX-License-Identifier: Apache-2.0
// Files of a folder as documents, for benchmarks: what every tool of the
// comparison sees, without the rest of the house.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "index/document.h"

namespace sibyl::bench {

/// Regular files shorter than 1 MiB without a NUL byte, by path.
class FolderSource : public index::DocumentSource {
 public:
  explicit FolderSource(std::filesystem::path folder);

  /// As git would name them. Reads every file: a real source knows its ids.
  void ComputeBlobIds();

  std::size_t size() const override { return keys_.size(); }
  const index::DocumentKey& key(std::size_t item) const override { return keys_[item]; }
  Result<index::Loaded> Load(std::size_t item, index::Document& document) override;

 private:
  std::filesystem::path folder_;
  std::vector<index::DocumentKey> keys_;
};

}  // namespace sibyl::bench
