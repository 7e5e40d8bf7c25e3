// SPDX-License-Identifier: Apache-2.0
// The code of a repository as the input of an index: every text file that git
// does not ignore, but not the Markdown, which must not be evidence for itself.
#pragma once

#include <cstddef>
#include <vector>

#include "base/files/root.h"
#include "base/result.h"
#include "index/document.h"
#include "references/repository.h"

namespace sibyl::engine {

class OwnDocuments : public index::DocumentSource {
 public:
  /// Reads all files of a work tree once, for the ids of their contents.
  /// `repository` must outlive it.
  static Result<OwnDocuments> List(const references::Repository& repository);

  std::size_t size() const override { return keys_.size(); }
  const index::DocumentKey& key(std::size_t item) const override { return keys_[item]; }
  Result<index::Loaded> Load(std::size_t item, index::Document& document) override;

 private:
  OwnDocuments(const references::Repository& repository, Root root)
      : repository_(&repository), root_(std::move(root)) {}

  Result<std::string> Read(const std::string& path) const;

  const references::Repository* repository_;
  Root root_;
  std::vector<index::DocumentKey> keys_;
};

}  // namespace sibyl::engine
