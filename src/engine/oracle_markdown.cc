// SPDX-License-Identifier: Apache-2.0
#include "engine/oracle_markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "engine/oracle.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxPages = 100'000;
constexpr std::size_t kMaxPageBytes = std::size_t{16} << 20;

// Plans say what is to be found out, and hidden folders are other programs'.
bool IsSkipped(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name.starts_with(".") || name.starts_with("_");
}

std::vector<fs::path> MarkdownBelow(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code failure;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                         failure);
  for (const fs::recursive_directory_iterator end; !failure && entry != end;
       entry.increment(failure)) {
    std::error_code ignored;
    if (entry->is_directory(ignored)) {
      if (IsSkipped(entry->path())) entry.disable_recursion_pending();
    } else if (entry->path().extension() == ".md" && entry->is_regular_file(ignored)) {
      paths.push_back(entry->path());
    }
    if (paths.size() >= kMaxPages) break;
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// A page outside the oracle goes by its own name.
std::string PathInOracle(const fs::path& oracle, const fs::path& path) {
  std::error_code error;
  const fs::path relative =
      fs::weakly_canonical(path, error).lexically_relative(fs::weakly_canonical(oracle, error));
  if (relative.empty() || *relative.begin() == "..") return path.filename().string();
  return relative.generic_string();
}

void AddPage(const Context& context, const fs::path& oracle, const fs::path& path,
             OracleMarkdown& found) {
  std::string name = ShownPath(context, path).string();
  Result<std::string> text = ReadFile(path, {.max_bytes = kMaxPageBytes});
  if (!text.ok()) {
    found.findings.push_back({.severity = Severity::kError,
                              .code = "struct/unread",
                              .message = text.error().message,
                              .hint = text.error().hint,
                              .place = {.file = std::move(name)}});
    return;
  }
  found.pages.push_back(
      {.path = PathInOracle(oracle, path), .name = std::move(name), .text = *std::move(text)});
}

}  // namespace

Result<OracleMarkdown> ReadOracleMarkdown(const Context& context) {
  const fs::path oracle = SIBYL_TRY(RequireOracle(context));
  OracleMarkdown found;
  for (const fs::path& path : MarkdownBelow(oracle)) AddPage(context, oracle, path, found);
  return found;
}

Result<OracleMarkdown> ReadNamedMarkdown(const Context& context,
                                         const std::vector<std::string>& arguments) {
  const fs::path oracle = SIBYL_TRY(RequireOracle(context));
  OracleMarkdown found;
  for (const std::string& argument : arguments) {
    const fs::path path = ResolvePath(context, argument);
    std::error_code error;
    if (!fs::exists(path, error)) {
      return Error{.kind = ErrorKind::kNotFound,
                   .message = fmt::format("verifying {}: there is no such file", argument)};
    }
    if (!fs::is_directory(path, error)) {
      AddPage(context, oracle, path, found);
      continue;
    }
    for (const fs::path& below : MarkdownBelow(path)) AddPage(context, oracle, below, found);
  }
  return found;
}

}  // namespace sibyl::engine
