// SPDX-License-Identifier: Apache-2.0
// Searches in the index that index_builds made, and in its peers.
#pragma once

#include "index_corpus.h"

namespace sibyl::bench {

/// Microseconds: opening and a first query, warm and with the files dropped
/// from the page cache; the twelve queries, pooled.
void MeasureQueries(const IndexCorpus& corpus, Table& micros);

/// What a process does that was started with kFirstQuery: opens the index of
/// "sibyl" or "xapian", asks once, and writes the microseconds to the channel.
inline constexpr const char* kFirstQuery = "--first-query";
void OpenAndSearch(const std::string& engine, const IndexCorpus& corpus, int channel);

/// Milliseconds of the four patterns.
void MeasurePatterns(const IndexCorpus& corpus, Table& millis);

/// Whether results are what they should be: the best passages those that adding
/// up everything finds, the matched lines those of ripgrep. Says what differs.
bool CheckResults(const IndexCorpus& corpus);

}  // namespace sibyl::bench
