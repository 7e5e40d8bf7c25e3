// SPDX-License-Identifier: Apache-2.0
// Pinned sources out of a few lines of text, for tests.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "audit/witness.h"
#include "index/rank/searcher.h"
#include "index/test_index.h"

namespace sibyl::audit {

class TestWitness {
 public:
  struct Source {
    std::string name;
    std::vector<std::pair<std::string, std::string>> files;  ///< Path and text.
    std::string origin = "";
    std::vector<std::string> known_as = {};
  };

  explicit TestWitness(const std::vector<Source>& sources) {
    std::vector<WitnessSource> names;
    std::uint32_t blob = 0;
    for (const Source& source : sources) {
      index::MemorySource files;
      for (const auto& [path, text] : source.files) {
        files.Add({.path = path, .text = text, .blob = index::BlobOf(++blob)});
      }
      auto folder = std::make_unique<index::TestIndex>();
      folder->Build(files);
      indexes_.push_back(std::make_unique<index::Index>(folder->Open(source.name)));
      folders_.push_back(std::move(folder));
      names.push_back({.name = source.name,
                       .pin = "0123abc",
                       .origin = source.origin,
                       .known_as = source.known_as});
    }
    std::vector<const index::Index*> borrowed;
    for (const auto& index : indexes_) borrowed.push_back(index.get());
    searcher_.emplace(borrowed);
    witness_.emplace(*searcher_, std::move(names));
  }

  const Witness& operator*() const { return *witness_; }

 private:
  std::vector<std::unique_ptr<index::TestIndex>> folders_;
  std::vector<std::unique_ptr<index::Index>> indexes_;
  std::optional<index::Searcher> searcher_;
  std::optional<Witness> witness_;
};

}  // namespace sibyl::audit
