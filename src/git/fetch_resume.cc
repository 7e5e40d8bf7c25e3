// SPDX-License-Identifier: Apache-2.0
#include "git/fetch_resume.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "base/files/files.h"
#include "base/strings.h"
#include "git/broken_pack.h"
#include "git/object_reader.h"
#include "git/tree.h"

namespace sibyl::git {
namespace {

namespace fs = std::filesystem;

// Ids per request. Interrupted requests are recovered too; this only bounds the
// size of a request.
constexpr std::size_t kMostWants = 20'000;
constexpr std::uint64_t kMaxCommitBytes = std::uint64_t{16} << 20;

constexpr std::string_view kBareConfig = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n";
constexpr std::string_view kTip = "refs/resume/tip";

std::vector<fs::path> FilesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// A transfer that broke, and a whole pack that a kill left without its index.
bool IsBroken(const fs::path& file) {
  if (file.filename().string().starts_with("tmp_pack_")) return true;
  fs::path index = file;
  std::error_code ignored;
  return file.extension() == ".pack" && !fs::exists(index.replace_extension(".idx"), ignored);
}

// Leftovers of killed git processes and of our own writers. Nothing else writes
// here.
void Sweep(const fs::path& repository) {
  std::error_code ignored;
  for (const fs::path& folder : {repository / "objects" / "pack", repository / "objects"}) {
    for (const fs::path& file : FilesIn(folder)) {
      const std::string name = file.filename().string();
      if (name.starts_with("tmp_") || name.starts_with("incoming-")) fs::remove_all(file, ignored);
    }
  }
  for (const std::string_view name : {"shallow.lock", "packed-refs.lock", "config.lock"}) {
    fs::remove(repository / name, ignored);
  }
  std::vector<fs::path> locks;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(repository / "refs", ignored)) {
    if (entry.path().extension() == ".lock") locks.push_back(entry.path());
  }
  for (const fs::path& lock : locks) fs::remove(lock, ignored);
}

/// Walks from a tip to everything its commit needs.
class NeedsFinder {
 public:
  explicit NeedsFinder(const ObjectDatabase& objects) : objects_(objects), reader_(objects) {}

  CommitNeeds Find(const ObjectId& tip) {
    const std::optional<ObjectId> tree = FollowTo(tip);
    if (!tree) return std::move(needs_);
    needs_.has_skeleton = true;
    std::vector<ObjectId> folders = {*tree};
    seen_.insert(*tree);
    while (!folders.empty()) {
      const ObjectId folder = folders.back();
      folders.pop_back();
      Enter(folder, folders);
    }
    return std::move(needs_);
  }

 private:
  // Through tags to the commit, and the tree it names.
  std::optional<ObjectId> FollowTo(ObjectId id) {
    constexpr int kMostTags = 16;
    for (int i = 0; i < kMostTags; ++i) {
      const ObjectView view = reader_.ReadVerified(id, kMaxCommitBytes);
      if (!view.ok()) return std::nullopt;
      needs_.here.push_back(id);
      if (view.type == ObjectType::kCommit) {
        const std::optional<CommitSummary> summary = ParseCommit(view.bytes);
        if (!summary) return std::nullopt;
        constexpr std::string_view kTreeLine = "tree 0123456789012345678901234567890123456789\n";
        needs_.commit = id;
        needs_.has_parents = view.bytes.substr(kTreeLine.size()).starts_with("parent ");
        return summary->tree;
      }
      const std::optional<ObjectId> target =
          view.type == ObjectType::kTag ? ParseTagTarget(view.bytes) : std::nullopt;
      if (!target) return std::nullopt;
      id = *target;
    }
    return std::nullopt;
  }

