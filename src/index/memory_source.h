// SPDX-License-Identifier: Apache-2.0
// Documents in memory: for tests, fuzzing, and texts that are not files.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/document.h"

namespace sibyl::index {

class MemorySource : public DocumentSource {
 public:
  struct File {
    std::string path;
    std::string text;
    std::string language;
    std::vector<PassageSpan> passages;
    git::ObjectId blob;
    std::vector<cards::CardSpot> cards = {};
  };

  /// Documents keep the order in which they are added.
  void Add(File file) {
    keys_.push_back({.path = file.path, .blob = file.blob});
    files_.push_back(std::move(file));
  }

  std::size_t size() const override { return files_.size(); }
  const DocumentKey& key(std::size_t item) const override { return keys_[item]; }

  Result<Loaded> Load(std::size_t item, Document& document) override {
    document.text = files_[item].text;
    document.language = files_[item].language;
    document.passages = files_[item].passages;
    document.cards = files_[item].cards;
    return Loaded::kText;
  }

 private:
  std::vector<File> files_;
  std::vector<DocumentKey> keys_;
};

}  // namespace sibyl::index
