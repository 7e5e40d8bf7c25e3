// SPDX-License-Identifier: Apache-2.0
#include "git/repository.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/hex.h"
#include "base/strings.h"
#include "git/object_reader.h"
#include "git/self_contained.h"
#include "git/tree.h"

namespace sibyl::git {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxRefBytes = 4096;
constexpr std::size_t kMaxPackedRefsBytes = std::size_t{256} << 20;
constexpr int kMaxSymbolicRefs = 5;
constexpr int kMaxNestedTags = 10;

bool IsBare(const Root& folder) { return folder.Exists("HEAD") && folder.IsFolder("objects"); }

// The first line of a small file, trimmed; empty when there is none.
std::string FirstLine(const Root& folder, const fs::path& path) {
  const Result<std::string> text = folder.Read(path, {.max_bytes = kMaxRefBytes});
  if (!text.ok()) return {};
  return std::string(Trim(std::string_view(*text).substr(0, text->find('\n'))));
}

// Where HEAD is: the path itself, its .git folder, or what a .git file names.
Result<Root> FindFolder(const fs::path& path, const std::optional<fs::path>& within) {
  Result<Root> here = OpenWithin(path, within);
  if (!here.ok()) {
    if (within) return here.error();
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("opening {}: no such folder", path.string())};
  }
  if (IsBare(*here)) return here;
  if (Result<Root> git = OpenWithin(path / ".git", within); git.ok() && IsBare(*git)) return git;
  constexpr std::string_view kPointer = "gitdir: ";
  const std::string line = FirstLine(*here, ".git");
  if (line.starts_with(kPointer)) {
    const fs::path target = (path / fs::path(line.substr(kPointer.size()))).lexically_normal();
    Result<Root> folder = OpenWithin(target, within);
    if (folder.ok() && folder->Exists("HEAD")) return folder;
    if (!folder.ok() && within) return folder.error();
  }
  return Error{.kind = ErrorKind::kNotFound,
               .message = fmt::format("opening {}: it is not a git repository", path.string()),
               .hint = "declare a plain folder with folder = instead of git ="};
}

// A ref name becomes a path: nothing in it may leave the repository.
bool IsSafeRef(std::string_view name) {
  return !name.empty() && name.front() != '/' && name.find("..") == std::string_view::npos &&
         name.find('\0') == std::string_view::npos && name.find('\n') == std::string_view::npos;
}

// A `.git` file never comes with a clone, so the repository that it names is
// the user's choice, and with it a folder that several work trees share. All
// else stays below the folder that was named.
Status CheckReach(const fs::path& path, const fs::path& folder, const fs::path& common) {
  std::error_code error;
  const bool is_named = fs::is_regular_file(path / ".git", error);
  const fs::path objects = common / "objects";
  if (!fs::is_directory(objects, error)) return {};  // reported when they are opened
  return CheckSelfContained(objects, is_named ? (common == folder ? folder : common) : path);
}

}  // namespace

Result<Repository> Repository::Open(const fs::path& path, const std::optional<fs::path>& within) {
  const Root folder = SIBYL_TRY(FindFolder(path, within));
  const std::string shared = FirstLine(folder, "commondir");
  const Root common =
      shared.empty()
          ? folder
          : SIBYL_TRY(OpenWithin((folder.path() / fs::path(shared)).lexically_normal(), within));
  SIBYL_TRY(CheckReach(path, folder.path(), common.path()));
  Repository repository(folder, common);
  if (common.Exists("packed-refs")) {
    repository.packed_refs_ =
        SIBYL_TRY(common.Read("packed-refs", {.max_bytes = kMaxPackedRefsBytes}));
  }
  repository.objects_ = std::make_shared<const ObjectDatabase>(
      SIBYL_TRY(ObjectDatabase::Open(common.path() / "objects", within)));
  return repository;
}

bool Repository::IsShallow() const { return common_.Exists("shallow"); }

