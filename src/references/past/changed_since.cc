// SPDX-License-Identifier: Apache-2.0
#include "references/past/changed_since.h"

#include <algorithm>
#include <optional>

#include "base/hash.h"
#include "base/process/git_command.h"
#include "base/strings.h"
#include "references/check.h"

namespace sibyl::references {
namespace {

git::ObjectId ParentInCommon(const Repository& repository, const git::ObjectId& commit) {
  if (!repository.head()) return commit;
  const Command command = GitCommand(repository.location(), repository.location().work_tree,
                                     {"merge-base", commit.Hex(), repository.head()->Hex()});
  const Result<Outcome> outcome = RunProgram(command);
  if (!outcome.ok() || !outcome->succeeded()) return commit;
  return git::ObjectId::FromHex(Trim(outcome->output)).value_or(commit);
}

}  // namespace

Result<git::ObjectId> WherePartedFrom(const Repository& repository, std::string_view revision) {
  return ParentInCommon(repository, SIBYL_TRY(repository.Resolve(revision)));
}

bool IsChangedSince(const Repository& repository, const git::ObjectId& commit,
                    const std::string& path) {
  const std::optional<git::ObjectId> before = repository.BlobIdAt(commit, path);
  const Result<std::string> text = repository.Read(path);
  if (!before || !text.ok()) return before.has_value() || text.ok();
  return GitBlobId(*text) != before->Hex();
}

Result<std::vector<std::string>> ChangedSince(const Repository& repository,
                                              std::string_view revision) {
  const git::ObjectId commit = SIBYL_TRY(WherePartedFrom(repository, revision));
  std::vector<std::string> changed;
  for (const std::string& path : DocumentsOf(repository)) {
    if (IsChangedSince(repository, commit, path)) changed.push_back(path);
  }
  std::sort(changed.begin(), changed.end());
  return changed;
}

}  // namespace sibyl::references
