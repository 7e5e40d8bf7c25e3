// SPDX-License-Identifier: Apache-2.0
// A local git repository. Its configuration and hooks are ignored, and its
// owner does not matter.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/files/root.h"
#include "base/result.h"
#include "git/object_database.h"

namespace sibyl::git {

class Repository {
 public:
  /// `path` is a work tree, its .git, or a bare repository. kNotFound when it
  /// is none of these. `within` is as in ObjectDatabase::Open: a repository in a
  /// cloned oracle is not led out of it by a .git file, commondir, links or
  /// alternates.
  static Result<Repository> Open(const std::filesystem::path& path,
                                 const std::optional<std::filesystem::path>& within = {});

  /// The commit that a branch, a tag, a full ref name, HEAD or the (beginning
  /// of the) id of a commit means. Tags are followed. kNotFound names what
  /// there is.
  Result<ObjectId> ResolveCommit(std::string_view revision) const;

  /// False for shallow clones, and for partial ones, which lack old files.
  bool IsShallow() const;
  bool HasWholeHistory() const;

  const std::shared_ptr<const ObjectDatabase>& objects() const { return objects_; }

 private:
  Repository(Root folder, Root common) : folder_(std::move(folder)), common_(std::move(common)) {}
  Result<ObjectId> ReadRef(const std::string& name, int depth) const;
  Result<ObjectId> FindRef(std::string_view revision) const;
  Result<ObjectId> PeelToCommit(ObjectId id, std::string_view revision) const;

  Root folder_;  // HEAD is here
  Root common_;  // refs are here; differs for linked work trees
  std::string packed_refs_;
  // Shared with the snapshots made from it.
  std::shared_ptr<const ObjectDatabase> objects_;
};

}  // namespace sibyl::git
