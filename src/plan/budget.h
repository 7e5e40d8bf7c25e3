// SPDX-License-Identifier: Apache-2.0
// Annotations of a title: how many lines it may have, when it was finished, why
// it failed; and the title without them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sibyl::plan {

/// "(~400 lines)", "1,200 lines", "300-400 lines" (the upper end), "500+
/// lines". A delivered size, as in "(Completed … - 401 lines)", is not a
/// budget.
std::optional<std::size_t> FindLineBudget(std::string_view text);

/// "2025-11-13 21:49 PST" out of "(Completed 2025-11-13 21:49 PST)"; empty if
/// the text does not say.
std::string FindCompletion(std::string_view text);

/// The first "YYYY-MM-DD" of the text, or empty.
std::string FindDate(std::string_view text);

struct BareTitle {
  std::string title;
  std::optional<std::size_t> line_budget;
  std::string description;  ///< "Overview (30 lines) - what it is" has one.
};

/// Splits "Overview (~30 lines) - what it is" and drops completion notes.
BareTitle SplitTitle(std::string_view text);

}  // namespace sibyl::plan