bool Repository::HasWholeHistory() const {
  if (IsShallow()) return false;
  const auto packs = common_.List("objects/pack");
  if (!packs.ok()) return true;
  return std::none_of(packs->begin(), packs->end(),
                      [](const RootEntry& entry) { return entry.name.ends_with(".promisor"); });
}

Result<ObjectId> Repository::ReadRef(const std::string& name, int depth) const {
  constexpr std::string_view kSymbolic = "ref: ";
  const Error none{.kind = ErrorKind::kNotFound, .message = "no ref named " + name};
  if (!IsSafeRef(name) || depth > kMaxSymbolicRefs) return none;
  std::string value = FirstLine(folder_, name);
  if (value.empty() && common_.path() != folder_.path()) value = FirstLine(common_, name);
  if (value.starts_with(kSymbolic)) return ReadRef(value.substr(kSymbolic.size()), depth + 1);
  if (const std::optional<ObjectId> id = ObjectId::FromHex(value)) return *id;
  // "<id> <name>" lines; "^<id>" lines hold what a tag peels to, which the
  // objects tell as well.
  const std::string line_end = " " + name;
  for (std::size_t at = packed_refs_.find(line_end); at != std::string::npos;
       at = packed_refs_.find(line_end, at + 1)) {
    const std::size_t after = at + line_end.size();
    if (at < ObjectId::kDigits || (after < packed_refs_.size() && packed_refs_[after] != '\n')) {
      continue;
    }
    const auto id = ObjectId::FromHex(
        std::string_view(packed_refs_).substr(at - ObjectId::kDigits, ObjectId::kDigits));
    if (id) return *id;
  }
  return none;
}

Result<ObjectId> Repository::FindRef(std::string_view revision) const {
  const std::string name(revision);
  // git's own order.
  for (const std::string& candidate :
       {name, "refs/" + name, "refs/tags/" + name, "refs/heads/" + name, "refs/remotes/" + name,
        "refs/remotes/origin/" + name}) {
    // A file such as "config" beside HEAD is not a ref.
    if (candidate != "HEAD" && candidate != "FETCH_HEAD" && !candidate.starts_with("refs/")) {
      continue;
    }
    Result<ObjectId> id = ReadRef(candidate, 0);
    if (id.ok()) return id;
  }
  if (const std::optional<ObjectId> id = ObjectId::FromHex(revision)) return *id;
  if (IsLowerHex(revision) && revision.size() >= 7) return objects_->FindByPrefix(revision);
  return Error{.kind = ErrorKind::kNotFound, .message = "no such ref"};
}

Result<ObjectId> Repository::PeelToCommit(ObjectId id, std::string_view revision) const {
  ObjectReader reader(*objects_);
  constexpr std::uint64_t kMaxBytes = std::uint64_t{16} << 20;
  for (int i = 0; i < kMaxNestedTags; ++i) {
    const ObjectView view = reader.Read(id, kMaxBytes);
    if (!view.ok()) break;
    if (view.type == ObjectType::kCommit) return id;
    if (view.type != ObjectType::kTag) break;
    const std::optional<ObjectId> target = ParseTagTarget(view.bytes);
    if (!target) break;
    id = *target;
  }
  return Error{.kind = ErrorKind::kNotFound,
               .message = fmt::format("commit {} is not in the repository", revision)};
}

Result<ObjectId> Repository::ResolveCommit(std::string_view revision) const {
  const std::string_view wanted = revision.empty() ? std::string_view("HEAD") : revision;
  Result<ObjectId> id = FindRef(wanted);
  if (id.ok()) id = PeelToCommit(*id, wanted);
  if (id.ok()) return id;
  const bool unborn = wanted == "HEAD";
  Error error = std::move(id).error();
  error.message = unborn ? "the repository has no commits yet"
                         : fmt::format("unknown ref '{}': {}", wanted, error.message);
  if (error.hint.empty() && !unborn) error.hint = "'git branch -a' and 'git tag' show the names";
  return error;
}

}  // namespace sibyl::git
