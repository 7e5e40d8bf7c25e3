// SPDX-License-Identifier: Apache-2.0
// The index of an oracle's own pages, in the cache. With it a question is answered from the
// pages by the same rules as from the sources, and also where no source is at hand.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "evidence/sync.h"
#include "index/manifest.h"

namespace sibyl::oracle {

/// As a hit names them; no source can have this name.
inline constexpr std::string_view kOwnPages = "this oracle";

struct OwnPage {
  std::string path;  ///< In the oracle.
  std::string text;
};

/// What a reader learns something from, on the same lines: without footnotes and their
/// marks, the stamp, the table of points, links to other pages, "Not found" and "Sources".
std::string TextToIndex(std::string_view page);

/// Opens the index, or builds it first.
Result<index::Index> OpenPageIndex(const std::vector<OwnPage>& pages,
                                   const evidence::Surroundings& around);

}  // namespace sibyl::oracle
