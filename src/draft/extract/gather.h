// SPDX-License-Identifier: Apache-2.0
// Steps 1 and 2 of a part: gathers the passages for every point, from the
// pinned sources and from the oracle itself. The same plan, pins and oracle
// always give the same passages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "draft/answer/answer.h"
#include "draft/extract/excerpt.h"
#include "draft/extract/known.h"
#include "draft/extract/queries.h"
#include "draft/extract/terms.h"
#include "draft/point/records.h"
#include "evidence/lock.h"
#include "index/rank/searcher.h"
#include "plan/plan.h"

namespace sibyl::draft {

/// A name that a point lists, as its declaration has it.
struct NameRow {
  std::string name;
  std::string value;         ///< May be empty.
  std::string meaning;       ///< The first sentences of its documentation; may be empty.
  bool is_constant = false;  ///< The value is not a default.
  bool is_words = false;     ///< The name is not one of code: a side of a comparison.
  Excerpt excerpt;           ///< The lines of its card.
};

struct GatheredPoint {
  std::string point;  ///< In the plan's words, without markup.
  PointTerms terms;
  std::vector<std::string> queries;
  std::vector<Excerpt> excerpts;      ///< Best first; empty: nothing above the threshold.
  std::optional<Excerpt> nearest;     ///< The best of all, when it is below.
  std::vector<std::string> missing;   ///< Words of the point that are not in the nearest passage.
  std::optional<KnownPlace> covered;  ///< Already covered by the oracle: nothing is written.
  std::vector<KnownPlace> also;       ///< What else the oracle has on it.

  // Only of GatherAnswers:
  std::vector<AnswerUnit> answers;  ///< What answers it, best first.
  std::vector<NameRow> rows;        ///< Of names that it lists.
  std::vector<AnswerUnit> related;  ///< What only shares words with it.
  std::vector<Record> records;      ///< What the oracle has measured or inspected.
};

struct GatheredSection {
  std::string title;
  std::optional<std::size_t> line_budget;
  std::vector<GatheredPoint> points;
};

struct Gathered {
  std::vector<GatheredSection> sections;
  /// Sources that are foreign to every point of the page.
  std::vector<std::string> foreign = {};
};

/// What a model wants searched for a point, beside the plan's own words.
struct PointSearch {
  std::vector<std::string> queries;
  std::vector<std::string> names;  ///< That the answer should contain.

  bool empty() const { return queries.empty() && names.empty(); }
};
/// By section and point.
using PageSearches = std::vector<std::vector<PointSearch>>;

struct GatherOptions {
  const evidence::Lock& lock;
  int attempt = 1;  ///< 2 uses broader queries.
  /// Called before each point; true ends the work, and the result so far is
  /// returned.
  std::function<bool()> cancelled = {};
  const std::vector<Record>* records = nullptr;  ///< Of the oracle; may be null.
  /// Set for a model, which chooses among the hits: no threshold decides what
  /// is evidence. May be null; by section and point.
  const PageSearches* searches = nullptr;
};

struct GatherInputs {
  const plan::Plan& plan;
  const plan::Part& part;
  const index::Searcher& searcher;
  const std::vector<KnowledgeFile>& knowledge;
};

/// For a writer that reads passages.
Gathered Gather(const GatherInputs& inputs, const GatherOptions& options);

/// For a writer that quotes: what answers each point, by the rules of `ask`.
Gathered GatherAnswers(const GatherInputs& inputs, const GatherOptions& options);

/// The sections of a part. A part without sections has one: its title, with the
/// bullets of the step that lists topics, otherwise its queries, as points.
std::vector<plan::Section> SectionsOf(const plan::Part& part);

/// The share of a point's words that its evidence must have.
inline constexpr double kPointThreshold = 0.62;
inline constexpr double kSupportThreshold = 0.55;

}  // namespace sibyl::draft
