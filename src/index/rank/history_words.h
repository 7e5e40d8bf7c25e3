// SPDX-License-Identifier: Apache-2.0
// How well the messages of some commits answer a query, and which of them do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/history/history_field.h"
#include "index/rank/looked_up_terms.h"

namespace sibyl::index {

/// A file that changes every week has thousands; the latest say what it is now.
inline constexpr std::size_t kMostCommitsOfFile = 512;

/// For each list of commits (ascending), from 0 to 1: how much of the query's weight their
/// messages have. Words that many messages of the source have weigh little, and so do
/// messages of commits that changed many files.
std::vector<float> HistoryShares(const HistoryField& field, std::span<const LookedUpTerm> terms,
                                 const std::vector<std::vector<std::uint32_t>>& lists);

/// One commit's part of a share.
struct TellingCommit {
  std::uint32_t commit = 0;
  float weight = 0;
};

/// The commits of a list whose messages have most of the query, the best first.
std::vector<TellingCommit> TellingCommits(const HistoryField& field,
                                          std::span<const LookedUpTerm> terms,
                                          const std::vector<std::uint32_t>& commits,
                                          std::size_t most);

}  // namespace sibyl::index
