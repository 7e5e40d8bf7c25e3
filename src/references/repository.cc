// SPDX-License-Identifier: Apache-2.0
#include "references/repository.h"

#include <fmt/format.h>

#include <functional>

#include "base/hash.h"
#include "base/strings.h"
#include "base/terminal.h"
#include "git/tree.h"
#include "references/on_one_line.h"

namespace sibyl::references {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{16} << 20;
constexpr std::size_t kMaxFiles = 1'000'000;
constexpr int kMaxDepth = 64;
// How far back a file is followed from the commit that a citation was written in.
constexpr std::size_t kMaxCommitsBefore = 200;
constexpr std::size_t kMaxEarlierFiles = 6;

bool IsText(std::string_view bytes) {
  return bytes.substr(0, 8'192).find('\0') == std::string_view::npos;
}

}  // namespace

Repository::Repository(GitRepository location, git::Repository objects, Root root)
    : location_(std::move(location)),
      objects_(std::move(objects)),
      root_(std::move(root)),
      reader_(*objects_.objects()) {}

Result<std::unique_ptr<Repository>> Repository::Open(const GitRepository& found,
                                                     std::string_view at) {
  // By the work tree: that of a linked one has no objects below its git folder.
  git::Repository objects = SIBYL_TRY(git::Repository::Open(found.work_tree));
  Root root = SIBYL_TRY(Root::Open(found.work_tree));
  std::unique_ptr<Repository> repository(
      new Repository(found, std::move(objects), std::move(root)));
  if (!at.empty()) {
    repository->is_commit_ = true;
    repository->head_ = SIBYL_TRY(repository->Resolve(at));
    const MutexLock lock(repository->mutex_);
    std::vector<std::string> paths = repository->TreeOf(*repository->head_)->paths->all();
    repository->paths_ = PathList(std::move(paths));
    return repository;
  }
  const Result<git::ObjectId> head = repository->objects_.ResolveCommit("HEAD");
  if (head.ok()) repository->head_ = *head;
  SIBYL_TRY(repository->ListWorkTree());
  return repository;
}

Status Repository::ListWorkTree() {
  Command command =
      GitCommand(location_, location_.work_tree,
                 {"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--full-name"});
  command.environment["LC_ALL"] = "C";
  const Outcome outcome = SIBYL_TRY(RunProgram(command));
  if (!outcome.succeeded()) {
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = fmt::format("listing the files of {}: {}", location_.work_tree.string(),
                                        Harmless(OnOneLine(outcome.errors)))};
  }
  std::vector<std::string> paths;
  for (std::string_view rest = outcome.output; !rest.empty() && paths.size() < kMaxFiles;) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    std::string path(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::optional<FileAbout> about = root_.About(path);
    if (about && (about->kind == FileKind::kFile || about->kind == FileKind::kLink)) {
      for (const std::size_t part :
           {std::hash<std::string>()(path), static_cast<std::size_t>(about->bytes),
            static_cast<std::size_t>(about->modified_ns)}) {
        stamp_ = (stamp_ ^ part) * 0x9E3779B97F4A7C15U;
        stamp_ ^= stamp_ >> 29U;
      }
      if (about->kind == FileKind::kLink) links_.insert(path);
      paths.push_back(std::move(path));
    }
  }
  paths_ = PathList(std::move(paths));
  return {};
}

std::string Repository::LinkTarget(const std::string& path) const {
  if (!links_.contains(path)) return {};
  const std::optional<std::string> target = root_.LinkTarget(path);
  if (!target || target->starts_with('/')) return {};
  const std::size_t slash = path.rfind('/');
  return CleanPath((slash == std::string::npos ? std::string() : path.substr(0, slash + 1)) +
                   *target);
}

Result<std::string> Repository::Read(const std::string& path) const {
  if (!is_commit_) return root_.Read(path, {.max_bytes = kMaxFileBytes});
  const MutexLock lock(mutex_);
  const std::shared_ptr<const CommitTree> tree = TreeOf(*head_);
  const auto blob = tree->blobs.find(path);
  std::optional<std::string> text =
      blob == tree->blobs.end() ? std::nullopt : ReadBlob(blob->second);
  if (!text) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("reading {} at {}: no such file", path, head_->Hex())};
  }
  return *std::move(text);
}

TreeFile Repository::File(const std::string& path) const {
  if (is_commit_) return FileAt(*head_, path);
  {
    const MutexLock lock(mutex_);
    if (const auto known = files_.find(path); known != files_.end()) return known->second;
  }
  TreeFile file;
  Result<std::string> text = root_.Read(path, {.max_bytes = kMaxFileBytes});
  if (text.ok() && IsText(*text)) {
    file.blob = GitBlobId(*text);
    file.file = std::make_shared<const CodeFile>(*std::move(text));
  }
  const MutexLock lock(mutex_);
  return files_.emplace(path, std::move(file)).first->second;
}

