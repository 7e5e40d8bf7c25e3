// SPDX-License-Identifier: Apache-2.0
// Goes on with a fetch that broke off, was killed, or met a full disk.
//
// What had come is rescued into a small repository of its own, `resume` in the
// mirror, which borrows the mirror's objects. What is missing is fetched into it
// by id, as git's own partial clones do, and when nothing is missing any more, all
// of it becomes one pack of the mirror. So the mirror has a commit whole or not at
// all at every moment, and neither git's settings for partial clones nor half of a
// commit are ever seen by its readers. docs/decisions/0095 has the other ways.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "git/git_program.h"
#include "git/object_database.h"
#include "git/object_id.h"

namespace sibyl::git {

inline constexpr std::chrono::hours kLongestFetch{6};

struct WantedCommit {
  std::string source;  ///< "refs/tags/v1", or a commit's 40 digits.
  std::string local;   ///< "refs/remotes/origin/refs/tags/v1"
  ObjectId tip;        ///< What the source names: a commit, or a tag.
  ObjectId commit;     ///< Where that leads.
};

/// What there is of a commit and what is missing.
struct CommitNeeds {
  ObjectId commit;
  bool has_parents = false;
  bool has_skeleton = false;         ///< Commit, trees, and tags on the way to it are here.
  std::vector<ObjectId> here;        ///< Whatever was found.
  std::vector<ObjectId> lost_blobs;  ///< Complete only with the skeleton.
};
CommitNeeds FindNeeds(const ObjectDatabase& objects, const ObjectId& tip);

/// For whoever holds the lock of the mirror.
class FetchResumption {
 public:
  /// Both are borrowed.
  FetchResumption(const std::filesystem::path& mirror, GitRemote& remote);

  /// Takes the whole objects out of what broken fetches left, and sweeps the rest.
  /// What cannot be used is dropped; an error is a full disk, or being cancelled, and
  /// nothing is lost by it.
  Status Rescue();

  /// True when there is something to go on from.
  bool HasSome() const;

  /// Fetches what is missing of this commit and puts all of it into the mirror.
  /// GitTrouble::kRefused when the server gives no single objects.
  Status Complete(const WantedCommit& wanted);

  /// Forgets everything that a broken fetch left.
  void Drop();

  /// Notes in the mirror that its history ends at a commit.
  Status AddShallow(const ObjectId& commit) const;

 private:
  Status Prepare();
  Status RescuePack(const std::filesystem::path& pack);
  Result<CommitNeeds> Look(const ObjectId& tip) const;
  Status FetchSkeleton(const std::string& source);
  Status FetchBlobs(const std::vector<ObjectId>& blobs);
  Status Install(const WantedCommit& wanted, const ObjectId& tip, const CommitNeeds& needs);

  const std::filesystem::path& mirror_;
  const std::filesystem::path folder_;
  GitRemote& remote_;
};

}  // namespace sibyl::git
