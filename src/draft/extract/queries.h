// SPDX-License-Identifier: Apache-2.0
// What to search for, for one point of a plan.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"

namespace sibyl::draft {

struct PointQuery {
  std::string text;
  std::string context;
  double weight = 1;  ///< What its ranking counts for beside the others.
};

struct PointPlace {
  const plan::Plan& plan;
  const plan::Part& part;
  const plan::Section& section;
};

/// The point; the point in its section and topic; its names; the queries of the
/// plan. From the second attempt on also the point without its parentheses, and
/// each item in them separately.
std::vector<PointQuery> QueriesOf(std::string_view point, const PointPlace& place, int attempt);

/// A plan's query adapted for sources: without years, "search:", quotation
/// marks and words that only a web search needs.
std::string CleanQuery(std::string_view query);

/// A point or title as text: without the marks of Markdown.
std::string PlainPoint(std::string_view point);

}  // namespace sibyl::draft
