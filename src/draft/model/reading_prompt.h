// SPDX-License-Identifier: Apache-2.0
// The second request of a section: which hits of the search answer which point,
// and of which of them the model wants to see more.
#pragma once

#include <cstddef>
#include <deque>
#include <string_view>
#include <vector>

#include "draft/extract/gather.h"
#include "draft/extract/passage_keys.h"
#include "draft/model/whole_lines.h"
#include "model/question.h"

namespace sibyl::draft {

/// The passages that a point is written from, best first.
using PointPassages = std::vector<const Excerpt*>;
/// By section and point, as in Gathered; empty for points without passages.
using PagePassages = std::vector<std::vector<PointPassages>>;

struct ReadingRequest {
  std::string_view title;  ///< Of the page.
  const GatheredSection& section;
  /// What was searched for, by point: selects the lines that are shown.
  const std::vector<PointSearch>& searches;
};

/// Shows every hit of the section with the lines that match best. Nothing to ask
/// if there is no hit: then the question has no turns.
model::Question ReadingQuestion(const ReadingRequest& request, PassageKeys& keys,
                                TermReader& reader);

/// What turns hits into passages. Borrows all of it.
struct ReadingTools {
  TermReader& reader;
  WholeLines& files;
  std::deque<Excerpt>& shown;  ///< Gets the passages.
};

/// What an answer chose, as whole units of the files, or the lines that it asked
/// for. A
/// point that the answer does not mention has its best hits, one marked "none" has
/// none.
std::vector<PointPassages> ReadReading(std::string_view answer, const ReadingRequest& request,
                                       const PassageKeys& keys, const ReadingTools& tools);

/// The same without an answer: the best hits of each point.
std::vector<PointPassages> BestHits(const ReadingRequest& request, const ReadingTools& tools);

/// The lines that a key with a range asks for beyond its passage, such as
/// "kbcdfghjk:10-80"; null for an unknown key. Counts against `lines_left`.
const Excerpt* MoreLines(std::string_view mark, const PassageKeys& keys, WholeLines& files,
                         std::size_t& lines_left, std::deque<Excerpt>& shown);

/// How many lines beyond whole units a section may ask for.
inline constexpr std::size_t kMoreLines = 400;

}  // namespace sibyl::draft
