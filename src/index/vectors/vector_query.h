// SPDX-License-Identifier: Apache-2.0
// How near passages are to a query, by the vectors of their words.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "index/rank/searcher.h"
#include "index/vectors/vector_file.h"

namespace sibyl::index {

/// The vectors of an index's passages: rows of a file that the sources of an oracle share.
struct VectorRows {
  std::shared_ptr<const VectorFile> file;  ///< The other owners: the indexes beside this one.
  std::uint64_t first = 0;
};

class VectorQuery {
 public:
  /// Nothing if the searched parts have no vectors, or if the query has fewer than two words
  /// with one: a name is looked up, not described.
  static std::optional<VectorQuery> Make(const Query& query,
                                         const std::vector<Searcher::Part>& parts,
                                         const std::vector<bool>& is_searched);

  /// From 0, unrelated, to 1; nothing if the passage has no vector.
  std::optional<float> Nearness(std::uint32_t part, std::uint32_t passage) const;

 private:
  struct PartRows {
    std::uint64_t first = 0;
    std::uint32_t count = 0;
  };
  VectorQuery() = default;

  std::shared_ptr<const VectorFile> file_;
  std::vector<PartRows> parts_;
  alignas(32) std::array<std::int16_t, kDimensions> numbers_{};
  float scale_ = 0;
};

}  // namespace sibyl::index
