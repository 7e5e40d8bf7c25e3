// SPDX-License-Identifier: Apache-2.0
// Builds of the index and of its peers, each in a process of its own.
#pragma once

#include <cstddef>
#include <cstdint>

#include "index_corpus.h"

namespace sibyl::bench {

struct BuildTables {
  Table wall_s;
  Table cpu_s;
  Table peak_mb;
};

/// From the folder: sibyl on one and on all threads, and the peers.
void MeasureBuilds(const IndexCorpus& corpus, BuildTables& tables);

/// From git packs, beside `git cat-file --batch` over the same blobs. Nothing
/// without repositories.
void MeasurePackBuilds(const IndexCorpus& corpus, BuildTables& tables);

/// All of it, and again with one file in a hundred changed.
void MeasureReuse(const IndexCorpus& corpus, BuildTables& tables);

/// The corpus `times` times over, under other names.
void MeasureScale(const IndexCorpus& corpus, std::size_t times, BuildTables& tables);

/// Bytes of the text, and of the index with and without its copy of the text.
struct IndexSizes {
  std::uint64_t text = 0;
  std::uint64_t packed_text = 0;
  std::uint64_t index = 0;  ///< All of the segments but the packed text.
};
IndexSizes MeasureSizes(const IndexCorpus& corpus);

}  // namespace sibyl::bench
