// SPDX-License-Identifier: Apache-2.0
// Step 1 and 2 of a part: for every point the passages that speak of it, out of
// the pinned sources and out of the oracle itself. The same plan, pins and
// oracle always give the same passages.
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
  std::size_t characters_before = 0;  ///< In the file; known of pages only.

  /// The receipt of some of its lines: characters, if they are of a page.
  evidence::Citation Cite(std::uint32_t first, std::uint32_t last) const;

  /// The same as it stands below "## Sources".
  evidence::Footnote Note(std::string id, std::uint32_t first, std::uint32_t last) const;

  /// What people can click; empty for what is not on the web.
  std::string Link(std::uint32_t first, std::uint32_t last) const;
};

/// A section of another knowledge file.
struct KnownPlace {
  std::string path;
  std::string title;
  std::string anchor;
};

struct GatheredPoint {
  std::string point;  ///< In the plan's words, without marks.
  PointTerms terms;
  std::vector<std::string> queries;
  std::vector<Excerpt> excerpts;      ///< Best first; empty: nothing above the threshold.
  std::optional<Excerpt> nearest;     ///< The best of all, when it is below.
  std::vector<std::string> missing;   ///< Words of the point that the nearest has not.
  std::optional<KnownPlace> covered;  ///< The oracle knows it: nothing is written.
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
  int attempt = 1;  ///< 2 asks more broadly.
  /// Asked before each point; true ends the work, and what there is comes back.
  std::function<bool()> cancelled = {};
};

struct GatherInputs {
  const plan::Plan& plan;
  const plan::Part& part;
  const index::Searcher& searcher;
  const std::vector<KnowledgeFile>& knowledge;
};

Gathered Gather(const GatherInputs& inputs, const GatherOptions& options);

/// The sections that a part asks for. A part that names none has one: its title,
/// with the bullets of the step that lists topics, or else its queries, as
/// points.
std::vector<plan::Section> SectionsOf(const plan::Part& part);

/// The share of a point's words that its evidence must have.
inline constexpr double kPointThreshold = 0.62;
inline constexpr double kSupportThreshold = 0.55;

}  // namespace sibyl::draft
