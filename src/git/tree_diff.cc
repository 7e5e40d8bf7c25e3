// SPDX-License-Identifier: Apache-2.0
#include "git/tree_diff.h"

#include <algorithm>
#include <utility>

#include "git/tree.h"

namespace sibyl::git {
namespace {

constexpr std::size_t kMostCachedBytes = std::size_t{48} << 20;
constexpr std::size_t kMostTreeBytes = std::size_t{8} << 20;
constexpr std::size_t kDeepestFolder = 256;
constexpr std::size_t kTreesForEachChange = 100;

struct Side {
  std::string_view rest;
  std::optional<TreeEntry> entry;

  void Next() { entry = NextTreeEntry(rest); }
};

// git's order of a tree: a folder sorts as if its name ended with a slash.
int CompareEntries(const TreeEntry& a, const TreeEntry& b) {
  const std::size_t common = std::min(a.name.size(), b.name.size());
  const int order = a.name.substr(0, common).compare(b.name.substr(0, common));
  if (order != 0) return order;
  const auto next = [common](const TreeEntry& entry) {
    if (entry.name.size() > common)
      return static_cast<int>(static_cast<unsigned char>(entry.name[common]));
    return entry.IsFolder() ? static_cast<int>('/') : 0;
  };
  return next(a) - next(b);
}

}  // namespace

bool TreeDiffer::TakeTree(const ObjectId& id, std::string& bytes) {
  bytes.clear();
  if (id == ObjectId{}) return true;
  if (const auto cached = trees_.find(id); cached != trees_.end()) {
    bytes = cached->second;
    return true;
  }
  if (trees_left_ == 0) return false;
  --trees_left_;
  const ObjectView view = reader_.Read(id, kMostTreeBytes);
  if (!view.ok() || view.type != ObjectType::kTree) return false;
  bytes.assign(view.bytes);
  if (cached_bytes_ + bytes.size() > kMostCachedBytes) {
    trees_.clear();
    cached_bytes_ = 0;
  }
  cached_bytes_ += bytes.size();
  trees_.emplace(id, bytes);
  return true;
}

void TreeDiffer::CompareTrees(const ObjectId& before, const ObjectId& after,
                              const std::string& folder) {
  std::string old_bytes;
  std::string new_bytes;
  const auto depth = static_cast<std::size_t>(std::count(folder.begin(), folder.end(), '/'));
  if (depth > kDeepestFolder || !TakeTree(before, old_bytes) || !TakeTree(after, new_bytes)) {
    difference_.is_complete = false;
    return;
  }
  Side a{.rest = old_bytes, .entry = {}};
  Side b{.rest = new_bytes, .entry = {}};
  a.Next();
  b.Next();
  while (a.entry || b.entry) {
    if (!difference_.is_complete) return;
    const int order = !a.entry ? 1 : !b.entry ? -1 : CompareEntries(*a.entry, *b.entry);
    const std::optional<TreeEntry> was = order <= 0 ? a.entry : std::nullopt;
    const std::optional<TreeEntry> is = order >= 0 ? b.entry : std::nullopt;
    if (order <= 0) a.Next();
    if (order >= 0) b.Next();
    if (was && is && was->id == is->id) continue;
    const TreeEntry& either = was ? *was : *is;
    if (!IsPlainName(either.name)) continue;
    const ObjectId none;
    const std::string path = folder + std::string(either.name);
    if (either.IsFolder()) {
      CompareTrees(was ? was->id : none, is ? is->id : none, path + '/');
      continue;
    }
    if (difference_.changes.size() == most_) {
      difference_.is_complete = false;
      return;
    }
    difference_.changes.push_back(
        {.path = path, .before = was ? was->id : none, .after = is ? is->id : none});
  }
}

TreeDifference TreeDiffer::Compare(const ObjectId& before, const ObjectId& after,
                                   std::size_t most) {
  difference_ = {};
  most_ = most;
  trees_left_ = std::max(most, most * kTreesForEachChange);
  if (before != after) CompareTrees(before, after, {});
  std::sort(difference_.changes.begin(), difference_.changes.end(),
            [](const TreeChange& a, const TreeChange& b) { return a.path < b.path; });
  return std::move(difference_);
}

}  // namespace sibyl::git
