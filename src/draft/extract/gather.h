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

#include "draft/extract/known.h"
#include "draft/extract/queries.h"
#include "draft/extract/terms.h"
#include "evidence/citation.h"
#include "evidence/footnote.h"
#include "evidence/lock.h"
#include "index/rank/searcher.h"
#include "plan/plan.h"

namespace sibyl::draft {

/// A passage that may be quoted, with all that a citation of it needs.
struct Excerpt {
  const evidence::Pin* pin = nullptr;  ///< Of GatherOptions::lock.
  std::string path;
  std::string heading;
  std::string language;
  git::ObjectId blob;
  std::uint32_t first_line = 0;
  std::uint32_t last_line = 0;
  index::PassageKind kind = index::PassageKind::kWindow;
  std::string text;  ///< The lines first_line to last_line.
  double support = 0;
  std::size_t characters_before = 0;  ///< In the file; only for pages.

  /// The receipt of some of its lines: characters, if they are of a page.
  evidence::Citation Cite(std::uint32_t first, std::uint32_t last) const;

  /// The footnote of these lines, as written under "## Sources".
  evidence::Footnote Note(std::string id, std::uint32_t first, std::uint32_t last) const;

  /// A link for people; empty if it is not on the web.
  std::string Link(std::uint32_t first, std::uint32_t last) const;
};

/// A section of another knowledge file.
struct KnownPlace {
  std::string path;
  std::string title;
  std::string anchor;
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
};

struct GatheredSection {
  std::string title;
  std::optional<std::size_t> line_budget;
  std::vector<GatheredPoint> points;
};

struct Gathered {
  std::vector<GatheredSection> sections;
};

struct GatherOptions {
  const evidence::Lock& lock;
  int attempt = 1;  ///< 2 uses broader queries.
  /// Called before each point; true ends the work, and the result so far is
  /// returned.
  std::function<bool()> cancelled = {};
};

struct GatherInputs {
  const plan::Plan& plan;
  const plan::Part& part;
  const index::Searcher& searcher;
  const std::vector<KnowledgeFile>& knowledge;
};

Gathered Gather(const GatherInputs& inputs, const GatherOptions& options);

/// The sections of a part. A part without sections has one: its title, with the
/// bullets of the step that lists topics, otherwise its queries, as points.
std::vector<plan::Section> SectionsOf(const plan::Part& part);

/// The share of a point's words that its evidence must have.
inline constexpr double kPointThreshold = 0.62;
inline constexpr double kSupportThreshold = 0.55;

}  // namespace sibyl::draft
