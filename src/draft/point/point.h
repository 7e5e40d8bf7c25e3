// SPDX-License-Identifier: Apache-2.0
// Reads a point of a plan as a question, with what an answer to it must be about.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draft/answer/question/question.h"
#include "draft/answer/subject.h"
#include "draft/extract/queries.h"
#include "evidence/lock.h"

namespace sibyl::draft {

struct PlanPoint {
  Question question;
  Question asked;  ///< The same as a person would ask it, with the title of the page.
  Subject subject;
  std::vector<std::string> listed;  ///< Names of code: "CUDA flags (USE_CUDA, …)".
  std::string context;              ///< Its section and page, for the search.
};

/// `title` is that of the page. Sources that neither the point nor its section,
/// page or part names are foreign if one is named.
PlanPoint ReadPlanPoint(std::string_view text, const PointPlace& place, std::string_view title,
                        const evidence::Lock& lock);

/// What one side of a comparison, 0 or 1, is: answered only by what defines it.
PlanPoint PointOfSide(const PlanPoint& point, std::size_t side);

}  // namespace sibyl::draft
