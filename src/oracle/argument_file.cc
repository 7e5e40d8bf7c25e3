// SPDX-License-Identifier: Apache-2.0
#include "oracle/argument_file.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "base/files/files.h"
#include "base/files/root_links.h"
#include "oracle/oracle.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxEntries = 1'000'000;
constexpr std::size_t kMaxNames = 10'000;  // for suggestions

std::optional<fs::path> LexicallyBelow(const fs::path& folder, const fs::path& path) {
  fs::path relative = path.lexically_relative(folder.lexically_normal());
  if (!relative.empty() && !relative.has_filename()) relative = relative.parent_path();
  if (relative.empty() || *relative.begin() == "..") return std::nullopt;
  return relative;
}

Error NotAllowed(const Context& context, const fs::path& path) {
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("reading {}: outside the folders that may be read",
                                      ShownPath(context, path).string()),
               .hint =
                   "paths must be inside the oracle; --allow DIR, given when the server is "
                   "started, adds a folder"};
}

Status CheckName(std::string_view argument) {
  if (argument.find('\0') == std::string_view::npos) return {};
  return Error{.kind = ErrorKind::kUsage, .message = "a path contains a NUL byte"};
}

Finding Skipped(const Context& context, Severity severity, const fs::path& path,
                std::string message) {
  return {.severity = severity,
          .message = std::move(message),
          .place = {.file = ShownPath(context, path).string()}};
}

}  // namespace

std::optional<fs::path> PathBelow(const fs::path& folder, const fs::path& path) {
  if (auto relative = LexicallyBelow(folder, path)) return relative;
  std::error_code error;
  const fs::path real = fs::canonical(folder, error);
  if (error) return std::nullopt;
  if (auto relative = LexicallyBelow(real, path)) return relative;
  const fs::path parent = fs::weakly_canonical(path.parent_path(), error);
  if (error) return std::nullopt;
  return LexicallyBelow(real, parent / path.filename());
}

Result<ArgumentFile> ArgumentFile::At(const Context& context, const fs::path& path) {
  ArgumentFile file;
  file.path_ = path;
  if (context.oracle) {
    if (auto relative = PathBelow(*context.oracle, path)) {
      file.in_oracle_ = relative->generic_string();
    }
  }
  if (context.roots.empty()) {
    if (!file.in_oracle_) return file;
    file.root_ = SIBYL_TRY(Root::Open(*context.oracle));
    file.relative_ = *file.in_oracle_;
    return file;
  }
  for (const fs::path& root : context.roots) {
    const std::optional<fs::path> relative = PathBelow(root, path);
    if (!relative || IsPrivatePath(*relative)) continue;
    file.root_ = SIBYL_TRY(Root::Open(root));
    file.relative_ = *relative;
    return file;
  }
  return NotAllowed(context, path);
}

Result<ArgumentFile> ArgumentFile::Find(const Context& context, std::string_view argument) {
  SIBYL_TRY(CheckName(argument));
  ArgumentFile here =
      SIBYL_TRY(At(context, (context.working_folder / argument).lexically_normal()));
  if (!context.oracle || fs::path(argument).is_absolute() || here.Exists()) return here;
  const Result<ArgumentFile> there = At(context, (*context.oracle / argument).lexically_normal());
  return there.ok() && there->Exists() ? *there : here;
}

Result<ArgumentFile> ArgumentFile::ToWrite(const Context& context, std::string_view argument) {
  SIBYL_TRY(CheckName(argument));
  return At(context, (context.working_folder / argument).lexically_normal());
}

Result<ArgumentFile> ArgumentFile::Oracle(const Context& context) {
  const fs::path oracle = SIBYL_TRY(RequireOracle(context));
  ArgumentFile file;
  file.path_ = oracle;
  file.root_ = SIBYL_TRY(Root::Open(oracle));
  file.relative_ = ".";
  file.in_oracle_ = ".";
  return file;
}

bool ArgumentFile::Exists() const {
  if (root_) {
    const Result<fs::path> followed = FollowLinks(*root_, relative_);
    return !followed.ok() || root_->Exists(*followed);
  }
  std::error_code ignored;
  return fs::exists(path_, ignored);
}

bool ArgumentFile::IsFolder() const {
  if (root_) {
    const Result<fs::path> followed = FollowLinks(*root_, relative_);
    return followed.ok() && root_->IsFolder(*followed);
  }
  std::error_code ignored;
  return fs::is_directory(path_, ignored);
}