  void Enter(const ObjectId& folder, std::vector<ObjectId>& folders) {
    const ObjectView view = reader_.ReadVerified(folder);
    if (!view.ok() || view.type != ObjectType::kTree) {
      needs_.has_skeleton = false;
      return;
    }
    needs_.here.push_back(folder);
    std::string_view rest = view.bytes;
    while (const std::optional<TreeEntry> entry = NextTreeEntry(rest)) {
      // The commit of a submodule belongs to another repository.
      if ((entry->mode & kModeMask) == kModeSubmodule) continue;
      if (!seen_.insert(entry->id).second) continue;
      if (entry->IsFolder()) {
        folders.push_back(entry->id);
      } else if (objects_.Contains(entry->id)) {
        needs_.here.push_back(entry->id);
      } else {
        needs_.lost_blobs.push_back(entry->id);
      }
    }
    if (!rest.empty()) needs_.has_skeleton = false;
  }

  const ObjectDatabase& objects_;
  ObjectReader reader_;
  std::unordered_set<ObjectId> seen_;
  CommitNeeds needs_;
};

std::string OneALine(std::span<const ObjectId> ids) {
  std::string lines;
  for (const ObjectId& id : ids) lines += id.Hex() + "\n";
  return lines;
}

}  // namespace

CommitNeeds FindNeeds(const ObjectDatabase& objects, const ObjectId& tip) {
  return NeedsFinder(objects).Find(tip);
}

FetchResumption::FetchResumption(const fs::path& mirror, GitRemote& remote)
    : mirror_(mirror), folder_(mirror / "resume"), remote_(remote) {}

Status FetchResumption::Prepare() {
  std::error_code ignored;
  if (fs::exists(folder_ / "HEAD", ignored)) return {};
  SIBYL_TRY(CreateFolders(folder_ / "objects" / "pack"));
  SIBYL_TRY(CreateFolders(folder_ / "objects" / "info"));
  SIBYL_TRY(CreateFolders(folder_ / "refs"));
  SIBYL_TRY(WriteFileAtomically(folder_ / "config", kBareConfig));
  SIBYL_TRY(WriteFileAtomically(folder_ / "objects" / "info" / "alternates", "../../objects\n"));
  // Without it git would claim to the server that the mirror has the missing
  // history.
  if (fs::exists(mirror_ / "shallow", ignored)) {
    const std::string shallow = SIBYL_TRY(ReadFile(mirror_ / "shallow"));
    SIBYL_TRY(WriteFileAtomically(folder_ / "shallow", shallow));
  }
  return WriteFileAtomically(folder_ / "HEAD", "ref: refs/heads/main\n");
}

// Through git, which names the objects by what they are, and adds the bases that a
// thin pack leaves out.
Status FetchResumption::RescuePack(const fs::path& pack) {
  std::error_code ignored;
  if (SIBYL_TRY(CloseBrokenPack(pack)) > 0) {
    SIBYL_TRY(Prepare());
    const Result<std::string> indexed =
        remote_.Run({.repository = folder_,
                     .arguments = {"index-pack", "--stdin", "--fix-thin"},
                     .input_file = pack,
                     .time = kLongestFetch});
    if (!indexed.ok() &&
        (indexed.error().kind == ErrorKind::kCancelled || remote_.trouble() == GitTrouble::kHere)) {
      Sweep(folder_);  // a partial copy of what is still there
      return indexed.error();
    }
    remote_.ForgetTrouble();
  }
  fs::remove(pack, ignored);
  return {};
}

Status FetchResumption::Rescue() {
  // Its own first: if a copy fails on a full disk, its leftovers are removed.
  for (const fs::path& repository : {folder_, mirror_}) {
    for (const fs::path& file : FilesIn(repository / "objects" / "pack")) {
      if (IsBroken(file)) SIBYL_TRY(RescuePack(file));
    }
  }
  Sweep(folder_);
  Sweep(mirror_);
  return {};
}

bool FetchResumption::HasSome() const {
  const std::vector<fs::path> files = FilesIn(folder_ / "objects" / "pack");
  return std::any_of(files.begin(), files.end(),
                     [](const fs::path& file) { return file.extension() == ".idx"; });
}

void FetchResumption::Drop() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  for (const fs::path& file : FilesIn(mirror_ / "objects" / "pack")) {
    if (IsBroken(file)) fs::remove(file, ignored);
  }
  Sweep(mirror_);
}

