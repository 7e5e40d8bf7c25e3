// SPDX-License-Identifier: Apache-2.0
// The commit that a document was written for. A text is often brought by a later
// commit than the one its author read: the one that also changes the code, or a
// merge. All citations that came together were written for the same commit, so
// they decide together.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "git/object_id.h"
#include "references/past/past_lines.h"
#include "references/reference.h"
#include "references/repository.h"

namespace sibyl::references {

/// A citation whose file is known.
struct ResolvedReference {
  const Reference* reference = nullptr;
  std::vector<std::string> names;  ///< The file's path, and those that it had before.
};

/// By the commit that brought them, the earlier one in whose files the citations fit
/// clearly better; only where there is one.
std::map<git::ObjectId, git::ObjectId> FindBaseCommits(
    const Repository& repository, const CitingDocument& document,
    const std::vector<ResolvedReference>& references);

}  // namespace sibyl::references
