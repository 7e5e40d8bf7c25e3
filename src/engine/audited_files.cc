// SPDX-License-Identifier: Apache-2.0
#include "engine/audited_files.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "base/markdown/markdown_name.h"
#include "base/nearest_name.h"
#include "base/strings.h"
#include "engine/citations/code_citations.h"
#include "oracle/oracle.h"
#include "references/check.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

Error NoMarkdown(std::string_view argument, std::string_view skipped) {
  return {.kind = ErrorKind::kNotFound,
          .message = fmt::format("auditing {}: it contains no Markdown files", argument),
          .hint = fmt::format("folders are searched for .md, .markdown and .mdx files, except {}",
                              skipped)};
}

// Prose without a name of its own kind may be Markdown; code and other markup is not.
bool MayBeMarkdown(const fs::path& path) {
  const std::string extension = path.extension().string();
  return HasMarkdownName(path.string()) || extension.empty() ||
         EqualsIgnoringCase(extension, ".txt");
}

Result<oracle::ArgumentFile> FindArgument(const oracle::Context& context,
                                          const std::string& argument) {
  oracle::ArgumentFile file = SIBYL_TRY(oracle::ArgumentFile::Find(context, argument));
  if (!file.Exists()) {
    const std::string name = file.path().filename().string();
    const auto nearest = NearestName(name, file.NamesBeside());
    if (nearest && *nearest == name) {
      return Error{
          .kind = ErrorKind::kNotFound,
          .message = fmt::format("auditing {}: a link to a file that does not exist", argument)};
    }
    const std::string hint =
        nearest
            ? fmt::format("did you mean '{}'?",
                          oracle::ShownPath(context, file.path().parent_path() / *nearest).string())
            : "give Markdown files, or folders that contain some";
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("auditing {}: no such file", argument),
                 .hint = hint};
  }
  if (!file.IsFolder() && !MayBeMarkdown(file.path())) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("auditing {}: not a Markdown file", argument),
                 .hint = "name .md, .markdown, .mdx or .txt files, or folders"};
  }
  return file;
}

/// Collects files, each once.
class Collector {
 public:
  explicit Collector(const oracle::Context& context) : context_(context) {}

  void Add(const oracle::ArgumentFile& file, std::optional<GitRepository> repository = {}) {
    if (!seen_.insert(file.path().lexically_normal().string()).second) return;
    found.files.push_back({.file = file,
                           .shown = oracle::ShownPath(context_, file.path()).string(),
                           .repository = std::move(repository)});
  }

  AuditedFiles found;

 private:
  const oracle::Context& context_;
  std::set<std::string> seen_;
};

// The folder from the root of the work tree; empty for the root itself.
std::optional<std::string> FolderIn(const fs::path& work_tree, const fs::path& folder) {
  // Of a path only the way to its last name may be spelled differently.
  const std::optional<fs::path> below = oracle::PathBelow(work_tree, folder / "name");
  if (!below) return std::nullopt;
  const std::string parent = below->lexically_normal().parent_path().generic_string();
  return parent.empty() ? parent : parent + "/";
}

bool MatchesPattern(std::string pattern, const std::string& path) {
  while (pattern.ends_with('/')) pattern.pop_back();
  const bool is_name = pattern.find('/') == std::string::npos;
  std::size_t begin = 0;
  for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
    const std::string part = is_name
                                 ? path.substr(begin, end == std::string::npos ? end : end - begin)
                                 : path.substr(0, end);
    if (fnmatch(pattern.c_str(), part.c_str(), 0) == 0) return true;
    if (end == std::string::npos) return false;
    begin = end + 1;
  }
}

Error OutsideOfRepositories(std::string_view argument) {
  return {
      .kind = ErrorKind::kUsage,
      .message = fmt::format("auditing {}: neither in a git repository nor in an oracle", argument),
      .hint = "run it in a git repository, or choose an oracle with -C DIR"};
}

}  // namespace

std::vector<fs::path> AuditedFiles::Paths() const {
  std::vector<fs::path> paths;
  for (const AuditedFile& file : files) paths.push_back(file.file.path());
  return paths;
}

Status Exclude(const std::vector<std::string>& patterns, AuditedFiles& files) {
  if (patterns.empty()) return {};
  std::erase_if(files.files, [&](const AuditedFile& file) {
    return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
      return MatchesPattern(pattern, file.shown);
    });
  });
  if (!files.files.empty() || !files.unread.empty()) return {};
  return Error{.kind = ErrorKind::kNotFound,
               .message = "auditing: --exclude leaves no Markdown files",
               .hint = "patterns are names (archive) or paths (docs/old/*)"};
}

Result<AuditedFiles> FindInOracle(const oracle::Context& context,
                                  const std::vector<std::string>& arguments) {
  Collector collector(context);
  const oracle::FileSearch search{
      .is_wanted = HasMarkdownName,
      .enters = [](std::string_view name) { return !name.starts_with("."); }};
  for (const std::string& argument : arguments) {
    const oracle::ArgumentFile file = SIBYL_TRY(FindArgument(context, argument));
    if (!file.IsFolder()) {
      collector.Add(file);
      continue;
    }
    oracle::FilesBelow below = SIBYL_TRY(oracle::FindFilesBelow(context, file, search));
    if (below.files.empty() && below.skipped.empty()) return NoMarkdown(argument, "hidden folders");
    for (const oracle::ArgumentFile& one : below.files) collector.Add(one);
    for (Finding& skipped : below.skipped) {
      skipped.code = "audit/unread";
      collector.found.unread.push_back(std::move(skipped));
    }
  }
  return std::move(collector.found);
}

Result<AuditedFiles> FindInRepositories(const oracle::Context& context,
                                        std::vector<std::string> arguments) {
  if (arguments.empty()) {
    const std::optional<GitRepository> here =
        SIBYL_TRY(ReadableRepository(context, context.working_folder));
    if (!here) return OutsideOfRepositories(context.working_folder.string());
    arguments.push_back(here->work_tree.string());
  }
  Collector collector(context);
  for (const std::string& argument : arguments) {
    const oracle::ArgumentFile file = SIBYL_TRY(FindArgument(context, argument));
    const std::optional<GitRepository> location = SIBYL_TRY(
        ReadableRepository(context, file.IsFolder() ? file.path() : file.path().parent_path()));
    if (!location) return OutsideOfRepositories(argument);
    if (collector.found.repository.empty()) collector.found.repository = location->work_tree;
    if (!file.IsFolder()) {
      collector.Add(file, location);
      continue;
    }
    const std::unique_ptr<references::Repository> repository =
        SIBYL_TRY(references::Repository::Open(*location));
    const std::optional<std::string> folder = FolderIn(location->work_tree, file.path());
    bool has_any = false;
    for (const std::string& document : references::DocumentsOf(*repository)) {
      if (!folder || !document.starts_with(*folder)) continue;
      has_any = true;
      collector.Add(
          SIBYL_TRY(oracle::ArgumentFile::Find(context, (location->work_tree / document).string())),
          location);
    }
    if (!has_any) return NoMarkdown(argument, "files that git ignores");
  }
  return std::move(collector.found);
}

}  // namespace sibyl::engine
