// SPDX-License-Identifier: Apache-2.0
// Finds commits by their messages, for `search --history` and for questions why.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/json.h"
#include "oracle/source_index.h"

namespace sibyl::engine {

/// Whether one of the sources has a history.
bool HasHistories(const oracle::SourceIndexes& indexes);

/// Best first, at most `most`: each with its source, id, date, author, message, link, and the
/// files it changed. A commit whose bytes are damaged is left out.
Json FindCommits(const oracle::SourceIndexes& indexes, const std::string& query, std::size_t most);

/// Whether a question asks for a reason: "why is …", "what is the reason for …".
bool AsksWhy(std::string_view question);

/// Adds up to two commits to the statements of an answer, each with its whole message, if that
/// has nearly all words of the question.
void AddReasons(const oracle::SourceIndexes& indexes, const std::string& question,
                Json& statements);

}  // namespace sibyl::engine
