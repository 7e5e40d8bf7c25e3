// SPDX-License-Identifier: Apache-2.0
// Finds commits by their messages, for `search --history`.
#pragma once

#include <cstddef>
#include <string>

#include "base/json.h"
#include "oracle/source_index.h"

namespace sibyl::engine {

/// Whether one of the sources has a history.
bool HasHistories(const oracle::SourceIndexes& indexes);

/// Best first, at most `most`: each with its source, id, date, author, message, link, and the
/// files it changed. A commit whose bytes are damaged is left out.
Json FindCommits(const oracle::SourceIndexes& indexes, const std::string& query, std::size_t most);

}  // namespace sibyl::engine
