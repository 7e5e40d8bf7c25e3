// SPDX-License-Identifier: Apache-2.0
// Where the lines that a citation means are now.
#pragma once

#include <optional>
#include <string>

#include "base/line_span.h"
#include "references/citation_status.h"
#include "references/past/past_lines.h"
#include "references/reference.h"
#include "references/repository.h"
#include "references/tree_index.h"

namespace sibyl::references {

struct Target {
  std::string path;
  LineRange lines;  ///< Whole: only the file is known.

  bool operator==(const Target&) const = default;
};

/// A suggestion this near to the lines that were meant is right.
inline constexpr std::size_t kNearSuggestion = 2;

struct Suggestion {
  Target target;
  bool is_certain = false;    ///< It may be written without being read.
  bool is_from_tree = false;  ///< All files of the repository were searched.
};

/// A citation that does not hold.
struct FailedCitation {
  const Reference& reference;
  const std::string& path;  ///< Of the file now.
  CitationStatus status;
  const std::string& symbol;  ///< The name that decided; may be empty.
  const PastLines* then;      ///< Null: there is no history.
};

/// Nothing if no place is the only one that fits.
std::optional<Suggestion> Suggest(const FailedCitation& citation, const Repository& repository,
                                  const TreeIndex& index);

}  // namespace sibyl::references