std::optional<git::ObjectId> Repository::BlobIdAt(const git::ObjectId& commit,
                                                  const std::string& path) const {
  const MutexLock lock(mutex_);
  const std::shared_ptr<const CommitTree> tree = TreeOf(commit);
  const auto blob = tree->blobs.find(path);
  if (blob == tree->blobs.end()) return std::nullopt;
  return blob->second;
}

std::string Repository::BlobOf(const std::string& path) const {
  {
    const MutexLock lock(mutex_);
    if (const auto file = files_.find(path); file != files_.end()) return file->second.blob;
    if (const auto known = blob_ids_.find(path); known != blob_ids_.end()) return known->second;
  }
  const Result<std::string> text = root_.Read(path, {.max_bytes = kMaxFileBytes});
  std::string id = text.ok() && IsText(*text) ? GitBlobId(*text) : std::string();
  const MutexLock lock(mutex_);
  return blob_ids_.emplace(path, std::move(id)).first->second;
}

TreeFile Repository::FileAt(const git::ObjectId& commit, const std::string& path) const {
  const MutexLock lock(mutex_);
  const std::shared_ptr<const CommitTree> tree = TreeOf(commit);
  const auto blob = tree->blobs.find(path);
  return blob == tree->blobs.end() ? TreeFile() : FileOfBlob(blob->second);
}

TreeFile Repository::FileOfBlob(const git::ObjectId& blob) const {
  if (const auto known = blobs_.find(blob); known != blobs_.end()) return known->second;
  TreeFile file{.blob = blob.Hex()};
  std::optional<std::string> text = ReadBlob(blob);
  if (text && IsText(*text)) file.file = std::make_shared<const CodeFile>(*std::move(text));
  return blobs_.emplace(blob, std::move(file)).first->second;
}

std::optional<git::ObjectId> Repository::FindInTree(git::ObjectId tree,
                                                    std::string_view path) const {
  while (true) {
    const std::size_t slash = path.find('/');
    const std::string_view name = path.substr(0, slash);
    const git::ObjectView view = reader_.Read(tree, git::kMaxTreeBytes);
    if (!view.ok() || view.type != git::ObjectType::kTree) return std::nullopt;
    std::string_view rest = view.bytes;
    std::optional<git::TreeEntry> entry = git::NextTreeEntry(rest);
    while (entry && entry->name != name) entry = git::NextTreeEntry(rest);
    if (!entry || entry->IsFolder() == (slash == std::string_view::npos)) return std::nullopt;
    tree = entry->id;
    if (slash == std::string_view::npos) return tree;
    path.remove_prefix(slash + 1);
  }
}

std::vector<Repository::EarlierFile> Repository::FilesBefore(
    const git::ObjectId& commit, const std::vector<std::string>& names) const {
  const MutexLock lock(mutex_);
  const auto [known, is_new] = earlier_.try_emplace({commit, names.front()});
  if (!is_new) return known->second;
  std::optional<git::ObjectId> last;
  git::ObjectId at = commit;
  for (std::size_t i = 0; i < kMaxCommitsBefore && known->second.size() < kMaxEarlierFiles; ++i) {
    const git::ObjectView view = reader_.Read(at, git::kMaxTreeBytes);
    if (!view.ok() || view.type != git::ObjectType::kCommit) break;
    const std::optional<git::CommitSummary> summary = git::ParseCommit(view.bytes);
    if (!summary) break;
    std::optional<git::ObjectId> blob;
    std::size_t name = 0;
    for (; name < names.size() && !blob; ++name) blob = FindInTree(summary->tree, names[name]);
    if (blob && (i > 0 && last != blob)) {
      known->second.push_back(
          {.commit = at, .path = names[name - 1], .file = FileOfBlob(*blob), .depth = i});
    }
    if (!blob && last) break;
    last = blob;
    if (summary->parent == git::ObjectId()) break;
    at = summary->parent;
  }
  return known->second;
}

