// SPDX-License-Identifier: Apache-2.0
// Relative links and anchors of a page: do their targets exist (link/broken)?
// External links are not checked and are undecidable.
#pragma once

#include <compare>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gate/citations.h"
#include "gate/oracle_pages.h"
#include "statement/statement.h"
#include "statement/verdict.h"

namespace sibyl::gate {

/// One judgement for each different target. `path` is the page's own, from the
/// root of the oracle; messages call the root `whole`.
std::vector<statement::Judgement> JudgeLinks(const CitedFile& file, std::string_view path,
                                             const OraclePages& pages,
                                             std::string_view whole = "oracle");

struct FileLink {
  std::string file;    ///< From the root of the oracle.
  std::string anchor;  ///< Without the '#'; may be empty.

  auto operator<=>(const FileLink&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// The files of the oracle that a page links to, apart from itself; images too.
/// `path` is the page's own. They need not exist.
std::set<FileLink> LinkedFiles(const statement::Statements& statements, std::string_view path);

/// A link or an image whose address runs a script or holds its own content
/// (javascript:, data:) fails (link/unsafe).
std::vector<statement::Judgement> JudgeUnsafeLinks(const CitedFile& file);

}  // namespace sibyl::gate