Result<std::string> ArgumentFile::Read(const ReadFileOptions& options) const {
  return root_ ? ReadFollowing(*root_, relative_, options) : ReadFile(path_, options);
}

Result<MappedFile> ArgumentFile::Map() const {
  if (!root_) return MappedFile::Open(path_);
  const fs::path file = SIBYL_TRY(FollowLinks(*root_, relative_));
  return root_->Map(file);
}

Result<Root> ArgumentFile::OpenFolder() const {
  if (!root_) return Root::Open(path_);
  const fs::path folder = SIBYL_TRY(FollowLinks(*root_, relative_));
  return root_->OpenFolder(folder);
}

ArgumentFile ArgumentFile::operator/(const fs::path& name) const {
  ArgumentFile file = *this;
  file.path_ = (path_ / name).lexically_normal();
  file.relative_ = (relative_ / name).lexically_normal();
  if (in_oracle_) file.in_oracle_ = (fs::path(*in_oracle_) / name).lexically_normal();
  return file;
}

std::vector<std::string> ArgumentFile::NamesBeside() const {
  const Result<Root> folder =
      root_ ? root_->OpenFolder(relative_.parent_path()) : Root::Open(path_.parent_path());
  std::vector<std::string> names;
  if (!folder.ok()) return names;
  const Result<std::vector<RootEntry>> entries = folder->List(".", kMaxNames);
  if (!entries.ok()) return names;
  for (const RootEntry& entry : *entries) names.push_back(entry.name);
  return names;
}

Result<fs::path> ArgumentFile::CheckedPath() const {
  if (!root_) return path_;
  return root_->Shown(SIBYL_TRY(FollowLinks(*root_, relative_)));
}

Status ArgumentFile::Write(std::string_view bytes, Parents parents) const {
  if (root_) {
    const fs::path folder = relative_.parent_path();
    if (parents == Parents::kMade && !folder.empty()) SIBYL_TRY(root_->MakeFolders(folder));
    return root_->Write(relative_, bytes);
  }
  if (parents == Parents::kMade) SIBYL_TRY(CreateFolders(path_.parent_path()));
  return WriteFileAtomically(path_, bytes);
}

Result<FilesBelow> FindFilesBelow(const Context& context, const ArgumentFile& folder,
                                  const FileSearch& search) {
  const Root root = SIBYL_TRY(folder.OpenFolder());
  ArgumentFile start = folder;
  if (!start.root_) {
    start.root_ = root;
    start.relative_ = ".";
  }
  const auto enters = [&search](std::string_view path) {
    return search.enters(path.substr(path.rfind('/') + 1));
  };
  const Walked walked = SIBYL_TRY(root.Walk(".", {.max_entries = kMaxEntries, .enters = enters}));
  FilesBelow found;
  std::size_t too_many = 0;
  for (const RootEntry& entry : walked.entries) {
    const std::string_view name = std::string_view(entry.name).substr(entry.name.rfind('/') + 1);
    if (search.is_wanted(name)) {
      if (found.files.size() < search.max_files) {
        found.files.push_back(start / entry.name);
      } else {
        ++too_many;
      }
    } else if (entry.kind == FileKind::kLink && search.enters(name) && !root.IsFile(entry.name)) {
      found.skipped.push_back(
          Skipped(context, Severity::kNote, folder.path() / entry.name,
                  fmt::format("a symbolic link to {} is not followed",
                              root.LinkTarget(entry.name).value_or("a folder"))));
    }
  }
  for (const std::string& unread : walked.unread) {
    found.skipped.push_back(Skipped(context, Severity::kError, folder.path() / unread,
                                    "the folder could not be listed"));
  }
  if (walked.is_cut || too_many > 0) {
    found.skipped.push_back(Skipped(
        context, Severity::kError, folder.path(),
        walked.is_cut
            ? fmt::format("more than {} entries, or folders nested too deep; "
                          "the rest is not read",
                          kMaxEntries)
            : fmt::format("more than {} files; {} are not read", search.max_files, too_many)));
  }
  return found;
}

Result<std::string> ReadInput(const Context& context, std::string_view argument,
                              const ReadFileOptions& options) {
  if (argument == "-" && context.roots.empty()) return ReadFile("/dev/stdin", options);
  const ArgumentFile file = SIBYL_TRY(ArgumentFile::Find(context, argument));
  return file.Read(options);
}

}  // namespace sibyl::oracle
