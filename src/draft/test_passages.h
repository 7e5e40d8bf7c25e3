// SPDX-License-Identifier: Apache-2.0
// A pinned source of a few lines, for tests that need passages but no plan.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "draft/extract/gather.h"
#include "index/test_index.h"

namespace sibyl::draft {

/// One source, "gadget". Every file is one passage.
class PassageTest : public testing::Test {
 protected:
  PassageTest() {
    pin_ = {.name = "gadget",
            .origin = "https://example.org/gadget",
            .commit = index::BlobOf(77),
            .tree = index::BlobOf(78)};
    lock_.Put(pin_);
  }

  /// Before the first call of searcher().
  void Add(std::string path, std::string language, std::string text) {
    const auto bytes = static_cast<std::uint32_t>(text.size());
    const auto lines = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
    source_.Add({.path = std::move(path),
                 .text = std::move(text),
                 .language = std::move(language),
                 .passages = {{.last_line = std::max(lines, 1U), .end = bytes}},
                 .blob = index::BlobOf(++blobs_)});
  }

  const index::Searcher& searcher() {
    if (!searcher_) {
      built_.Build(source_);
      index_.emplace(built_.Open("gadget"));
      searcher_.emplace(std::vector<const index::Index*>{&*index_});
    }
    return *searcher_;
  }

  /// Its lines begin at `first_line` of the file.
  Excerpt Passage(std::string path, std::string language, std::string text,
                  std::uint32_t first_line = 1) const {
    const auto lines = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
    Excerpt excerpt;
    excerpt.pin = lock_.Find("gadget");
    excerpt.path = std::move(path);
    excerpt.language = std::move(language);
    excerpt.blob = index::BlobOf(5);
    excerpt.first_line = first_line;
    excerpt.last_line = first_line + std::max(lines, 1U) - 1;
    excerpt.text = std::move(text);
    return excerpt;
  }

  evidence::Lock lock_;

 private:
  evidence::Pin pin_;
  index::MemorySource source_;
  index::TestIndex built_;
  std::optional<index::Index> index_;
  std::optional<index::Searcher> searcher_;
  std::uint32_t blobs_ = 0;
};

}  // namespace sibyl::draft
