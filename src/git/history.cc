// SPDX-License-Identifier: Apache-2.0
#include "git/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <queue>
#include <stop_token>
#include <unordered_map>
#include <unordered_set>

#include "base/parallel.h"
#include "git/object_reader.h"
#include "git/tree_diff.h"

namespace sibyl::git {
namespace {

constexpr std::uint64_t kMostCommitBytes = std::uint64_t{16} << 20;

Error WalkCancelled() {
  return Error{.kind = ErrorKind::kCancelled, .message = "reading the history: cancelled"};
}

struct Waiting {
  std::int64_t time = 0;
  ObjectId id;

  bool operator<(const Waiting& other) const {
    return time != other.time ? time < other.time : id < other.id;
  }
};

/// One walk. A commit is read when it is first named, for its time, and its bytes
/// are kept until it is visited.
class Walk {
 public:
  explicit Walk(const ObjectDatabase& objects) : reader_(objects) {}

  bool Enter(const ObjectId& id) {
    if (const auto found = trees_.find(id); found != trees_.end()) return true;
    if (missing_.count(id) != 0) return false;
    const ObjectView view = reader_.Read(id, kMostCommitBytes);
    const std::optional<Commit> commit =
        view.ok() && view.type == ObjectType::kCommit ? ParseWholeCommit(view.bytes) : std::nullopt;
    if (!commit) {
      missing_.insert(id);
      return false;
    }
    trees_.emplace(id, commit->tree);
    waiting_.push({.time = commit->time, .id = id});
    bytes_.emplace(id, std::string(view.bytes));
    return true;
  }

  // The latest that waits, with its parents entered; false when none is left.
  bool Next(HistoryCommit& commit, std::string& bytes) {
    if (waiting_.empty()) return false;
    const Waiting next = waiting_.top();
    waiting_.pop();
    const auto kept = bytes_.find(next.id);
    bytes = std::move(kept->second);
    bytes_.erase(kept);
    const std::optional<Commit> parsed = ParseWholeCommit(bytes);
    commit = {.id = next.id, .tree = parsed->tree, .time = next.time};
    commit.is_merge = parsed->parents.size() > 1;
    for (const ObjectId& parent : parsed->parents) {
      const bool is_here = Enter(parent);
      if (is_here && parent == parsed->parents.front()) {
        commit.first_parent = parent;
        commit.parent_tree = trees_.at(parent);
      }
    }
    return true;
  }

 private:
  ObjectReader reader_;
  std::priority_queue<Waiting> waiting_;
  std::unordered_map<ObjectId, ObjectId> trees_;  // of every commit that was entered
  std::unordered_map<ObjectId, std::string> bytes_;
  std::unordered_set<ObjectId> missing_;
};

// Files that one path lost and another got, where each blob names one pair.
void FindMoves(const std::vector<TreeChange>& changes, ChangedFiles& files) {
  struct Pair {
    const TreeChange* from = nullptr;
    const TreeChange* to = nullptr;
    bool is_clear = true;
  };
  std::map<ObjectId, Pair> pairs;
  const auto take = [](const TreeChange*& slot, bool& is_clear, const TreeChange& change) {
    if (slot != nullptr) is_clear = false;
    slot = &change;
  };
  for (const TreeChange& change : changes) {
    if (change.after == ObjectId{}) {
      Pair& pair = pairs[change.before];
      take(pair.from, pair.is_clear, change);
    } else if (change.before == ObjectId{}) {
      Pair& pair = pairs[change.after];
      take(pair.to, pair.is_clear, change);
    }
  }
  for (const auto& [blob, pair] : pairs) {
    if (pair.from != nullptr && pair.to != nullptr && pair.is_clear) {
      files.moves.emplace_back(pair.from->path, pair.to->path);
    }
  }
  std::sort(files.moves.begin(), files.moves.end());
}

ChangedFiles ChangesOf(const HistoryCommit& commit, TreeDiffer& differ,
                       const ChangeOptions& options) {
  ChangedFiles files;
  if (commit.is_merge) return files;
  if (commit.first_parent == ObjectId{}) {
    // The first commit of all brings everything; the end of a shallow clone is
    // not a change.
    files.is_unknown = true;
    return files;
  }
  TreeDifference difference = differ.Compare(commit.parent_tree, commit.tree, options.most_files);
  if (!difference.is_complete) {
    files.is_bulk = difference.changes.size() == options.most_files;
    files.is_unknown = !files.is_bulk;
    return files;
  }
  FindMoves(difference.changes, files);
  files.paths.reserve(difference.changes.size());
  for (TreeChange& change : difference.changes) files.paths.push_back(std::move(change.path));
  return files;
}

}  // namespace

Result<std::vector<HistoryCommit>> WalkHistory(const ObjectDatabase& objects, const ObjectId& tip,
                                               const HistoryLimits& limits,
                                               const CommitVisitor& visit) {
  Walk walk(objects);
  if (!walk.Enter(tip)) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("reading the history: commit {} is not here", tip.Hex())};
  }
  std::vector<HistoryCommit> commits;
  HistoryCommit commit;
  std::string bytes;
  while (commits.size() < limits.most_commits && walk.Next(commit, bytes)) {
    constexpr std::size_t kLookEvery = 1024;
    if (commits.size() % kLookEvery == 0 && limits.cancelled && limits.cancelled()) {
      return WalkCancelled();
    }
    if (visit) SIBYL_TRY(visit(commit, bytes, *ParseWholeCommit(bytes)));
    commits.push_back(commit);
  }
  return commits;
}

Result<std::vector<ChangedFiles>> FindChanges(const ObjectDatabase& objects,
                                              const std::vector<HistoryCommit>& commits,
                                              const std::function<bool(std::size_t)>& is_wanted,
                                              const ChangeOptions& options) {
  std::vector<ChangedFiles> changes(commits.size());
  std::stop_source stop;
  // Neighbours share trees, which a differ keeps.
  constexpr std::size_t kChunk = 512;
  ForEachWithWorkers(commits.size(),
                     {.threads = options.threads, .grain = kChunk, .stop = stop.get_token()},
                     [&](std::size_t) {
                       return [&, differ = TreeDiffer(objects)](std::size_t i) mutable {
                         if (options.cancelled && options.cancelled()) {
                           stop.request_stop();
                           return;
                         }
                         if (is_wanted(i)) changes[i] = ChangesOf(commits[i], differ, options);
                       };
                     });
  if (stop.stop_requested()) return WalkCancelled();
  return changes;
}

}  // namespace sibyl::git