std::optional<git::ObjectId> Repository::LastCommitBefore(std::int64_t time) const {
  constexpr std::size_t kMaxCommits = 20'000;
  const MutexLock lock(mutex_);
  if (!trunk_) {
    trunk_.emplace();
    git::ObjectId at = head_.value_or(git::ObjectId());
    while (at != git::ObjectId() && trunk_->size() < kMaxCommits) {
      const git::ObjectView view = reader_.Read(at, git::kMaxTreeBytes);
      if (!view.ok() || view.type != git::ObjectType::kCommit) break;
      const std::optional<git::CommitSummary> summary = git::ParseCommit(view.bytes);
      if (!summary) break;
      trunk_->push_back({.id = at, .time = summary->time});
      at = summary->parent;
    }
  }
  for (const TimedCommit& commit : *trunk_) {
    if (commit.time < time) return commit.id;
  }
  return std::nullopt;
}

bool Repository::IsUnreadable(const git::ObjectId& commit, const std::string& path) const {
  const MutexLock lock(mutex_);
  const std::shared_ptr<const CommitTree> tree = TreeOf(commit);
  const auto blob = tree->blobs.find(path);
  if (blob == tree->blobs.end()) return !tree->is_whole;
  return reader_.Read(blob->second, kMaxFileBytes).state == git::ReadState::kMissing;
}

std::shared_ptr<const PathList> Repository::PathsAt(const git::ObjectId& commit) const {
  const MutexLock lock(mutex_);
  return TreeOf(commit)->paths;
}

std::optional<std::string> Repository::Blob(const git::ObjectId& id) const {
  const MutexLock lock(mutex_);
  return ReadBlob(id);
}

std::string Repository::Origin() const {
  const MutexLock lock(mutex_);
  if (!origin_) {
    const Result<Outcome> outcome = RunProgram(
        GitCommand(location_, location_.work_tree, {"config", "--get", "remote.origin.url"}));
    origin_ =
        outcome.ok() && outcome->succeeded() ? std::string(Trim(outcome->output)) : std::string();
  }
  return *origin_;
}

Result<git::ObjectId> Repository::Resolve(std::string_view revision) const {
  Result<git::ObjectId> commit = objects_.ResolveCommit(revision);
  if (commit.ok() || revision.empty()) return commit;
  // HEAD~3, main@{yesterday}: git knows more forms.
  const Result<Outcome> outcome =
      RunProgram(GitCommand(location_, location_.work_tree,
                            {"rev-parse", "--verify", "--quiet", "--end-of-options",
                             std::string(revision) + "^{commit}"}));
  if (!outcome.ok() || !outcome->succeeded()) return commit;
  const std::optional<git::ObjectId> id = git::ObjectId::FromHex(Trim(outcome->output));
  return id ? Result<git::ObjectId>(*id) : commit;
}

std::optional<std::string> Repository::ReadBlob(const git::ObjectId& id) const {
  const git::ObjectView view = reader_.Read(id, kMaxFileBytes);
  if (!view.ok() || view.type != git::ObjectType::kBlob) return std::nullopt;
  return std::string(view.bytes);
}

std::shared_ptr<const Repository::CommitTree> Repository::TreeOf(
    const git::ObjectId& commit) const {
  if (const auto known = trees_.find(commit); known != trees_.end()) return known->second;
  auto tree = std::make_shared<CommitTree>();
  const git::ObjectView view = reader_.Read(commit, git::kMaxTreeBytes);
  tree->is_whole = view.ok();
  if (view.ok() && view.type == git::ObjectType::kCommit) {
    if (const std::optional<git::CommitSummary> summary = git::ParseCommit(view.bytes)) {
      ListTree(summary->tree, "", 0, *tree);
    }
  }
  std::vector<std::string> paths;
  paths.reserve(tree->blobs.size());
  for (const auto& [path, blob] : tree->blobs) paths.push_back(path);
  tree->paths = std::make_shared<const PathList>(std::move(paths));
  return trees_.emplace(commit, std::move(tree)).first->second;
}

void Repository::ListTree(const git::ObjectId& tree, const std::string& folder, int depth,
                          CommitTree& into) const {
  const git::ObjectView view = reader_.Read(tree, git::kMaxTreeBytes);
  if (view.state == git::ReadState::kMissing) into.is_whole = false;
  if (!view.ok() || view.type != git::ObjectType::kTree || depth > kMaxDepth) return;
  const std::string bytes(view.bytes);  // the view ends at the next read
  std::string_view rest = bytes;
  while (const std::optional<git::TreeEntry> entry = git::NextTreeEntry(rest)) {
    if (!git::IsPlainName(entry->name) || into.blobs.size() >= kMaxFiles) continue;
    std::string path = folder + std::string(entry->name);
    if (entry->IsFolder()) {
      ListTree(entry->id, path + "/", depth + 1, into);
    } else if (entry->IsFile()) {
      into.blobs.emplace(std::move(path), entry->id);
    }
  }
}

}  // namespace sibyl::references
