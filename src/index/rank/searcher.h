// SPDX-License-Identifier: Apache-2.0
// Ranked search over the indexes of several sources at once.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "git/object_id.h"
#include "index/filter.h"
#include "index/manifest.h"

namespace sibyl::index {

struct Query {
  std::string text;
  std::string context;  ///< The general topic (of a plan); has a small weight.
  std::size_t limit = 10;
  Filter filter = {};
};

/// Identifies a passage of a Searcher.
struct PassageRef {
  std::uint32_t part = 0;
  std::uint32_t passage = 0;
};

struct Hit {
  PassageRef passage;
  std::string_view source_view;  ///< The index's name; valid as long as the index.
  std::string_view path_view;    ///< Likewise.
  std::string_view heading_view;
  std::string_view language_view;
  git::ObjectId blob;
  std::uint32_t first_line = 0;
  std::uint32_t last_line = 0;
  PassageKind kind = PassageKind::kWindow;
  float score = 0;
  /// What a second look made of it (second_look.h): its rank before, from 1; how much of the
  /// query the messages of its file's commits have, and how near vectors put it to the query,
  /// both from 0 to 1. Rank 0: there was none.
  std::uint32_t rank_by_words = 0;
  float history = 0;
  float nearness = 0;
  /// How many other passages with the same words, and other paths of the same text, this hit
  /// represents.
  std::uint32_t copies = 0;
};

/// Borrows the indexes. Const members may be called from many threads; each thread keeps its
/// working memory.
class Searcher {
 public:
  explicit Searcher(const std::vector<const Index*>& indexes);
  ~Searcher();

  /// Best first. Copies are merged into one hit, and further passages of a file rank lower, so
  /// that other files appear.
  std::vector<Hit> Search(const Query& query) const;

  /// The whole text of the passage; empty if it is damaged.
  std::string Text(PassageRef passage) const;

  /// The whole text of a document of a part; empty if it is damaged.
  std::string DocumentText(std::size_t part, std::size_t document) const;

  /// How many characters precede the passage in its file: citations of pages count them.
  std::size_t CharactersBefore(PassageRef passage) const;

  /// The lines of the passage that match the query best, at most `max_lines`, consecutive.
  struct Snippet {
    std::uint32_t first_line = 0;
    std::string text;
  };
  Snippet MakeSnippet(const Hit& hit, const Query& query, std::size_t max_lines = 6) const;

  /// A commit whose message has words of the query.
  struct Reason {
    std::uint32_t commit = 0;  ///< Its number in the history of the hit's source.
    float share = 0;           ///< Of the opinion of all such commits.
  };
  /// Why the history of a hit's file speaks for it, the best reason first; none for a source
  /// without a history.
  std::vector<Reason> Reasons(const Hit& hit, const Query& query, std::size_t most) const;

  struct Part {
    const Index* index = nullptr;
    const Index::Part* part = nullptr;
  };
  const std::vector<Part>& parts() const { return parts_; }

 private:
  struct Ranking;
  void PutDeclarationsFirst(const Query& query, const Ranking& ranking,
                            std::vector<Hit>& hits) const;

  std::vector<Part> parts_;
  mutable std::atomic<bool> has_searched_ = false;
};

}  // namespace sibyl::index
