// SPDX-License-Identifier: Apache-2.0
// Resumes a fetch that was interrupted, killed, or failed on a full disk.
//
// What was received is recovered into a separate small repository, `resume` in
// the mirror, which borrows the mirror's objects. Missing objects are fetched
// into it by id, as in git's partial clones, and when it is complete,
// everything becomes one pack of the mirror. So the mirror always has a commit
// completely or not at all, and readers never see partial clone settings or
// half of a commit. docs/decisions/0095 has the alternatives.
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
  ObjectId tip;        ///< The requested object: a commit, or a tag.
  ObjectId commit;     ///< Where that leads.
};

/// Which objects of a commit are present and which are missing.
struct CommitNeeds {
  ObjectId commit;
  bool has_parents = false;
  bool has_skeleton = false;         ///< Commit, trees, and tags on the way to it are here.
  std::vector<ObjectId> here;        ///< Whatever was found.
  std::vector<ObjectId> lost_blobs;  ///< Complete only with the skeleton.
};
CommitNeeds FindNeeds(const ObjectDatabase& objects, const ObjectId& tip);

/// The caller holds the lock of the mirror.
class FetchResumption {
 public:
  /// Both are borrowed.
  FetchResumption(const std::filesystem::path& mirror, GitRemote& remote);

  /// Recovers the complete objects of interrupted fetches, and deletes the
  /// rest. An error means a full disk or cancellation; nothing is lost then.
  Status Rescue();

  /// True if there is something to resume from.
  bool HasSome() const;

  /// Fetches what is missing of this commit and puts all of it into the mirror.
  /// GitTrouble::kRefused if the server does not serve single objects.
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