Result<CommitNeeds> FetchResumption::Look(const ObjectId& tip) const {
  const ObjectDatabase objects = SIBYL_TRY(ObjectDatabase::Open(folder_ / "objects"));
  return FindNeeds(objects, tip);
}

Status FetchResumption::FetchSkeleton(const std::string& source) {
  std::vector<std::string> arguments = FetchWithoutFiles(remote_.url(), "default");
  arguments.insert(arguments.end(), {"--depth=1", "--", std::string(kPartialRemote),
                                     fmt::format("+{}:{}", source, kTip)});
  SIBYL_TRY(remote_.Run({.repository = folder_, .arguments = arguments, .time = kLongestFetch}));
  return {};
}

Status FetchResumption::FetchBlobs(const std::vector<ObjectId>& blobs) {
  // Existing objects do not help the server with blobs requested by id.
  std::vector<std::string> arguments = FetchWithoutFiles(remote_.url(), "noop");
  arguments.insert(arguments.end(), {"--stdin", "--", std::string(kPartialRemote)});
  for (std::size_t at = 0; at < blobs.size(); at += kMostWants) {
    const std::size_t count = std::min(kMostWants, blobs.size() - at);
    SIBYL_TRY(remote_.Run({.repository = folder_,
                           .arguments = arguments,
                           .input = OneALine(std::span(blobs).subspan(at, count)),
                           .time = kLongestFetch}));
  }
  return {};
}

Status FetchResumption::Complete(const WantedCommit& wanted) {
  ObjectId tip = wanted.tip;
  CommitNeeds needs = SIBYL_TRY(Look(tip));
  if (!needs.has_skeleton) {
    SIBYL_TRY(FetchSkeleton(wanted.source));
    const std::string now = SIBYL_TRY(
        remote_.Run({.repository = folder_, .arguments = {"rev-parse", std::string(kTip)}}));
    tip = ObjectId::FromHex(Trim(now)).value_or(tip);
    needs = SIBYL_TRY(Look(tip));
  }
  const FetchOptions& options = remote_.options();
  if (options.progress) {
    options.progress(fmt::format("fetching: resuming, {} of {} objects are here", needs.here.size(),
                                 needs.here.size() + needs.lost_blobs.size()));
  }
  if (needs.has_skeleton && !needs.lost_blobs.empty()) {
    SIBYL_TRY(FetchBlobs(needs.lost_blobs));
    needs = SIBYL_TRY(Look(tip));
  }
  if (!needs.has_skeleton || !needs.lost_blobs.empty()) {
    remote_.SetTrouble(GitTrouble::kRefused);
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = "resuming a fetch: the server omitted objects"};
  }
  return Install(wanted, tip, needs);
}

// The commit is seen in the mirror the moment the pack's index is there, and by then
// everything else is.
Status FetchResumption::Install(const WantedCommit& wanted, const ObjectId& tip,
                                const CommitNeeds& needs) {
  if (needs.has_parents) SIBYL_TRY(AddShallow(needs.commit));
  // Window 0: entries are copied unchanged, without searching for deltas.
  SIBYL_TRY(remote_.Run(
      {.repository = folder_,
       .arguments = {"pack-objects", "--quiet", "--local", "--non-empty", "--window=0",
                     "--delta-base-offset", (mirror_ / "objects" / "pack" / "pack").string()},
       .input = OneALine(needs.here),
       .time = kLongestFetch}));
  SIBYL_TRY(
      remote_.Run({.repository = mirror_, .arguments = {"update-ref", wanted.local, tip.Hex()}}));
  return {};
}

Status FetchResumption::AddShallow(const ObjectId& commit) const {
  const fs::path path = mirror_ / "shallow";
  std::set<std::string> lines = {commit.Hex()};
  std::error_code ignored;
  if (fs::exists(path, ignored)) {
    const std::string text = SIBYL_TRY(ReadFile(path));
    for (const std::string_view line : SplitLines(text)) lines.emplace(line);
  }
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return WriteFileAtomically(path, text);
}

}  // namespace sibyl::git
