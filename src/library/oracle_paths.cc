// SPDX-License-Identifier: Apache-2.0
#include "library/oracle_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <tuple>

#include "base/os_error.h"
#include "library/library.h"
#include "library/skill.h"
#include "library/topic_index.h"
#include "plan/oracle_files.h"

namespace sibyl::library {

std::string InFolder(std::string_view folder, std::string_view name) {
  return folder.empty() ? std::string(name) : fmt::format("{}/{}", folder, name);
}

namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 6;
constexpr std::string_view kPlans = "_ingest-auto";

Error Unsafe(std::string_view path, std::string_view why) {
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("publishing {}: {}", path, why),
               .hint = "targets look like cuda/16-cupti.md"};
}

bool IsKnowledge(const std::string& name) {
  return name.ends_with(".md") && name != kIndexFile && name != kSkillFile && name != "README.md" &&
         name[0] != '.';
}

void FindTopics(const fs::path& folder, const std::string& name, int depth,
                std::vector<std::string>& topics) {
  std::error_code error;
  bool is_topic = false;
  std::vector<std::string> below;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string file = entry->path().filename().string();
    std::error_code ignored;
    if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) {
      if (file[0] != '.' && file[0] != '_') below.push_back(file);
    } else {
      is_topic = is_topic || file == kIndexFile ||
                 (IsKnowledge(file) && plan::ReadNumberedPath(file).has_value());
    }
  }
  if (is_topic && !name.empty()) topics.push_back(name);
  if (depth == kDeepest) return;
  std::sort(below.begin(), below.end());
  for (const std::string& next : below) {
    FindTopics(folder / next, InFolder(name, next), depth + 1, topics);
  }
}

}  // namespace

Result<fs::path> SafePath(const fs::path& oracle, std::string_view path) {
  if (path.empty() || path.size() > 1'000) return Unsafe(path, "no path");
  const fs::path relative{std::string(path)};
  if (relative.is_absolute()) return Unsafe(path, "the path is absolute");
  for (const char c : path) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f || c == '\\') {
      return Unsafe(path, "the path has a character that file names should not have");
    }
  }
  if (path.find("//") != std::string_view::npos) return Unsafe(path, "the path has '//'");
  for (const fs::path& piece : relative) {
    if (piece == ".." || piece == "." || piece.empty()) {
      return Unsafe(path, "the path has '..' or '.', or ends in a slash");
    }
    if (piece == ".git" || piece == ".sibyl") return Unsafe(path, "that folder is not for files");
  }
  std::error_code error;
  const fs::path root = fs::canonical(oracle, error);
  if (error) return OsError(fmt::format("opening {}", oracle.string()), error.value());
  const fs::path real = fs::weakly_canonical(root / relative, error);
  if (error) return OsError(fmt::format("publishing {}", path), error.value());
  const fs::path inside = real.lexically_relative(root);
  if (inside.empty() || *inside.begin() == "..") {
    return Unsafe(path, "a link on the way leads out of the oracle");
  }
  return real;
}

std::vector<std::string> KnowledgeFiles(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;
    std::string name = entry->path().filename().string();
    if (IsKnowledge(name) && entry->is_regular_file(ignored)) names.push_back(std::move(name));
  }
  OrderKnowledge(names);
  return names;
}

void OrderKnowledge(std::vector<std::string>& names) {
  const auto key = [](const std::string& name) {
    const auto numbered = plan::ReadNumberedPath(name);
    return std::tuple(!numbered, numbered ? numbered->number : 0, name);
  };
  std::sort(names.begin(), names.end(),
            [&](const std::string& a, const std::string& b) { return key(a) < key(b); });
}

std::vector<std::string> TopicFolders(const fs::path& oracle) {
  std::vector<std::string> topics;
  FindTopics(oracle, "", 0, topics);
  std::sort(topics.begin(), topics.end());
  return topics;
}

Status CheckTarget(const fs::path& oracle, std::string_view path, ExistingFile existing) {
  const fs::path real = SIBYL_TRY(SafePath(oracle, path));
  const std::string name = real.filename().string();
  if (!IsKnowledge(name)) return Unsafe(path, "that is no name of a knowledge file");
  if (path.starts_with(kPlans)) return Unsafe(path, "that folder is for plans");
  if (path.find('/') == std::string_view::npos) return Unsafe(path, "there is no topic folder");
  std::error_code ignored;
  if (fs::exists(real, ignored) && existing == ExistingFile::kRefuse) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("publishing {}: the file is there already", path),
                 .hint = "--redo replaces it"};
  }
  const auto numbered = plan::ReadNumberedPath(path);
  if (!numbered) return {};
  plan::OracleFiles files;
  for (const std::string& other : KnowledgeFiles(real.parent_path())) {
    files.Add(numbered->folder + other);
  }
  const std::string taken = files.TakenBy(*numbered, path);
  if (taken.empty()) return {};
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("publishing {}: its number is taken by {}", path, taken),
               .hint = fmt::format("the next free number is {:0{}}",
                                   files.NextFree(numbered->folder), numbered->digits)};
}

}  // namespace sibyl::library
