// SPDX-License-Identifier: Apache-2.0
// Copies what can be cited of a commit into a mirror: the commit, its trees and
// its texts. A pin then holds whatever the repository it came from does later
// (docs/decisions/0021).
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

/// The tree of the commit. The caller holds the mirror's lock. What the mirror
/// has already is not copied again; why a file was left out is noted there.
Result<git::ObjectId> CopyCommit(const git::Repository& from, const git::ObjectId& commit,
                                 const Mirror& mirror, const CopyOptions& options);

}  // namespace sibyl::evidence
