// SPDX-License-Identifier: Apache-2.0
// Where cited lines went when their source moved: unchanged, moved within the
// file, moved to another file, or gone. By exact content and its context; what
// could be in two places is reported and never chosen.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/citation.h"
#include "evidence/snapshot.h"
#include "evidence/source.h"

namespace sibyl::evidence {

enum class Whereabouts : std::uint8_t {
  kUnchanged,    ///< The same lines of the same path; the file may have changed elsewhere.
  kMovedInFile,  ///< Other lines of the same path.
  kMovedToFile,  ///< Another path.
  kGone,         ///< Nowhere, or only in copies that already existed.
  kAmbiguous,    ///< In several places, or too common to distinguish.
};

/// "unchanged", "moved within the file", …
std::string_view WhereaboutsText(Whereabouts whereabouts);

/// A citation and the whole file it was made from (from ResolveCitation without
/// lines), for the context lines.
struct RefindRequest {
  SourceCitation citation;
  std::string file_text;
};

struct Refound {
  Whereabouts whereabouts = Whereabouts::kGone;
  /// The new citation; meaningful for the first three.
  SourceCitation citation;
  /// Where the content was seen when it is ambiguous, or a mere copy when it is
  /// gone; at most ten.
  std::vector<SourceCitation> candidates;
};

struct RefindOptions {
  /// The source as it was when the citations were made. A copy that already
  /// existed then is not a new location; without this it cannot be
  /// distinguished.
  const Snapshot* before = nullptr;
  std::size_t threads = 0;
};

/// One answer for each request, in their order; one pass over the new
/// snapshot serves them all. `pin` is the snapshot's.
std::vector<Refound> Refind(const std::vector<RefindRequest>& requests, const Snapshot& now,
                            const Pin& pin, const RefindOptions& options);

}  // namespace sibyl::evidence
