// SPDX-License-Identifier: Apache-2.0
// Copies the citable content of a commit into a mirror: the commit, its trees
// and its texts. A pin then stays valid whatever happens to the original
// repository (docs/decisions/0021).
#pragma once

#include <cstddef>
#include <functional>

#include "base/result.h"
#include "evidence/source.h"
#include "evidence/store.h"
#include "git/repository.h"

namespace sibyl::evidence {

struct CopyOptions {
  SourceFilter filter;
  std::size_t threads = 0;
  std::function<bool()> cancelled;
};

/// Returns the tree of the commit. The caller holds the mirror's lock. Existing
/// objects are not copied again; reasons for skipped files are recorded in the
/// mirror.
Result<git::ObjectId> CopyCommit(const git::Repository& from, const git::ObjectId& commit,
                                 const Mirror& mirror, const CopyOptions& options);

}  // namespace sibyl::evidence
