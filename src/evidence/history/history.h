// SPDX-License-Identifier: Apache-2.0
// The history of a git source: what its commits changed and what they say. Kept in
// the folder `history` of its mirror: a bare repository with the commits, and one
// file for each pinned commit (history_file.h). The mirror itself is as without it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "evidence/history/history_file.h"
#include "evidence/store.h"
#include "git/object_database.h"
#include "git/object_id.h"
#include "git/object_reader.h"

namespace sibyl::evidence {

/// Where the commits of a mirror's history are. As a Mirror it can be created and
/// opened; the caller holds the lock of `mirror` to write.
Mirror HistoryRepository(const Mirror& mirror);

struct HistoryWork {
  const git::ObjectDatabase& objects;  ///< Has the commits and their trees.
  git::ObjectId commit;
  std::size_t threads = 0;
  std::function<bool()> cancelled = {};
};

enum class CommitCopies {
  kNone,  ///< The commits are in the history's repository already.
  kMake,  ///< Of a repository on this machine, which may go away.
};

/// Writes the file of a commit unless it is there; what an older file of this mirror
/// knows is not compared again. Returns the number of commits. The caller holds the
/// mirror's lock.
Result<std::size_t> RecordHistory(const HistoryWork& work, const Mirror& mirror,
                                  CommitCopies copies);

/// The history of a pinned commit with the commits it names. Shared by threads.
struct History {
  HistoryFile file;
  std::shared_ptr<const git::ObjectDatabase> objects;
};

/// kNotFound if the store does not have it.
Result<History> OpenHistory(const Mirror& mirror, const git::ObjectId& commit);

/// What a commit says.
struct CommitText {
  std::string author;  ///< "Ada Lovelace <ada@example.org>"
  std::int64_t time = 0;
  std::string message;  ///< As it was written.
};

/// Compares the bytes with the id. kNotFound, kCorrupt.
Result<CommitText> ReadCommitText(git::ObjectReader& reader, const git::ObjectId& commit);

}  // namespace sibyl::evidence
