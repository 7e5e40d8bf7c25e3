// SPDX-License-Identifier: Apache-2.0
// The common parts of every knowledge file: the stamp, the table of planned
// points, open points, the sources.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "draft/draft.h"
#include "evidence/lock.h"

namespace sibyl::draft {

struct StampFacts {
  const std::string& program;  ///< Name and version.
  Time time;
  std::vector<std::string> pins;  ///< "cutlass@4f2a91c"
  std::size_t citations = 0;
  /// Added to the kind of a section: "by small-1, prompt 1".
  std::string_view making_note = {};
};

/// "> sibyl 0.1.0 · 2026-11-15 · cutlass@4f2a91c · 3 of 3 citations hold · …"
std::string StampOf(const Draft& draft, const StampFacts& facts);

/// A point in the plan's words, and a link to where it is covered.
struct PlannedRow {
  std::string point;
  std::string where;
};
inline constexpr std::string_view kNotFoundRow = "not found, see the end";

std::vector<std::string> PlannedTable(const std::vector<PlannedRow>& rows);

/// Below the heading of a point that the sources contradict: what the plan says, of which
/// the paragraph after it says otherwise. Both as they are on the page.
std::string ContradictedLine(std::string_view point);

/// A line below "## Not found".
std::string MissLine(std::string_view point, std::string_view why);

/// The cited pins, by name; a pin is listed once for each of its citations.
std::vector<UsedSource> CountSources(const std::vector<const evidence::Pin*>& pins);

/// The names that were counted most, for the index pages.
std::vector<std::string> BestNames(const std::map<std::string, std::size_t>& counted);

}  // namespace sibyl::draft
